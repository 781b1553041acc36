; RUN: copies the stub to its place, starts it and says so.

    org $0801
    .word loaderEnd, 10
    .byte $9E,"2061",0          ; 10 SYS2061
loaderEnd
    .word 0

loader SUBROUTINE
    ldx #CODE_PAGES
    ldy #0
.byte
.from
    lda image,y
.to
    sta STUB,y
    iny
    bne .byte
    inc .from+2
    inc .to+2
    dex
    bne .byte
    jsr STUB
.character
    lda .message,y
    beq .end
    jsr CHROUT
    iny
    bne .character
.end
    rts

.message
    .byte "BRIDGEDECK STUB: SYS",13
    .byte "50176 38400 BAUD (NOW)",13
    .byte "50179 57600, 50182 115200, 50185 230400",13,0
