; Each line begins as text, goes on in multicolour, then with extended colours, and in a mode that is none.
    include "effect.inc"

START_LINE  = 54

prepare
    store 2, $D022
    store 5, $D023
    store 7, $D024
    rts

everyFrame
    ldy #12                     ; rows
    ldx #5
.line
    delay 10
    store $D8, $D016
    store $5B, $D011
    store $C8, $D016
    store $1B, $D011
    store $3B, $D011
    store $1B, $D011
    delay 12
    dex
    bne .line
    delay 14                    ; a bad line leaves 20 cycles
    ldx #7
    dey
    bne .line
    jmp frameDone
