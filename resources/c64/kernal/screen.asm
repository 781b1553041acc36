; The screen editor: 25 rows of 40 columns. A line that is typed can be two rows long (LDTB1).

COLUMNS = 40
ROWS    = 25

initScreen SUBROUTINE
    jsr initVideo
    lda #0
    sta MODE
    sta BLNON
    sta RPTFLG
    sta NDX
    lda #<decodeKey
    sta KEYLOG
    lda #>decodeKey
    sta KEYLOG+1
    lda #10
    sta XMAX
    sta DELAY
    lda #NEXT_REPEAT
    sta KOUNT
    lda #1
    sta BLNCT
    sta BLNSW                   ; no cursor yet
    lda #LIGHT_BLUE
    sta COLOR
    lda #NO_KEY
    sta LSTX
    lda #COLUMNS-1
    sta LNMX

clearScreen SUBROUTINE
    ldx #ROWS-1
.row
    jsr clearRow
    dex
    bpl .row
home
    lda #0
    sta TBLX
    sta PNTR

; Points PNT and USER at row TBLX. Keeps Y.
setRow SUBROUTINE
    ldx TBLX
setRowX
    lda rowLow,x
    sta PNT
    sta USER
    lda rowHigh,x
    ora HIBASE
    sta PNT+1
    lda rowHigh,x
    ora #>COLOUR_RAM
    sta USER+1
    rts

; Blanks row X and lets a line start there. Keeps X.
clearRow SUBROUTINE
    jsr setRowX
    lda #$80
    sta LDTB1,x
    ldy #COLUMNS-1
.column
    lda #SPACE
    sta (PNT),y
    lda COLOR
    sta (USER),y
    dey
    bpl .column
    rts

; All VIC registers, and the standard devices.
initVideo SUBROUTINE
    lda #3
    sta DFLTO
    lda #0
    sta DFLTN
    ldx #videoEnd-video-1
.register
    lda video,x
    sta VIC,x
    dex
    bpl .register
    rts

video
    .byte 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0    ; sprite positions
    .byte $1B,0,0,0,0,$C8,0,$14,$0F,0,0,0,0,0,0
    .byte LIGHT_BLUE,BLUE,WHITE,RED,CYAN
    .byte PURPLE,BLACK,WHITE,RED,CYAN,PURPLE,GREEN,BLUE,YELLOW,DARK_GREY
videoEnd

; Prints PETSCII A. Keeps A, X and Y.
screenOut SUBROUTINE
    pha
    sta DATA
    txa
    pha
    tya
    pha
    lda #0
    sta CRSW
    lda DATA
    and #%01111111
    cmp #SPACE
    bcc .control
    jsr toScreenCode
    jsr checkQuote
    jsr putCharacter
.done
    pla
    tay
    pla
    tax
    pla
    clc
    rts

.control
    lda DATA
    cmp #13
    beq .execute
    cmp #141
    beq .execute
    cmp #20
    beq .execute
    lda QTSW
    beq .execute
    lda DATA                    ; between quotes a control code shows as a reversed character
    bpl .lower
    and #%01111111
    ora #%01000000
.lower
    ora #%10000000
    jsr putCode
    jmp .done
.execute
    jsr control
    jmp .done

; PETSCII in DATA, $20-$7F or $A0-$FF, to the screen code in A.
toScreenCode SUBROUTINE
    lda DATA
    bmi .high
    cmp #$40
    bcc .done
    cmp #$60
    bcc .letter
    and #%11011111              ; $60-$7F to $40-$5F
    rts
.letter
    and #%00111111
.done
    rts
.high
    and #%01111111
    cmp #$7F
    bne .notPi
    lda #$5E
.notPi
    cmp #$40
    bcs .done                   ; $C0-$FE to $40-$7E
    ora #%01000000              ; $A0-$BF to $60-$7F
    rts

checkQuote SUBROUTINE
    cmp #QUOTE
    bne .done
    pha
    lda QTSW
    eor #1
    sta QTSW
    pla
.done
    rts

