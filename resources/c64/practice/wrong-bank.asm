; Practice: a wrong bank. Every second the border is to become another colour, and never does.

    processor 6502
    include "c64.inc"
    include "begin.inc"

NO_IO           = $34           ; RAM everywhere
USUAL           = $37
TABLE           = $e000         ; in the RAM under the KERNAL
COLOURS         = 8

start SUBROUTINE
    print title
    sei
    ldx #COLOURS-1
.fill
    lda colours,x
    sta TABLE,x
    dex
    bpl .fill
loop
    waitForFrame
    dec frames
    bne loop
    lda #50
    sta frames
    jsr nextColour
    jmp loop

; Takes the next colour from the RAM under the KERNAL.
nextColour SUBROUTINE
    lda #NO_IO
    sta PROCESSOR_PORT
    ldx colour
    inx
    cpx #COLOURS
    bcc .in
    ldx #0
.in
    stx colour
    lda TABLE,x
    sta VIC_BORDER
    lda #USUAL
    sta PROCESSOR_PORT
    rts

title   .byte 147, "A NEW BORDER EVERY SECOND", 0
frames  .byte 50
colour  .byte 0
colours .byte 2, 4, 5, 6, 7, 8, 10, 13
