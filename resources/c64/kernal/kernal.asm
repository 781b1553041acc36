; Bridgedeck's operating system ROM for the C64, $E000-$FFFF. Our own work; only its entry points are Commodore's,
; because programs call them by address.

    processor 6502
    include "c64.inc"

    org $E000
    include "words.asm"
    include "entries.asm"
    include "interrupt.asm"     ; $EA31
    include "keyboard.asm"
    include "screen.asm"
    include "interpreter.asm"
    include "devices.asm"
    include "reset.asm"         ; $FCE2
    include "jumptable.asm"     ; $FF81