putCharacter SUBROUTINE
    ldx RVS
    beq putCode
    ora #%10000000

; Puts screen code A at the cursor and moves on.
putCode SUBROUTINE
    ldy PNTR
    sta (PNT),y
    lda COLOR
    sta (USER),y
    inc PNTR
    cpy #COLUMNS-1
    bcc .done
    ldx TBLX
    lda LDTB1,x
    pha                         ; a line that continues cannot continue again
    jsr nextRow
    pla
    and #$80
    eor #$80
    ldx TBLX
    sta LDTB1,x
.done
    rts

; To the first column of the next row; scrolls at the bottom.
nextRow SUBROUTINE
    lda #0
    sta PNTR
rowDown
    ldx TBLX
    cpx #ROWS-1
    bcs .scroll
    inc TBLX
    jmp setRow
.scroll
    jmp scrollUp

; Moves all rows up by one; the cursor's row is the last one, which is empty then.
scrollUp SUBROUTINE
    ldx #0
.row
    jsr setRowX
    lda LDTB1+1,x
    sta LDTB1,x
    lda rowLow+1,x
    sta SAL
    sta EAL
    lda rowHigh+1,x
    ora HIBASE
    sta SAL+1
    lda rowHigh+1,x
    ora #>COLOUR_RAM
    sta EAL+1
    ldy #COLUMNS-1
.column
    lda (SAL),y
    sta (PNT),y
    lda (EAL),y
    sta (USER),y
    dey
    bpl .column
    inx
    cpx #ROWS-1
    bcc .row
    jsr clearRow
    lda #$80
    sta LDTB1                   ; whatever began above the screen begins here
    lda #ROWS-1
    sta TBLX
    jmp setRow

; Executes the control code in DATA.
control SUBROUTINE
    lda DATA
    ldx #15
.colour
    cmp colourCodes,x
    beq .setColour
    dex
    bpl .colour
    ldx #controlHandlers-controlCodes-1
.code
    cmp controlCodes,x
    beq .found
    dex
    bpl .code
    rts
.setColour
    stx COLOR
    rts
.found
    txa
    asl
    tax
    lda controlHandlers+1,x
    pha
    lda controlHandlers,x
    pha
    rts

colourCodes                     ; in the order of the colours
    .byte $90,$05,$1C,$9F,$9C,$1E,$1F,$9E,$81,$95,$96,$97,$98,$99,$9A,$9B

controlCodes
    .byte 13,141,17,145,29,157,19,147,20,148,18,146,14,142,8,9
controlHandlers
    .word carriageReturn-1, carriageReturn-1, rowDown-1, cursorUp-1, cursorRight-1, cursorLeft-1
    .word home-1, clearScreen-1, delete-1, insert-1, reverseOn-1, reverseOff-1
    .word lowerCase-1, upperCase-1, lockSet-1, unlockSet-1

carriageReturn SUBROUTINE
    lda #0
    sta RVS
    sta QTSW
    sta INSRT
    jsr nextRow
    ldx TBLX
    lda LDTB1,x
    bmi .done
    jmp nextRow                 ; the rest of a two-row line
.done
    rts

cursorUp SUBROUTINE
    ldx TBLX
    beq .done
    dec TBLX
    jmp setRow
.done
    rts

cursorRight SUBROUTINE
    inc PNTR
    lda PNTR
    cmp #COLUMNS
    bcc .done
    jmp nextRow
.done
    rts

cursorLeft SUBROUTINE
    dec PNTR
    bpl .done
    lda #0
    sta PNTR
    ldx TBLX
    beq .done
    lda #COLUMNS-1
    sta PNTR
    jmp cursorUp
.done
    rts

; Takes away the character left of the cursor; the rest of the row follows.
delete SUBROUTINE
    lda PNTR
    ora TBLX
    beq .done
    jsr cursorLeft
    ldy PNTR
.shift
    cpy #COLUMNS-1
    bcs .blank
    iny
    lda (PNT),y
    tax
    lda (USER),y
    dey
    sta (USER),y
    txa
    sta (PNT),y
    iny
    bne .shift
