; Each of the eight sprites is shown three times.
    include "effect.inc"

START_LINE  = 40

prepare
    jsr makeSprites
    store 255, $D015
    rts

everyFrame
    lda #0
    sta turn
.turn
    ldy turn
    ldx #14
.sprite
    txa
    asl
    asl
    asl
    adc lefts,y
    sta $D000,x
    lda tops,y
    sta $D001,x
    dex
    dex
    bpl .sprite
    lda tops,y
    clc
    adc #24
.shown
    cmp $D012
    bne .shown
    inc turn
    lda turn
    cmp #3
    bne .turn
    jmp frameDone

tops
    .byte 70, 110, 150
lefts
    .byte 50, 70, 90
turn
    .byte 0
