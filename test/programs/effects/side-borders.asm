; The side borders stay open: in the cycle in which the right one of 40 columns begins, there are 38.
    include "effect.inc"

START_LINE  = 48
LINES       = 100

prepare
    store %10011001, $3FFF
    rts

everyFrame
    ldx #LINES
.line
    noBadLine $18
    delay 26
    store $C0, $D016
    store $C8, $D016
    delay 4
    dex
    bne .line
    store $1B, $D011
    jmp frameDone
