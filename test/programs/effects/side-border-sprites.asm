; Eight sprites over the open side borders: the VIC-II leaves 44 cycles of a line, and the write in the last of them.
    include "effect.inc"

START_LINE  = 58
LINES       = 42

prepare
    jsr makeSprites
    store 255, $D015
    ldx #14
.position
    lda left,x
    sta $D000,x
    lda #60
    sta $D001,x
    dex
    dex
    bpl .position
    store %11000000, $D010
    store 255, $D017
    store $1F, $D011
    rts

everyFrame
    store $C7, $D016
    delay 127
    ldx #0
.line
    lda control,x
    sta $D011
    inc $D016
    delay 19
    inx
    dec $D016                   ; its last cycle is the third after the VIC-II asked for the bus
    cpx #LINES
    bne .line
    store $C8, $D016
    store $1B, $D011
    jmp frameDone

left
    .byte 0, 0, 48, 0, 96, 0, 144, 0, 192, 0, 240, 0, 60, 0, 80, 0
    align 256
control
LINE set START_LINE+2
    repeat LINES
    .byte $18+((LINE+4)&7)
LINE set LINE+1
    repend
