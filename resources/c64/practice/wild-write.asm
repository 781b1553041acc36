; Practice: a wild write. A star flies to and fro and leaves a trail; nothing may take lives, yet they change.

    processor 6502
    include "c64.inc"
    include "begin.inc"

TRAIL_LENGTH    = 16
SKY             = $0400+10*40

start
    print title
loop
    waitForFrame
    jsr moveStar
    jsr leaveTrail
    jsr showLives
    jmp loop

moveStar SUBROUTINE
    lda column
    clc
    adc direction
    beq .turn
    cmp #39
    bne .on
.turn
    pha
    lda #0
    sec
    sbc direction
    sta direction
    pla
.on
    sta column
    tax
    lda #"*"
    sta SKY,x
    rts

; Rubs out the place where the star was longest ago, and remembers where it is.
leaveTrail SUBROUTINE
    ldx trailIndex
    ldy trail,x
    lda #" "
    sta SKY,y
    lda column
    sta trail,x
    inx
    cpx #TRAIL_LENGTH+1
    bcc .store
    ldx #0
.store
    stx trailIndex
    rts

showLives SUBROUTINE
    lda lives
    and #$0f
    ora #"0"
    sta $0400+3*40+6
    rts

title       .byte 147, "A STAR WITH A TRAIL", 13, 13, 13, "LIVES", 0
column      .byte 1
direction   .byte 1
trailIndex  .byte 0
trail       ds TRAIL_LENGTH, 1
lives       .byte 3
