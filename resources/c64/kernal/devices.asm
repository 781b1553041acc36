; Devices: keyboard and screen work. There is no disk, tape or RS-232 behind this ROM; such calls return at once with
; carry set and the error number the original has for it.

FILE_NOT_OPEN      = 3
NO_SUCH_DEVICE     = 5
DEVICE_NOT_PRESENT = $80        ; STATUS

characterOut SUBROUTINE
    pha
    lda DFLTO
    cmp #3
    bne .ignored
    pla
    jmp screenOut
.ignored
    pla
    clc
    rts

; A key in A, 0 if none was pressed.
getCharacter SUBROUTINE
    lda NDX
    beq .none
    jmp nextKey
.none
    clc
    rts

; Z set while STOP is down.
stopKey SUBROUTINE
    lda STKEY
    cmp #%01111111
    bne .up
    php
    jsr CLRCHN
    lda #0
    sta NDX
    plp
.up
    rts

clearChannels
    lda #3
    sta DFLTO
    lda #0
    sta DFLTN
success
    clc
    rts

openFile
    lda #NO_SUCH_DEVICE
    sec
    rts

chooseFile
    lda #FILE_NOT_OPEN
    sec
    rts

loadOrSave SUBROUTINE
    bit MSGFLG
    bpl .silent
    lda #13
    jsr CHROUT
    lda #<noDeviceText
    ldy #>noDeviceText
    jsr printText
.silent
    lda #NO_SUCH_DEVICE
    sec
    rts

noSerialBus
    pha
    lda #DEVICE_NOT_PRESENT
    ora STATUS
    sta STATUS
    pla
    clc
    rts

setMessages
    sta MSGFLG
readStatus
    lda STATUS
    rts

setTimeout
    sta TIMOUT
    rts

setFile
    sta LA
    stx FA
    sty SA
    rts

setName
    sta FNLEN
    stx FNADR
    sty FNADR+1
    rts

setTime
    sei
    sta TIME+2
    stx TIME+1
    sty TIME
readTime
    sei
    lda TIME+2
    ldx TIME+1
    ldy TIME
    cli
    rts

memoryTop SUBROUTINE
    bcc .set
    ldx MEMEND
    ldy MEMEND+1
.set
    stx MEMEND
    sty MEMEND+1
    rts

memoryBottom SUBROUTINE
    bcc .set
    ldx MEMSTR
    ldy MEMSTR+1
.set
    stx MEMSTR
    sty MEMSTR+1
    rts

screenSize
    ldx #COLUMNS
    ldy #ROWS
    rts

plot SUBROUTINE
    bcs .read
    stx TBLX
    sty PNTR
    jsr setRow
.read
    ldx TBLX
    ldy PNTR
    rts

ioBase
    ldx #<CIA1_PORT_A
    ldy #>CIA1_PORT_A
    rts
