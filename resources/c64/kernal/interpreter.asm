; The prompt: reads lines and executes RUN, SYS, POKE, PRINT, LIST, NEW, HELP. RUN understands the same statements in
; a loaded program, which is enough for the `10 SYS 2061` that machine-code programs begin with.

STACK_TOP       = $FA           ; where the stack begins at the prompt
LEFT            = $62           ; left operand; number being printed
RESULT          = $64
OPEN_LINE       = $0B           ; PRINT: not 0 after a separator
WRITE           = $0C           ; crunch: next byte to write

    mac pushValue
    lda VALUE
    pha
    lda VALUE+1
    pha
    endm

    mac popLeft
    pla
    sta LEFT+1
    pla
    sta LEFT
    endm

coldStart SUBROUTINE
    lda #<$0801
    sta TXTTAB
    lda #>$0801
    sta TXTTAB+1
    lda MEMEND
    sta MEMSIZ
    sta FRETOP
    lda MEMEND+1
    sta MEMSIZ+1
    sta FRETOP+1
    lda #0
    sta $0800
    jsr new
    jsr setBasicVectors
    cli
    lda #<banner
    ldy #>banner
    jsr printText

ready
    ldx #STACK_TOP
    txs
    lda #$80
    sta MSGFLG
    lda #<readyText
    ldy #>readyText
    jsr printText
nextLine
    jmp (IMAIN)

setBasicVectors SUBROUTINE
    lda #<syntaxError
    sta IERROR
    lda #>syntaxError
    sta IERROR+1
    lda #<mainLoop
    sta IMAIN
    lda #>mainLoop
    sta IMAIN+1
    rts

mainLoop SUBROUTINE
    ldx #STACK_TOP
    txs
    jsr readLine
    jsr current
    beq nextLine
    jsr isDigit
    bcc .number
    jsr crunch
    lda #$80
    sta MSGFLG
    jmp execute
.number
    lda #<noLinesText
    ldy #>noLinesText
    jmp error

; Reads a line into BUF with a zero behind it, and points TXTPTR there.
readLine SUBROUTINE
    ldx #0
.character
    jsr CHRIN
    cmp #13
    beq .end
    cpx #BUF_SIZE
    bcs .character
    sta BUF,x
    inx
    bne .character
.end
    lda #0
    sta BUF,x
    lda #13
    jsr CHROUT
    lda #<BUF
    sta TXTPTR
    lda #>BUF
    sta TXTPTR+1
    rts

; Letters that were typed with SHIFT become plain ones, except in texts.
unshift SUBROUTINE
    ldx #0
.next
    lda BUF,x
    beq .done
    cmp #QUOTE
    beq .quoted
    cmp #$C1
    bcc .keep
    cmp #$DB
    bcs .keep
    and #%01111111
    sta BUF,x
.keep
    inx
    bne .next
.quoted
    inx
    lda BUF,x
    beq .done
    cmp #QUOTE
    bne .quoted
    beq .keep
.done
    rts

; Replaces keywords in BUF by their tokens.
crunch SUBROUTINE
    jsr unshift
    ldx #0
    stx WRITE
.next
    lda BUF,x
    beq .end
    cmp #QUOTE
    beq .quoted
    cmp #'?
    bne .keyword
    lda #TOKEN_PRINT
    inx
    bne .store
.keyword
    jsr findKeyword
    bcs .token
    lda BUF,x
    inx
.store
    jsr .write
    bne .next                   ; always
.token
    jsr .write
    cmp #TOKEN_REM
    bne .next
.rest
    lda BUF,x
    beq .end
    inx
    jsr .write
    bne .rest                   ; always
.quoted
    jsr .write
    inx
    lda BUF,x
    beq .end
    cmp #QUOTE
    bne .quoted
    inx
    bne .store
.end
    ldy WRITE
    lda #0
    sta BUF,y
    rts
.write
    ldy WRITE
    sta BUF,y
    inc WRITE
    rts

; Carry set: BUF has a keyword at X; its token in A, X behind it. Otherwise X is kept.
findKeyword SUBROUTINE
    lda #<keywords
    sta WORD
    lda #>keywords
    sta WORD+1
    lda #TOKEN_END
    sta RESULT
    stx LEFT
.word
    ldx LEFT
    ldy #0
    lda (WORD),y
    clc
    beq .done                   ; end of the table
