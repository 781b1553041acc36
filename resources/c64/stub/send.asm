; Sending a frame. The CRC is taken and the next zero is found while the ACIA shifts, so nothing is prepared before.
; docs/serial-protocol.md counts the cycles.

; Sends replyType, sequence, part, `count` bytes at `source`, a zero and the CRC, as COBS between two zeros.
sendPart SUBROUTINE
    jsr sourceEnd
    sta .first+1
    sta .scan+1
    sta .data+1
    sta .data2+1
    stx .first+2
    stx .scan+2
    stx .data+2
    stx .data2+2
    lda #0
    sta patience
    sta patience+1
    sta .low+1
    tax
    jsr put
    sty .start+1
    tya                         ; 0: no data
    beq .firstFound
.first
    lda $FF00,y
    beq .firstFound
    iny
    bne .first
.firstFound
    sty .end+1
    sty .end2+1
    tya
    sec
    sbc .start+1
    clc
    adc #4                      ; the head has no zero
    jsr put
    lda replyType
    jsr putHead
    lda sequence
    jsr putHead
    lda part
    jsr putHead
.start
    ldy #0
    cpy .end+1
    bne .byte
    beq .zero

.slow
    jsr waitOnce
    jmp .byte
.slow2
    jsr waitOnce
    jmp .byte2

; A run without zeros. X and .low are the CRC, as in `sum`: every other byte finds its half in .low2.
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

; A zero: the code byte in its place says how far it is to the next.
.zero
    lda crcTableHigh,x
    eor .low+1
    sta .index+1
    lda crcTableLow,x
    sta .low+1
.index
    ldx #0
    tya
    beq .seal                   ; that was the one behind the data
    sty .here+1
    iny
    beq .send
.scan
    lda $FF00,y
    beq .send
    iny
    bne .scan
.send
    lda ACIA_STATUS
    and #EMPTY
    beq .slowCode
    tya
    sec
.here
    sbc #0
    sta ACIA_DATA
    cmp #1
    beq .zero
    sty .end+1
    sty .end2+1
    ldy .here+1
    iny
    jmp .byte
.slowCode
    jsr waitOnce
    jmp .send

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

putHead
    jsr put
    eor crcTableHigh,x
    eor .low+1
    sta .head+1
    lda crcTableLow,x
    sta .low+1
.head
    ldx #0
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
