; In and out of the interrupted program.
;
; The ACIA's request stays until its status is read, and an NMI comes only when the line goes low: so there is no second
; one until we read the status, and by then the ACIA is told to raise none. On the way out it raises them again, and one
; that comes before the program has its registers back finds `busy` and starts over with what is saved.

entry SUBROUTINE
    bit busy
    bmi again
    sec
    ror busy
    sta savedA
    stx savedX
    sty savedY
    cld
.frame
    pla
    sta savedP
    pla
    sta savedPC
    pla
    sta savedPC+1
    cmp #>lastStep              ; interrupted on our very last step: what the program was at lies below
    bne .saved
    lda savedPC
    cmp #<lastStep
    beq .frame
.saved
    tsx
    stx savedSP
    lda PROCESSOR_PORT
    sta savedPort
    and #~PORT_BITS & $FF
    ora #IO_AND_RAM
    sta workPort
    sta PROCESSOR_PORT
    lda DATA_DIRECTION
    sta savedDirection
    ora #PORT_BITS
    sta workDirection
    sta DATA_DIRECTION
    lda #0
    sta chain
    lda #QUIET
    sta ACIA_COMMAND
    lda ACIA_STATUS
    and #REQUESTED+RECEIVED
    bne receive

; RESTORE, CIA 2 or another cartridge.
    lda savedPort
    and #KERNAL_VISIBLE
    beq .unknown                ; came by the vector in RAM, which has no older owner
    sec
    ror chain
    bmi leave
.unknown
    lda CIA2_NMI                ; let it raise the next one
    jmp leave

giveUp                          ; the line takes no bytes
    bit held
    bpl leave
again
    ldx savedSP
    txs
    lda #QUIET
    sta ACIA_COMMAND
    jmp receive

leave SUBROUTINE
    lda #LISTEN
    sta ACIA_COMMAND
    lda ACIA_STATUS
    and #RECEIVED               ; came while it raised none
    bne again
    ldx savedSP
    txs
    lda savedPC+1
    pha
    lda savedPC
    pha
    lda savedP
    pha
    bit chain
    bpl .registers
    lda oldNmi+1                ; "return" to the other handler, as if the KERNAL had jumped there
    pha
    lda oldNmi
    pha
    php
.registers
    lda savedPort
    sta PROCESSOR_PORT
    lda savedDirection
    sta DATA_DIRECTION
    ldx savedX
    ldy savedY
    lda savedA
    asl busy
lastStep
    rti
