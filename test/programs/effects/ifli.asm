; IFLI: two FLI pictures take turns, the second one a pixel further right.
    include "effect.inc"
    include "fli.inc"

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
    fliLines
    jmp frameDone

    fliTables 3                 ; RAM below $D000 holds four matrices of the second picture
