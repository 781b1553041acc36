; The bars of stable-interrupt.asm, steady by a timer that counts the 63 cycles of a line: it tells how late the interrupt was.
    include "effect.inc"

START_LINE  = 20
TIMER       = $DC04
IN_TIME     = 13                ; what it tells if the interrupt is not late

prepare
    store $0E, $D020
    store 62, TIMER
    store 0, TIMER+1
    rts

; The timer is started in one cycle of the line, in the first frame; from the second one on only it is asked.
everyFrame
    lda started
    bne byTimer
    inc started
    store $11, $DC0E
    jmp frameDone

byTimer
    lda #<measured
    sta $FFFE
    lda #>measured
    sta $FFFF
    store START_LINE+4, $D012
    asl $D019
    ldy frame                   ; the wait begins in another cycle in each frame
.uneven
    dey
    bpl .uneven
    cli
    jmp wait

measured
    lda TIMER
    sec
    sbc #IN_TIME+1
    eor #$FF
    and #7                      ; cycles late
    sta branch+1
branch
    bpl *+2                     ; over so many cycles
    lda #$A9
    lda #$A9
    lda #$A5
    nop
    ldx #24
.line
    delay 10
    store 2, $D020
    store 7, $D020
    store $0E, $D020
    delay 28
    dex
    nop
    bne .line
    jmp frameDone

started
    .byte 0
