; A quiet tune: four chords of sixteen steps, as an arpeggio, its echo and a bass. Register values are for PAL.

STEP_FRAMES     = 8

startTune SUBROUTINE
    ldx #$18
    lda #0
.clear
    sta SID,x
    dex
    bpl .clear
    lda #$08                    ; pulse width
    sta SID+3
    lda #$0A                    ; fast attack, slow decay
    sta SID+5
    lda #$2B
    sta SID+7+5
    lda #$0C
    sta SID+14+5
    lda #9
    sta SID_VOLUME
    rts

playTune SUBROUTINE
    dec tuneWait
    bpl .done
    lda #STEP_FRAMES-1
    sta tuneWait
    ldy tuneStep
    ldx #0
    jsr .note                   ; the arpeggio
    lda #%01000000              ; pulse, gate off and on again
    sta SID+4
    lda #%01000001
    sta SID+4
    tya
    sec
    sbc #3
    and #63
    tay
    ldx #7
    jsr .note                   ; what it was three steps ago
    lda #%00010000              ; triangle
    sta SID+7+4
    lda #%00010001
    sta SID+7+4
    lda tuneStep
    and #7
    bne .next
    lda tuneStep
    lsr
    lsr
    lsr
    lsr
    tax
    lda bassLow,x
    sta SID+14
    lda bassHigh,x
    sta SID+14+1
    lda #%00100000              ; sawtooth
    sta SID+14+4
    lda #%00100001
    sta SID+14+4
.next
    ldx tuneStep
    inx
    txa
    and #63
    sta tuneStep
.done
    rts

; Sets the voice at X to the note of step Y. Keeps Y.
.note
    tya
    pha
    lsr
    lsr
    and #%00001100              ; four notes per chord
    sta framePointer
    tya
    and #7
    tay
    lda arpeggio,y
    ora framePointer
    tay
    lda chordsLow,y
    sta SID,x
    lda chordsHigh,y
    sta SID+1,x
    pla
    tay
    rts

arpeggio
    .byte 0,1,2,3,2,1,3,2

chordsLow                       ; A minor, F, C, G
    .byte <3746,<4455,<5613,<7493, <2973,<3746,<4455,<5947
    .byte <3338,<4455,<5613,<6675, <3338,<4205,<5001,<6675
chordsHigh
    .byte >3746,>4455,>5613,>7493, >2973,>3746,>4455,>5947
    .byte >3338,>4455,>5613,>6675, >3338,>4205,>5001,>6675
bassLow
    .byte <1873,<1487,<1113,<1669
bassHigh
    .byte >1873,>1487,>1113,>1669
