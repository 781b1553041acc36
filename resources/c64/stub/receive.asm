; Receiving a frame. At 230,400 baud a byte takes 42.8 cycles (PAL), and the ACIA keeps one: the loop takes 33.

PATIENCE        = 6             ; times 3,328 cycles without a byte: 20 ms

receive SUBROUTINE
    ldy #0
.patience
    lda #PATIENCE
    sta patience
    ldx #0
.wait
    lda ACIA_STATUS
    and #RECEIVED
    bne .take
    dex
    bne .wait
    dec patience
    bne .wait
    bit held
    bmi receive
    jmp leave
.take
    lda ACIA_DATA
    beq .end
    sta received,y
    iny                         ; a frame that is too long overwrites itself, and its CRC will tell
    jmp .patience
.end
    tya
    beq .patience               ; an empty frame: a wake-up, or a resynchronisation
    sty length

; COBS in place: a code byte says how far it is to the next, and stands for the zero that was there. The first stands
; for none: the frame's bytes begin at received+1.
    lda received
.block
    cmp length
    beq .decoded
    bcs .damaged
    tax
    lda received,x
    sta step
    lda #0
    sta received,x
    txa
    clc
    adc step
    bcc .block
.damaged
    lda #NO_SEQUENCE
    sta sequence
    lda #DAMAGED
    jmp refuse
.decoded
    cmp #6
    bcc .damaged
    ; clc not needed: carry is set, and received is page-aligned
    sta sumFrom+1
    sta sumFrom2+1
    lda #>received-1
    sta sumFrom+2
    sta sumFrom2+2
    lda #1
    sbc length
    tay
    jsr sum                     ; over its own CRC it is 0
    lda crcHigh
    ora crcLow
    bne .damaged
    lda received+2
    beq .damaged
    sta sequence

; The request before this one, once more?
    lsr repeated
    cmp lastSequence
    bne .new
    ldx length
    lda received-2,x
    cmp lastCrc
    bne .new
    lda received-1,x
    cmp lastCrc+1
    bne .new
    sec
    ror repeated
.new
    lda sequence
    sta lastSequence
    ldx length
    lda received-2,x
    sta lastCrc
    lda received-1,x
    sta lastCrc+1

    txa
    sec
    sbc #6
    sta bodyLength
    lda received+1
    cmp #FIRST_TYPE
    bcc .unknown
    cmp #LAST_TYPE+1
    bcs .unknown
    tax
    ora #IS_REPLY
    sta replyType
    lda handlersHigh-FIRST_TYPE,x
    pha
    lda handlersLow-FIRST_TYPE,x
    pha
    rts
.unknown
    lda #UNKNOWN
    jmp refuse

; CRC of the bytes from sumFrom (set at both places) + Y on, until Y is 0 again. Result in crcHigh, crcLow. 24.5 cycles
; a byte: the CRC is kept as X and one operand, its high byte = table of X XOR operand, its low byte = table of X.
sum SUBROUTINE
    ldx #0
    stx .low+1
.byte
    lda crcTableLow,x
    sta .low2+1
sumFrom
    lda $FF00,y
    eor crcTableHigh,x
.low
    eor #0
    tax
    iny
    beq .odd
    lda crcTableLow,x
    sta .low+1
sumFrom2
    lda $FF00,y
    eor crcTableHigh,x
.low2
    eor #0
    tax
    iny
    bne .byte
    lda .low+1
    jmp .end
.odd
    lda .low2+1
.end
    eor crcTableHigh,x
    sta crcHigh
    lda crcTableLow,x
    sta crcLow
    rts
