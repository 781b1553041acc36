; What each request does. The body begins at `body`; a handler ends with a jump to `reply…`, `refuse` or `leave`.
; None keeps anything on the stack while it writes memory: the bytes below the program's stack pointer are anybody's.

body            = received+3

handlersLow
    .byte <[tellHello-1], <[readMemory-1], <[writeMemory-1], <[tellRegisters-1]
    .byte <[jump-1], <[fill-1], <[sumPages-1], <[hold-1]
handlersHigh
    .byte >[tellHello-1], >[readMemory-1], >[writeMemory-1], >[tellRegisters-1]
    .byte >[jump-1], >[fill-1], >[sumPages-1], >[hold-1]

tellHello SUBROUTINE
    lda #0
    jsr expectBody
    lda #<hello
    ldx #>hello
    ldy #HELLO_SIZE
    jmp reply

tellRegisters SUBROUTINE
    lda #0
    jsr expectBody
    lda #<registers
    ldx #>registers
    ldy #REGISTERS_SIZE
    jmp reply

; mapping, address, length
readMemory SUBROUTINE
    lda #5
    jsr expectBody
    lda body+3
    ldx body+4
    jsr takeRange
    bit remaining+1             ; more than 255 parts would not have a number
    bmi malformed
    lda #1
    sta part
.next
    lda remaining+1
    bne .whole
    lda remaining
    cmp #DATA_PER_PART
    bcc .size
.whole
    lda #DATA_PER_PART
.size
    sta count
    lda address
    sta source
    lda address+1
    sta source+1
    jsr mustCopy
    bcc .direct
    jsr copySource
    jmp .send
.direct
    lda mapping
    sta PROCESSOR_PORT
.send
    jsr sendPart
    lda workPort
    sta PROCESSOR_PORT
    inc part
    lda address
    clc
    adc count
    sta address
    bcc .samePage
    inc address+1
.samePage
    lda remaining
    sec
    sbc count
    sta remaining
    bcs .left
    dec remaining+1
.left
    ora remaining+1
    bne .next
    jmp done

malformed
    lda #MALFORMED
    jmp refuse

; mapping, address, data
writeMemory SUBROUTINE
    lda bodyLength
    sec
    sbc #3
    beq malformed
    bcc malformed
    ldx #0
    jsr takeRange
    jsr refuseOwn
    bit repeated
    bmi .answer
    lda remaining
    sta count
    lda #<[body+3]
    sta source
    lda #>[body+3]
    sta source+1
    jsr sourceEnd
    sta .from+1
    stx .from+2
    lda address
    sta source
    lda address+1
    sta source+1
    jsr sourceEnd
    sta .to+1
    stx .to+2
    lda mapping
    sta PROCESSOR_PORT
.byte
.from
    lda $FF00,y
.to
    sta $FF00,y
    iny
    bne .byte
    lda body+3
    ldy body+4
    jsr keepPort
.answer
    jmp replyNothing

; all registers, as tellRegisters has them
jump SUBROUTINE
    lda #REGISTERS_SIZE
    jsr expectBody
    bit repeated
    bmi .answer
    ldx #REGISTERS_SIZE-1
.register
    lda body,x
    sta registers,x
    dex
    bpl .register
.answer
    jmp replyNothing

; mapping, address, length, value
fill SUBROUTINE
    lda #6
    jsr expectBody
    lda body+3
    ldx body+4
    jsr takeRange
    jsr refuseOwn
    bit repeated
    bmi .answer
    lda address
    sta .page+1
    sta .rest+1
    lda address+1
    sta .page+2
    lda mapping
    sta PROCESSOR_PORT
    lda body+5
    ldy #0
    ldx remaining+1
    beq .pagesDone
.page
    sta $FF00,y
    iny
    bne .page
    inc .page+2
    dex
    bne .page
.pagesDone
    ldx .page+2
    stx .rest+2
    cpy remaining
    beq .filled
.rest
    sta $FF00,y
    iny
    cpy remaining
    bne .rest
.filled
    tay
    jsr keepPort
.answer
    jmp replyNothing

; mapping, first page, number of pages
sumPages SUBROUTINE
    lda #3
    jsr expectBody
    jsr takeMapping
    lda body+2
    beq .wrong
    cmp #DATA_PER_PART/2+1
    bcs .wrong
    clc
    adc body+1
    bcc .inMemory
    beq .inMemory               ; up to $FFFF, but not past it
.wrong
    jmp malformed
.inMemory
    ldx #0
