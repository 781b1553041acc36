; Starting and restarting: outside the interrupt.

install57600
    lda #1
    .byte $2C                   ; BIT: skips the next instruction
install115200
    lda #2
    .byte $2C
install230400
    lda #3
    .byte $2C
install38400
    lda #0
install SUBROUTINE
    php
    sei
    sta speed
    jsr makeTables
    jsr measureClock
    jsr openLine
    jsr hook
    plp
    ldy #0                      ; as the loader wants it
    rts

; What the KERNAL does at a reset, but the stub stays. Entered by a jump request.
restart SUBROUTINE
    sei
    cld
    ldx #$FF
    txs
    lda #$37
    sta PROCESSOR_PORT
    lda #$2F
    sta DATA_DIRECTION
    lda #QUIET                  ; until the vector is ours again
    sta ACIA_COMMAND
    jsr IOINIT
    jsr RAMTAS
    jsr RESTOR
    jsr CINT
    jsr hook
    cli
    jmp ($A000)

; Takes the NMI.
hook SUBROUTINE
    ldx NMINV
    ldy NMINV+1
    cpx #<entry
    bne .keep
    cpy #>entry
    beq .ours
.keep
    stx oldNmi
    sty oldNmi+1
.ours
    lda #<entry
    sta NMINV
    sta NMI_VECTOR
    lda #>entry
    sta NMINV+1
    sta NMI_VECTOR+1
    lda #0
    sta busy
    sta held
    lda ACIA_DATA               ; what came before
    lda ACIA_STATUS
    lda #LISTEN
    sta ACIA_COMMAND
    rts

; 8 data bits, no parity, 1 stop bit. A SwiftLink's crystal doubles the 6551's speeds: its 19,200 are 38,400. It has no
; register for faster ones, and falls back.
openLine SUBROUTINE
    sta ACIA_STATUS             ; writing resets it, whatever the value
    lda speed
    beq .swiftLink
    lda #%00010000
    sta ACIA_CONTROL
    lda #3
    sec
    sbc speed
    sta ACIA_ENHANCED
    ora #%100                   ; reads so while it is in use
    sta step
    lda ACIA_ENHANCED
    and #%111
    cmp step
    beq .done
    lda #0
    sta speed
.swiftLink
    lda #%00011111
    sta ACIA_CONTROL
.done
    rts

; PAL has lines up to 311, NTSC up to 262.
measureClock SUBROUTINE
    lda #0
    sta clock
.above
    bit VIC_CONTROL_1           ; bit 7 is bit 8 of the raster line
    bmi .above
.below
    bit VIC_CONTROL_1
    bpl .below
.line
    lda VIC_RASTER
    cmp #$20
    bcs .done
    bit VIC_CONTROL_1
    bmi .line
    inc clock
.done
    rts

; CRC-16/XMODEM of each byte: polynomial $1021.
makeTables SUBROUTINE
    ldx #0
.byte
    lda #0
    sta crcLow
    txa
    ldy #8
.bit
    asl crcLow
    rol
    bcc .noCarry
    eor #$10
    pha
    lda crcLow
    eor #$21
    sta crcLow
    pla
.noCarry
    dey
    bne .bit
    sta crcTableHigh,x
    lda crcLow
    sta crcTableLow,x
    inx
    bne .byte
    rts