.compare
    lda (WORD),y
    beq .found
    cmp BUF,x
    bne .skip
    inx
    iny
    bne .compare
.skip
    jsr skipWord
    inc RESULT
    bne .word
.found
    lda RESULT
    sec
.done
    rts

; Moves WORD to the next keyword.
skipWord SUBROUTINE
    ldy #$FF
.character
    iny
    lda (WORD),y
    bne .character
    tya
    sec
    adc WORD
    sta WORD
    bcc .done
    inc WORD+1
.done
    rts

; Executes statements from TXTPTR to the end of the line or program.
execute SUBROUTINE
    jsr current
    beq .endOfLine
    cmp #':
    bne .statement
    jsr advance
    jmp execute
.statement
    jsr dispatch
    jsr current
    beq .endOfLine
    cmp #':
    beq execute
    jmp syntaxError
.endOfLine
    bit MSGFLG
    bmi .ready
nextProgramLine
    jsr STOP
    beq .stopped
    ldy #2
    lda (TXTPTR),y              ; high byte of the link: 0 ends the program
    beq .ready
    iny
    lda (TXTPTR),y
    sta CURLIN
    iny
    lda (TXTPTR),y
    sta CURLIN+1
    lda TXTPTR
    clc
    adc #5
    sta TXTPTR
    bcc execute
    inc TXTPTR+1
    bcs execute                 ; always
.ready
    jmp ready
.stopped
    lda #<stoppedText
    ldy #>stoppedText
    jmp error

; Calls the handler of the token in A, with TXTPTR behind it.
dispatch SUBROUTINE
    ldx #statementHandlers-statementTokens-1
.token
    cmp statementTokens,x
    beq .found
    dex
    bpl .token
    jmp (IERROR)
.found
    txa
    asl
    tax
    lda statementHandlers+1,x
    pha
    lda statementHandlers,x
    pha

advance SUBROUTINE
    inc TXTPTR
    bne .done
    inc TXTPTR+1
.done
    rts

statementTokens
    .byte TOKEN_END, TOKEN_RUN, TOKEN_REM, TOKEN_LOAD, TOKEN_SAVE, TOKEN_POKE
    .byte TOKEN_PRINT, TOKEN_LIST, TOKEN_CLR, TOKEN_SYS, TOKEN_NEW, TOKEN_HELP
statementHandlers
    .word ready-1, run-1, rem-1, noDevice-1, noDevice-1, poke-1
    .word print-1, list-1, clr-1, sys-1, new-1, help-1

run SUBROUTINE
    ldx #STACK_TOP
    txs
    ldy #1
    lda (TXTTAB),y
    beq .none
    lda TXTTAB
    sec
    sbc #1
    sta TXTPTR
    lda TXTTAB+1
    sbc #0
    sta TXTPTR+1
    lda #0
    sta MSGFLG
    jmp nextProgramLine
.none
    lda #<noProgramText
    ldy #>noProgramText
    jmp error

rem SUBROUTINE
    ldy #0
    lda (TXTPTR),y
    beq clr
    jsr advance
    jmp rem
clr
    rts

noDevice
    lda #<noDeviceText
    ldy #>noDeviceText
    jmp error

; SYS address: registers come from and return to $030C-$030F.
sys SUBROUTINE
    jsr expression
    jsr .call
    php
    sta SAREG
    stx SXREG
    sty SYREG
    pla
    sta SPREG
    cld
    rts
.call
    lda SPREG
    pha
    lda SAREG
    ldx SXREG
    ldy SYREG
    plp
    jmp (VALUE)

; POKE address, byte
poke SUBROUTINE
    jsr expression
    lda VALUE
    pha
    lda VALUE+1
    pha
    lda #',
    jsr expect
    jsr expression
    lda VALUE+1
    beq .byte
    jmp rangeError
.byte
    ldx VALUE
    pla
    sta VALUE+1
    pla
    sta VALUE
    txa
    ldy #0
    sta (VALUE),y
    rts

; PRINT texts and numbers, between them , or ;
print SUBROUTINE
    lda #0
    sta OPEN_LINE
.item
    jsr current
    beq .end
    cmp #':
    beq .end
    ldx #0
    stx OPEN_LINE
    cmp #QUOTE
    beq .text
    cmp #';
    beq .separator
    cmp #',
    beq .space
    jsr expression
    lda VALUE+1
    ldx VALUE
    jsr printNumber
    jmp .item
