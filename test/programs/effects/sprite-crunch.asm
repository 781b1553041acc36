; A stretched sprite whose counter is disturbed: its stretching ends in the cycle in which the VIC-II takes the counter over.
    include "effect.inc"

START_LINE  = 54
LINES       = 5               ; the next one is bad

prepare
    jsr makeSprites
    store 1, $D015
    sta $D017
    store 120, $D000
    store START_LINE, $D001
    rts

everyFrame                      ; X is 0
    delay 3
    store 0, $D017              ; in cycle 15
    store 1, $D017
    delay 36                    ; the sprite takes 5 cycles of the line
    inx
    cpx #LINES
    bne everyFrame
    jmp frameDone
