    processor 6502
    include "c64.inc"
    org $0801
    .word nextLine, 10
    .byte $9E,"2061",0
nextLine
    .word 0
    org $080D
entry
    inc $D020
    jmp entry
