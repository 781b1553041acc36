; FLI: each line of a multicolour bitmap has colours of its own.
    include "effect.inc"
    include "bitmap.inc"

START_LINE  = 50
MATRICES    = $4000             ; eight of them, one for each line of a row
BITMAP      = $6000

prepare
    store $02, $DD00
    store $D8, $D016
    store $3B, $D011
    fill MATRICES, 32
    fill BITMAP, 32
    rts

everyFrame
    delay 53
    ldx #0
.line
    lda matrix,x
    sta $D018
    lda control,x
    sta $D011                   ; a bad line begins
    inx
    cpx #190
    bne .line
    store $3B, $D011
    jmp frameDone

    align 256
matrix
LINE set START_LINE+1
    repeat 190
    .byte ((LINE&7)<<4)|8
LINE set LINE+1
    repend
    align 256
control
LINE set START_LINE+1
    repeat 190
    .byte $38+(LINE&7)
LINE set LINE+1
    repend
