; The 60 Hz interrupt: clock, cursor, keyboard.

CURSOR_PERIOD = 20              ; interrupts

    at $EA31
interrupt
    jsr UDTIM
    jsr blinkCursor
    jsr SCNKEY
    jmp acknowledge

    at $EA7E
acknowledge
    lda CIA1_INTERRUPT          ; reading it takes the request back
    at $EA81
interruptEnd
    pla
    tay
    pla
    tax
    pla
    rti

    at $EA87
    jmp scanKeyboard

blinkCursor SUBROUTINE
    lda BLNSW
    bne .done
    dec BLNCT
    bne .done
    lda #CURSOR_PERIOD
    sta BLNCT
    lda BLNON
    bne hideCursor
    ldy PNTR
    lda (USER),y
    sta GDCOL
    lda (PNT),y
    sta GDBLN
    eor #$80
    sta (PNT),y
    lda COLOR
    sta (USER),y
    inc BLNON
.done
    rts

hideCursor SUBROUTINE
    lda BLNON
    beq .done
    ldy PNTR
    lda GDBLN
    sta (PNT),y
    lda GDCOL
    sta (USER),y
    lda #0
    sta BLNON
.done
    rts

; The clock counts sixtieths of a second and starts again after 24 hours, $4F1A00 of them.
updateTime SUBROUTINE
    inc TIME+2
    bne .stopKey
    inc TIME+1
    bne .stopKey
    inc TIME
.stopKey
    lda TIME
    cmp #$4F
    bcc .sample
    lda TIME+1
    cmp #$1A
    bcc .sample
    lda #0
    sta TIME
    sta TIME+1
    sta TIME+2
.sample
    lda CIA1_PORT_B             ; the scan leaves STOP's column selected
    cmp CIA1_PORT_B
    bne .sample
    sta STKEY
    rts
