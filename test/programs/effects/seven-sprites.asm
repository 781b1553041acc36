; Colours that change in each line while seven sprites take their cycles.
    include "effect.inc"

START_LINE  = 52

prepare
    jsr makeSprites
    store 127, $D015
    store 255, $D017
    ldx #12
.position
    txa
    asl
    asl
    asl
    adc #60
    sta $D000,x
    lda #54
    sta $D001,x
    dex
    dex
    bpl .position
    store $1B, $D011
    rts

everyFrame
    ldx #40
.line
    noBadLine $18
    stx $D020
    stx $D021
    delay 12
    dex
    bne .line
    store 14, $D020
    store 6, $D021
    store $1B, $D011
    jmp frameDone
