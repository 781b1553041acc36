; Sending a frame. The CRC is taken and the next zero is found while the ACIA shifts, so nothing is prepared before. A
; byte within a run takes 38.5 cycles and 11 for finding its end; at 230,400 baud the line takes 42.8 (PAL) for it.

; Sends replyType, sequence, part, `count` bytes at `source`, a zero and the CRC, as COBS between two zeros.
sendPart SUBROUTINE
    jsr sourceEnd
    sta .scan+1
    sta .data+1
    sta .data2+1
    stx .scan+2
    stx .data+2
    stx .data2+2
    lda #0
    sta patience
    sta patience+1
    jsr put
    jsr findZero
    clc
    adc #4                      ; the head has no zero
    jsr put
    ldx #0
    stx .low+1
    lda replyType
    jsr .putHead
    lda sequence
    jsr .putHead
    lda part
    jsr .putHead
    jmp .run

.slow
    jsr waitOnce
    jmp .byte
.slow2
    jsr waitOnce
    jmp .byte2

; X and .low are the CRC, as in `sum`.
.byte
    lda ACIA_STATUS
    and #EMPTY
    beq .slow
    lda crcTableLow,x
    sta .low2+1
.data
    lda $FF00,y
    sta ACIA_DATA
    eor crcTableHigh,x
.low
    eor #0
    tax
    iny
.end
    cpy #0
    beq .odd
.byte2
    lda ACIA_STATUS
    and #EMPTY
    beq .slow2
    lda crcTableLow,x
    sta .low+1
.data2
    lda $FF00,y
    sta ACIA_DATA
    eor crcTableHigh,x
.low2
    eor #0
    tax
    iny
.end2
    cpy #0
    bne .byte
    beq .zero
.odd
    lda .low2+1
    sta .low+1
.zero
    lda #0
    jsr .sum
    tya
    beq .seal                   ; that was the zero behind the data
    iny
    jsr findZero
    clc
    adc #1
    jsr put
.run
    ldy runStart
    cpy .end+1
    bne .byte
    beq .zero

; The CRC's two bytes may be zeros.
.seal
    lda crcTableLow,x
    sta crcLow
    lda crcTableHigh,x
    eor .low+1
    bne .highByte
    lda #1
    jsr put
    ldy crcLow
    bne .two
    jsr put
    jmp .one
.highByte
    sta crcHigh
    ldy crcLow
    beq .lowZero
    lda #3
    jsr put
    lda crcHigh
    bne .high
.lowZero
    lda #2
    jsr put
    lda crcHigh
    jsr put
.one
    lda #1
    bne .last
.two
    lda #2
.high
    jsr put
    tya
.last
    jsr put
    lda #0
    jmp put

.putHead
    jsr put
.sum
    eor crcTableHigh,x
    eor .low+1
    sta .index+1
    lda crcTableLow,x
    sta .low+1
.index
    ldx #0
    rts

; From Y on: sets runStart and where the run ends (the next zero, or Y = 0 behind the data). A: the run's length.
findZero
    sty runStart
    tya
    beq .found
.scan
    lda $FF00,y
    beq .found
    iny
    bne .scan
.found
    sty .end+1
    sty .end2+1
    tya
    sec
    sbc runStart
    rts

; Sends A, and keeps it and X, Y.
put
    pha
.wait
    lda ACIA_STATUS
    and #EMPTY
    bne .put
    jsr waitOnce
    jmp .wait
.put
    pla
    sta ACIA_DATA
    rts

; A second or so of this for a frame, and the line is taken for dead.
waitOnce SUBROUTINE
    inc patience
    bne .again
    inc patience+1
    bne .again
    jmp giveUp
.again
    rts
