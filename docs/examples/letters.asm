; Fills the top of the screen with all characters, and counts in the border.
        lda #0
        sta $d020
start   ldx #0
loop    txa
        sta $0400,x
next    inc counter
        lda counter
        sta $d020
        inx
        bne loop
        jmp start
counter   .byte 0
