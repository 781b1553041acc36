; Flexible line distance: the text begins 40 lines further down, since no bad line comes before.
    include "effect.inc"

START_LINE  = 49
LINES       = 40

prepare
    rts

everyFrame
    ldx #LINES
.line
    noBadLine $18
    delay 42
    dex
    bne .line
    jmp frameDone
