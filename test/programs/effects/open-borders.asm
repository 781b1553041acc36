; Top and bottom border stay open, with sprites in them: the VIC-II never meets the line in which its border begins.
    include "effect.inc"

START_LINE  = 249

prepare
    jsr makeSprites
    store 255, $D015
    ldx #14
.position
    txa
    asl
    asl
    asl
    adc #60
    sta $D000,x
    txa
    adc #252
    sta $D001,x
    dex
    dex
    bpl .position
    rts

everyFrame
    store $13, $D011            ; 24 rows, whose end, line 247, is past
    delay 200
    delay 179
    store $1B, $D011            ; 25 rows, whose end, line 251, is past
    jmp frameDone
