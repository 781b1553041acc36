; Reset, interrupts and the start of chips and variables.

PAL_TIMER       = $4025         ; cycles per sixtieth of a second
NTSC_TIMER      = $4295
NTSC_LINES      = 263

    at $FCE2
reset SUBROUTINE
    ldx #$FF
    sei
    txs
    cld
    ldx #5
.signature                      ; CBM80 at $8004: a cartridge that starts by itself
    lda cartridgeSignature-1,x
    cmp $8004-1,x
    bne .noCartridge
    dex
    bne .signature
    jmp ($8000)
.noCartridge
    jsr initDevices
    jsr initMemory
    jsr restoreVectors
    jsr startScreen
    cli
    jmp ($A000)

cartridgeSignature
    .byte $C3,$C2,$CD,"80"

    at $FD15
restoreVectors SUBROUTINE
    ldx #<defaultVectors
    ldy #>defaultVectors
    clc
moveVectors                     ; carry set: copies the vectors to X, Y; clear: sets them from there
    stx STAL
    sty STAL+1
    ldy #defaultVectorsEnd-defaultVectors-1
.vector
    lda CINV,y
    bcs .read
    lda (STAL),y
.read
    sta (STAL),y                ; harmless in ROM, but it writes the RAM below
    sta CINV,y
    dey
    bpl .vector
    rts

defaultVectors
    .word interrupt, break, nmi, openFile, success, chooseFile, chooseFile, clearChannels
    .word lineIn, characterOut, stopKey, getCharacter, clearChannels, break, loadOrSave, loadOrSave
defaultVectorsEnd

    at $FD50
initMemory SUBROUTINE
    lda #0
    tay
.page
    sta $0002,y
    sta $0200,y
    sta $0300,y
    iny
    bne .page
    ldx #<$0800
    ldy #>$0800
    clc
    jsr memoryBottom
    ldy #>$A000                 ; not tested: it is there
    clc
    jsr memoryTop
    lda #$04
    sta HIBASE
    lda #<$033C                 ; tape buffer
    sta $B2
    lda #>$033C
    sta $B3
    rts

    at $FDA3
initDevices SUBROUTINE
    lda #%11100111              ; the port's data before its direction: otherwise this ROM switches itself off
    sta PROCESSOR_PORT
    lda #%00101111
    sta DATA_DIRECTION
    lda #%01111111
    sta CIA1_INTERRUPT
    sta CIA2_INTERRUPT
    sta CIA1_PORT_A
    lda #%00001000
    sta CIA1_CONTROL_A
    sta CIA2_CONTROL_A
    sta CIA1_CONTROL_B
    sta CIA2_CONTROL_B
    ldx #0
    stx CIA1_DIRECTION_B
    stx CIA2_DIRECTION_B
    stx SID_VOLUME
    dex
    stx CIA1_DIRECTION_A
    lda #%00000111
    sta CIA2_PORT_A
    lda #%00111111
    sta CIA2_DIRECTION_A
    jmp startTimer

    at $FE43
nmiEntry
    sei
    jmp (NMINV)

    at $FE47
nmi SUBROUTINE
    pha
    txa
    pha
    tya
    pha
    lda #%01111111
    sta CIA2_INTERRUPT
    ldy CIA2_INTERRUPT
    bmi .done                   ; from CIA 2, not from RESTORE
    sta CIA1_PORT_A
    cmp CIA1_PORT_B
    bne .done
    jmp break
.done
    jmp interruptEnd

    at $FE66
break
    jsr restoreVectors
    jsr initDevices
    jsr startScreen
    jmp ($A002)

    at $FEBC
    jmp interruptEnd

startTimer SUBROUTINE
    ldx #<NTSC_TIMER
    ldy #>NTSC_TIMER
    lda PAL_FLAG
    beq .set
    ldx #<PAL_TIMER
    ldy #>PAL_TIMER
.set
    stx CIA1_TIMER_A
    sty CIA1_TIMER_A+1
    lda #%10000001
    sta CIA1_INTERRUPT
    lda #%00010001
    sta CIA1_CONTROL_A
    rts

; Carry set: the raster reaches lines that only PAL has. Takes up to two frames.
detectPal SUBROUTINE
.lowHalf
    bit VIC_CONTROL_1
    bmi .lowHalf
.highHalf
    bit VIC_CONTROL_1
    bpl .highHalf
    ldx #0
.line
    lda VIC_RASTER
    bit VIC_CONTROL_1
    bpl .ended
    cmp #<NTSC_LINES
    bcc .line
    inx
.pal
    bit VIC_CONTROL_1
    bmi .pal
.ended
    cpx #1
    rts

    at $FF48
interruptEntry SUBROUTINE
    pha
    txa
    pha
    tya
    pha
    tsx
    lda $0104,x                 ; the status that was pushed
    and #%00010000
    bne .break
    jmp (CINV)
.break
    jmp (CBINV)

    at $FF5B
startScreen SUBROUTINE
    jsr initScreen
    jsr detectPal
    lda #0
    rol
    sta PAL_FLAG
    jmp startTimer