.blank
    lda #SPACE
    sta (PNT),y
.done
    rts

; Makes room at the cursor unless that would push a character off the row.
insert SUBROUTINE
    ldy #COLUMNS-1
    lda (PNT),y
    cmp #SPACE
    bne .done
.shift
    cpy PNTR
    beq .blank
    dey
    lda (PNT),y
    tax
    lda (USER),y
    iny
    sta (USER),y
    txa
    sta (PNT),y
    dey
    bpl .shift
.blank
    lda #SPACE
    sta (PNT),y
    lda COLOR
    sta (USER),y
.done
    rts

reverseOn
    lda #1
    sta RVS
    rts
reverseOff
    lda #0
    sta RVS
    rts

lowerCase
    lda VIC_MEMORY
    ora #2
    sta VIC_MEMORY
    rts
upperCase
    lda VIC_MEMORY
    and #%11111101
    sta VIC_MEMORY
    rts

lockSet
    lda #$80
    sta MODE
    rts
unlockSet
    lda #0
    sta MODE
    rts

; The next character of a line in A, 13 at its end. Lets the line be typed first where none is under way. Keeps X and Y.
lineIn SUBROUTINE
    txa
    pha
    tya
    pha
    lda CRSW
    bne .handOut
    lda TBLX
    sta INPUT_ROW
    lda PNTR
    sta INPUT_COLUMN
.wait
    lda NDX
    sta BLNSW
    sta AUTODN
    beq .wait
    sei
    jsr hideCursor
    jsr nextKey                 ; ends with CLI
    cmp #13
    beq .entered
    cmp #141
    beq .entered
    jsr screenOut
    jmp .wait
.entered
    lda #0
    sta QTSW
    jsr findLine
    lda #1
    sta CRSW
.handOut
    lda INPUT_LENGTH
    beq .end
    dec INPUT_LENGTH
    ldy #0
    lda (INPUT_POINTER),y
    inc INPUT_POINTER
    bne .convert
    inc INPUT_POINTER+1
.convert
    jsr toPetscii
    sta DATA
    jmp .done
.end
    sta CRSW
    lda #13
    sta DATA
.done
    pla
    tay
    pla
    tax
    lda DATA
    clc
    rts

; The typed line: from where reading began, when that is on the cursor's line, or from the line's start.
; Its trailing spaces do not count. The cursor goes to the line's last row.
findLine SUBROUTINE
    ldx TBLX
    lda LDTB1,x
    bmi .first
    dex
    bpl .first
    inx
.first
    ldy #0                      ; X: the line's first row, Y: first column
    cpx INPUT_ROW
    bne .start
    ldy INPUT_COLUMN
.start
    tya
    clc
    adc rowLow,x
    sta INPUT_POINTER
    lda rowHigh,x
    adc #0
    ora HIBASE
    sta INPUT_POINTER+1
    sty INPUT_LENGTH
    lda #COLUMNS
    stx TBLX
    cpx #ROWS-1
    bcs .length
    ldy LDTB1+1,x
    bmi .length
    inc TBLX
    lda #COLUMNS*2
.length
    sec
    sbc INPUT_LENGTH
    tay
.trim
    dey
    bmi .found
    lda (INPUT_POINTER),y
    cmp #SPACE
    beq .trim
.found
    iny
    sty INPUT_LENGTH
    jmp setRow

toPetscii SUBROUTINE
    and #%01111111
    cmp #$20
    bcc .letter
    cmp #$40
    bcc .done
    cmp #$60
    bcc .shifted
    adc #$3F                    ; $60-$7F to $A0-$BF; carry is set
    rts
.shifted
    ora #%10000000              ; $40-$5F to $C0-$DF
    rts
.letter
    ora #$40
.done
    rts

rowLow
ROW set 0
    repeat ROWS
    .byte <[ROW*COLUMNS]
ROW set ROW+1
    repend
rowHigh
ROW set 0
    repeat ROWS
    .byte >[ROW*COLUMNS]
ROW set ROW+1
    repend
