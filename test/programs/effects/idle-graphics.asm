; What the VIC-II shows without a matrix, the byte at $3FFF, changes in each line of the open border.
    include "effect.inc"

START_LINE  = 249

prepare
    rts

everyFrame
    store $13, $D011
    delay 200
    delay 179
    store $1B, $D011
    ldx #44
.line
    delay 52
    inc $3FFF
    dex
    bne .line
    store 0, $3FFF
    jmp frameDone
