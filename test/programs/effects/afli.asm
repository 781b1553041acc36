; AFLI: each line of a bitmap has colours of its own.
    include "effect.inc"
    include "fli.inc"

prepare
    store $02, $DD00
    store $C8, $D016
    store $3B, $D011
    fill MATRICES, 32
    fill BITMAP, 32
    rts

everyFrame
    delay 53
    fliLines
    jmp frameDone

    fliTables 7