.space
    lda #SPACE
    jsr CHROUT
.separator
    inc OPEN_LINE
    jsr advance
    jmp .item
.text
    jsr advance
    ldy #0
    lda (TXTPTR),y
    beq .end
    cmp #QUOTE
    beq .closed
    jsr CHROUT
    jmp .text
.closed
    jsr advance
    jmp .item
.end
    lda OPEN_LINE
    bne .done
    lda #13
    jsr CHROUT
.done
    rts

; LIST shows every line. STOP ends it.
list SUBROUTINE
    lda TXTTAB
    sta LINE
    lda TXTTAB+1
    sta LINE+1
.line
    jsr STOP
    beq .done
    ldy #1
    lda (LINE),y
    beq .done
    lda #13
    jsr CHROUT
    ldy #2
    lda (LINE),y
    tax
    iny
    lda (LINE),y
    jsr printNumber
    lda #SPACE
    jsr CHROUT
    ldy #4
    ldx #0                      ; 1 between quotes
.character
    lda (LINE),y
    beq .follow
    cmp #QUOTE
    bne .noQuote
    pha
    txa
    eor #1
    tax
    pla
.noQuote
    cmp #TOKEN_END
    bcc .plain
    cpx #0
    bne .plain
    cmp #TOKEN_HELP
    bcs .plain
    jsr printKeyword
    jmp .next
.plain
    jsr CHROUT
.next
    iny
    bne .character
.follow
    ldy #0
    lda (LINE),y
    tax
    iny
    lda (LINE),y
    stx LINE
    sta LINE+1
    bne .line
.done
    lda #13
    jmp CHROUT

; Prints the keyword of token A. Keeps X and Y.
printKeyword SUBROUTINE
    sta RESULT
    txa
    pha
    tya
    pha
    lda #<keywords
    sta WORD
    lda #>keywords
    sta WORD+1
.skip
    dec RESULT
    bpl .print
    jsr skipWord
    jmp .skip
.print
    lda WORD
    ldy WORD+1
    jsr printText
    pla
    tay
    pla
    tax
    rts

; Empties the program.
new SUBROUTINE
    ldy #0
    tya
    sta (TXTTAB),y
    iny
    sta (TXTTAB),y
    lda TXTTAB
    clc
    adc #2
    sta VARTAB
    sta ARYTAB
    sta STREND
    lda TXTTAB+1
    adc #0
    sta VARTAB+1
    sta ARYTAB+1
    sta STREND+1
    rts

help
    lda #<helpText
    ldy #>helpText

; Prints the text at A (low), Y (high), which ends with a zero.
printText SUBROUTINE
    sta TEXT
    sty TEXT+1
    ldy #0
.character
    lda (TEXT),y
    beq .done
    jsr CHROUT
    iny
    bne .character
    inc TEXT+1
    bne .character
.done
    rts

syntaxError
    lda #<syntaxText
    ldy #>syntaxText
    jmp error
rangeError
    lda #<rangeText
    ldy #>rangeText

; Prints the message at A, Y, with the line number in a program, and goes back to the prompt.
error SUBROUTINE
    pha
    lda #13
    jsr CHROUT
    pla
    jsr printText
    bit MSGFLG
    bmi .direct
    lda #<inLineText
    ldy #>inLineText
    jsr printText
    lda CURLIN+1
    ldx CURLIN
    jsr printNumber
.direct
    lda #13
    jsr CHROUT
    jmp ready

; Prints the number A (high), X (low) in decimal.
printNumber SUBROUTINE
    sta LEFT+1
    stx LEFT
    ldy #0                      ; not 0 once a digit has been printed
    ldx #4
.digit
    lda #'0
    sta RESULT
.subtract
    lda LEFT
    sec
    sbc powersLow,x
    pha
    lda LEFT+1
    sbc powersHigh,x
    bcc .smaller
    sta LEFT+1
    pla
    sta LEFT
    inc RESULT
    bne .subtract
.smaller
    pla
    lda RESULT
    cmp #'0
    bne .print
    cpy #0
    bne .print
    cpx #0
    bne .skip
.print
    jsr CHROUT
    iny
.skip
    dex
    bpl .digit
    rts

powersLow
    .byte <1, <10, <100, <1000, <10000
powersHigh
    .byte >1, >10, >100, >1000, >10000

