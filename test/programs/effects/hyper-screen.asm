; No border at all, from the first line of text to the end of the frame.
    include "effect.inc"

START_LINE  = 48
LINES       = 252

prepare
    rts

everyFrame
    ldx #0
.line
    lda control,x
    sta $D011
    stx $3FFF
    delay 30
    store $C0, $D016
    store $C8, $D016
    nop
    inx
    cpx #LINES-1
    bcc .line
    jmp frameDone

; YSCROLL that no bad line comes with; 24 rows where the border of 25 begins.
    align 256
control
LINE set START_LINE
    repeat LINES
    if LINE >= 249 && LINE <= 252
    .byte $10+((LINE+4)&7)
    else
    .byte $18+((LINE+4)&7)
    endif
LINE set LINE+1
    repend
