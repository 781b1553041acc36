; The scroller's font: 64 characters at $3000, converted by tools/font.
        org $3000
        incbin "font.bin"
