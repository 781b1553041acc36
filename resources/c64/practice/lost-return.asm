; Practice: a stack that is not in balance. A counter counts up; after a while the program is gone and READY. is there.

    processor 6502
    include "c64.inc"
    include "begin.inc"

start
    print title
loop
    waitForFrame
    jsr count
    jsr checkRound
    jmp loop

count SUBROUTINE
    ldx #2
.next
    inc digits,x
    lda digits,x
    cmp #"9"+1
    bne .show
    lda #"0"
    sta digits,x
    dex
    bpl .next
.show
    ldx #2
.copy
    lda digits,x
    sta $0400+3*40,x
    dex
    bpl .copy
    rts

; At each hundred the border becomes another colour.
checkRound SUBROUTINE
    lda digits+1
    pha
    ora digits+2
    cmp #"0"
    beq .round
    pla
    rts
.round
    inc VIC_BORDER
    rts

title   .byte 147, "COUNTING", 0
digits  .byte "000"
