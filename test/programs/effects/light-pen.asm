; A light pen at another place in each frame; where the VIC-II saw it stands in the first rows.
    include "effect.inc"

START_LINE  = 20

prepare
    store $FF, $DC01
    store $10, $DC03
    rts

everyFrame
    ldy frame
.place
    delay 62
    dey
    bpl .place
    store $EF, $DC01            ; the line of fire, low
    store $FF, $DC01
    ldx frame
    lda $D013
    sta SCREEN,x
    lda $D014
    sta SCREEN+40,x
    jmp frameDone