.page
    stx count
    lda #0
    sta sumFrom+1
    sta sumFrom2+1
    lda body+1
    sta sumFrom+2
    sta sumFrom2+2
    ldy mapping
    sty PROCESSOR_PORT
    ldy #0
    jsr sum
    lda workPort
    sta PROCESSOR_PORT
    ldx count
    lda crcLow
    sta copy,x
    inx
    lda crcHigh
    sta copy,x
    inx
    inc body+1
    dec body+2
    bne .page
    txa
    tay
    lda #<copy
    ldx #>copy
    jmp reply

; bit 0: stay in the handler
hold SUBROUTINE
    lda #1
    jsr expectBody
    lsr body
    lda #0
    ror
    sta held
    jmp replyNothing

refuse                          ; A: error
    sta copy
    lda #ERROR
    sta replyType
    lda #<copy
    ldx #>copy
    ldy #1
    bne reply
replyNothing
    ldy #0
reply                           ; A, X: first byte; Y: how many
    sta source
    stx source+1
    sty count
    lda #1
    sta part
    jsr sendPart
done
    jmp giveUp

; Helpers. On an error they do not return: `leave` sets the stack.

expectBody SUBROUTINE           ; A: length that the body must have
    cmp bodyLength
    bne .wrong
    rts
.wrong
    jmp malformed

takeMapping SUBROUTINE          ; the bits of $01 that switch memory, with the program's others
    lda workPort
    and #~PORT_BITS & $FF
    sta mapping
    lda body
    and #PORT_BITS
    ora mapping
    sta mapping
    rts

takeRange SUBROUTINE            ; A, X: length
    sta remaining
    stx remaining+1
    ora remaining+1
    beq .wrong
    jsr takeMapping
    lda body+1
    sta address
    clc
    adc remaining
    tax
    lda body+2
    sta address+1
    adc remaining+1
    bcc .inMemory
    bne .wrong
    cpx #0
    bne .wrong
.inMemory                       ; A, X: the address behind
    cpx #1
    sbc #0
    sta lastPage
    rts
.wrong
    jmp malformed

refuseOwn SUBROUTINE            ; the range must not touch the stub
    lda lastPage
    cmp #>STUB
    bcc .fine
    lda address+1
    cmp #>STUB_END
    bcs .fine
    lda #PROTECTED
    jmp refuse
.fine
    rts

; After writing: I/O for us, and what was written to $00 and $01 for the program. A, Y: first and second byte.
keepPort SUBROUTINE
    ldx workDirection
    stx DATA_DIRECTION
    ldx workPort
    stx PROCESSOR_PORT
    ldx address+1
    bne .done
    ldx address
    beq .direction
    dex
    bne .done
    sta savedPort
    rts
.direction
    sta savedDirection
    lda remaining+1
    bne .port
    lda remaining
    cmp #2
    bcc .done
.port
    sty savedPort
.done
    rts

; Carry set: `count` bytes at `address` cannot be sent from where they are. The ACIA must be visible; reading must not
; change what is read (I/O, our own variables and stack); and page 0 has $00 and $01.
mustCopy SUBROUTINE
    lda mapping
    and #%100
    beq .copy
    lda mapping
    and #%011
    beq .copy
    lda address
    clc
    adc count
    tax
    lda address+1
    adc #0
    cpx #1
    sbc #0                      ; page of the last byte
    cmp #>STUB
    bcc .below
    ldx address+1
    cpx #>STUB_END
    bcc .copy
    cmp #$D0
    bcc .below
    cpx #$E0
    bcs .below
.copy
    sec
    rts
.below
    lda address+1
    cmp #2
    bcc .copy
    clc
    rts

; Copies `count` bytes at `source` to the end of the copy and makes that the source.
copySource SUBROUTINE
    jsr sourceEnd
    sta .from+1
    stx .from+2
    lda mapping
    sta PROCESSOR_PORT
.byte
.from
    lda $FF00,y
    sta copy,y
    iny
    bne .byte
    lda workPort
    sta PROCESSOR_PORT
    lda #>copy
    sta source+1
    lda #0
    sec
    sbc count
    sta source
    lda address+1
    bne .done
    ldx source
    lda address
    beq .direction
    cmp #1
    bne .done
    beq .port
.direction
    lda savedDirection
    sta copy,x
    inx
    beq .done
.port
    lda savedPort
    sta copy,x
.done
    rts

; Y: where to begin so that Y becomes 0 behind `count` bytes; A, X: the address that goes with it for `source`.
sourceEnd SUBROUTINE
    lda #0
    sec
    sbc count
    tay
    ldx source+1
    lda source
    clc
    adc count
    bcs .page
    dex
.page
    rts
