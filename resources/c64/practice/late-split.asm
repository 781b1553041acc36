; Practice: a raster IRQ that takes too long. The border is to be red from line 80 to line 120; it is red for far longer.

    processor 6502
    include "c64.inc"
    include "begin.inc"

RED_LINE        = 80
BLUE_LINE       = 120
RED             = 2
BLUE            = 6
PLACES          = 200

start
    print title
    sei
    lda #$7f
    sta CIA1_INTERRUPT
    lda CIA1_INTERRUPT
    lda #<redHandler
    ldx #>redHandler
    ldy #RED_LINE
    jsr nextSplit
    lda #$1b
    sta VIC_CONTROL_1
    lda #1
    sta VIC_IRQ_MASK
    cli
loop
    jmp loop

; The handler at A and X is called at line Y.
nextSplit SUBROUTINE
    sta CINV
    stx CINV+1
    sty VIC_RASTER
    lda #$ff
    sta VIC_IRQ
    rts

redHandler SUBROUTINE
    lda #RED
    sta VIC_BORDER
    lda #<blueHandler
    ldx #>blueHandler
    ldy #BLUE_LINE
    jsr nextSplit
    jsr moveWave
    jmp $ea81

blueHandler SUBROUTINE
    lda #BLUE
    sta VIC_BORDER
    lda #<redHandler
    ldx #>redHandler
    ldy #RED_LINE
    jsr nextSplit
    jmp $ea81

; Moves the letters of a row, far more than a row has.
moveWave SUBROUTINE
    ldx #PLACES
.next
    lda wave,x
    clc
    adc #1
    and #$3f
    sta wave,x
    sta $0400+12*40,x
    dex
    bne .next
    rts

title   .byte 147, "RED FROM LINE 80 TO LINE 120", 0
wave    ds 256, 32
