; Rows that are one line high: each bad line is taken back before its cycle 12, with the row counter at 7.
    include "effect.inc"

START_LINE  = 59
LINES       = 12

prepare
    ldy control                 ; Y stays until `everyFrame`, which has no time to load it; X is 0 there
    rts

everyFrame
    sty $D011                   ; in cycle 10
    inx
    ldy control,x
    delay 48
    cpx #LINES
    bne everyFrame
.wait
    lda #250
    cmp $D012
    bne .wait
    store $1B, $D011
    ldy control
    jmp frameDone

; YSCROLL of the line below
    align 256
control
LINE set START_LINE
    repeat LINES+1
    .byte $18+((LINE+1)&7)
LINE set LINE+1
    repend
