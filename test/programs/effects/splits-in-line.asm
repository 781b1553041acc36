; The background takes seven colours in each line; no bad line comes between.
    include "effect.inc"

START_LINE  = 48
LINES       = 60

prepare
    rts

everyFrame
    ldx #LINES
.line
    noBadLine $18
    store 2, $D021
    store 8, $D021
    store 7, $D021
    store 5, $D021
    store 14, $D021
    store 4, $D021
    delay 6
    dex
    bne .line
    store 6, $D021
    store $1B, $D011
    jmp frameDone
