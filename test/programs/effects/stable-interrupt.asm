; A bar in the middle of each line of the border, steady to the cycle by two raster interrupts.
    include "effect.inc"

START_LINE  = 20

prepare
    store $0E, $D020
    rts

everyFrame
    ldx #24
.line
    delay 10
    store 2, $D020
    store 7, $D020
    store $0E, $D020
    delay 28
    dex
    nop
    bne .line
    jmp frameDone
