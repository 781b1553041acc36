; The empty BASIC ROM, $A000-$BFFF: no interpreter, only the addresses at which programs enter BASIC. They lead to the
; prompt in our operating system ROM.

    processor 6502
    include "c64.inc"

COLD_START      = $E394
WARM_START      = $E37B
CHROUT          = $FFD2

    org $A000
    .word COLD_START, WARM_START
    .byte "BRIDGEDECK"

    at $A474                    ; READY.
    jmp WARM_START
    at $A533                    ; link the program's lines
    rts
    at $A659                    ; CLR and TXTPTR to the start
    rts
    at $A68E
    rts
    at $A7AE                    ; run the program: types it for the prompt
    ldx #runEnd-runText-1
copy
    lda runText,x
    sta KEYD,x
    dex
    bpl copy
    lda #runEnd-runText
    sta NDX
    jmp WARM_START
runText
    .byte "RUN",13
runEnd

    at $A871                    ; RUN
    jmp $A7AE

    at $AB1E                    ; print the text at A (low), Y (high), up to a zero
    sta TEXT
    sty TEXT+1
    ldy #0
character
    lda (TEXT),y
    beq done
    jsr CHROUT
    iny
    bne character
    inc TEXT+1
    bne character
done
    rts

    at $BFFF
    .byte 0
