; IFLI: two FLI pictures take turns, the second one a pixel further right.
    include "effect.inc"
    include "bitmap.inc"

START_LINE  = 50
MATRICES    = $4000             ; four of them, each for every fourth line
BITMAP      = $6000

prepare
    store $D8, $D016
    store $3B, $D011
    fill MATRICES, 32
    fill BITMAP, 32
    fill MATRICES+$8000, 16
    fill BITMAP+$8000, 32
    rts

everyFrame
    lda frame
    and #1
    ora #$D8                    ; XSCROLL
    sta $D016
    lda frame
    and #1
    asl
    sta $DD00                   ; its bank, at $C000 and $4000
    delay 38
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
    .byte ((LINE&3)<<4)|8
LINE set LINE+1
    repend
    align 256
control
LINE set START_LINE+1
    repeat 190
    .byte $38+(LINE&7)
LINE set LINE+1
    repend