; Expressions: 16-bit numbers without sign, + - *, brackets, PEEK. The result is in VALUE.
expression SUBROUTINE
    jsr term
.next
    jsr current
    cmp #TOKEN_PLUS
    beq .operator
    cmp #TOKEN_MINUS
    beq .operator
    rts
.operator
    pha
    jsr advance
    pushValue
    jsr term
    popLeft
    pla
    cmp #TOKEN_MINUS
    beq .minus
    clc
    lda LEFT
    adc VALUE
    sta VALUE
    lda LEFT+1
    adc VALUE+1
    sta VALUE+1
    jmp .next
.minus
    sec
    lda LEFT
    sbc VALUE
    sta VALUE
    lda LEFT+1
    sbc VALUE+1
    sta VALUE+1
    jmp .next

term SUBROUTINE
    jsr factor
.next
    jsr current
    cmp #TOKEN_TIMES
    bne .done
    jsr advance
    pushValue
    jsr factor
    popLeft
    lda #0
    sta RESULT
    sta RESULT+1
    ldx #16
.bit
    lsr LEFT+1
    ror LEFT
    bcc .double
    clc
    lda RESULT
    adc VALUE
    sta RESULT
    lda RESULT+1
    adc VALUE+1
    sta RESULT+1
.double
    asl VALUE
    rol VALUE+1
    dex
    bne .bit
    lda RESULT
    sta VALUE
    lda RESULT+1
    sta VALUE+1
    jmp .next
.done
    rts

factor SUBROUTINE
    jsr current
    cmp #'(
    beq .brackets
    cmp #TOKEN_PEEK
    beq .peek
    cmp #'$
    beq .hexadecimal
    jsr isDigit
    bcc .decimal
    jmp syntaxError
.brackets
    jsr advance
    jsr expression
    lda #')
    jmp expect
.peek
    jsr advance
    jsr factor
    ldy #0
    lda (VALUE),y
    sta VALUE
    sty VALUE+1
    rts

.decimal
    jsr clearValue
.decimalDigit
    ldy #0
    lda (TXTPTR),y
    jsr isDigit
    bcs .end
    and #$0F
    pha
    lda VALUE
    sta LEFT
    lda VALUE+1
    sta LEFT+1
    jsr doubleValue
    jsr doubleValue             ; 4 times
    lda VALUE
    adc LEFT                    ; 5 times; carry is clear
    sta VALUE
    lda VALUE+1
    adc LEFT+1
    sta VALUE+1
    bcs .tooLarge
    jsr doubleValue             ; 10 times
    pla
    jsr addDigit
    jmp .decimalDigit
.tooLarge
    jmp rangeError

.hexadecimal
    jsr advance
    jsr clearValue
.hexDigit
    ldy #0
    lda (TXTPTR),y
    jsr isDigit
    bcc .hexValue
    cmp #'A
    bcc .end
    cmp #'F+1
    bcs .end
    sbc #'A-11                  ; carry is clear: takes one more
.hexValue
    and #$0F
    pha
    ldx #4
.shift
    jsr doubleValue
    dex
    bne .shift
    pla
    jsr addDigit
    jmp .hexDigit
.end
    rts

; Doubles VALUE, carry clear; fails above 65535.
doubleValue SUBROUTINE
    asl VALUE
    rol VALUE+1
    bcs .tooLarge
    rts
.tooLarge
    jmp rangeError

; Adds A to VALUE and takes the digit from the text.
addDigit SUBROUTINE
    clc
    adc VALUE
    sta VALUE
    bcc .done
    inc VALUE+1
    bne .done
    jmp rangeError
.done
    jmp advance

clearValue
    lda #0
    sta VALUE
    sta VALUE+1
    rts

; Carry clear: A is a digit. Keeps A.
isDigit SUBROUTINE
    cmp #'0
    bcc .no
    cmp #'9+1
    rts
.no
    sec
    rts

; The next character that is no space in A, not taken; Z set at the end of the line.
current SUBROUTINE
    ldy #0
    lda (TXTPTR),y
    cmp #SPACE
    bne .done
    jsr advance
    jmp current
.done
    cmp #0
    rts

; Takes character A or fails.
expect SUBROUTINE
    sta RESULT
    jsr current
    cmp RESULT
    bne .wrong
    jmp advance
.wrong
    jmp syntaxError
