; DMA delay: the bad line begins in the middle of its line, so that the matrix starts further right.
    include "effect.inc"

START_LINE  = 51

prepare
    store $1C, $D011            ; the first bad line would be 52
    rts

everyFrame
    delay 18
    store $1B, $D011            ; it is this one, from cycle 30 on
    lda #200
.wait
    cmp $D012
    bne .wait
    store $1C, $D011
    jmp frameDone
