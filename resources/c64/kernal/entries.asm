; Entry points in the middle of the ROM that programs call directly.

    at $E37B
warmStart                       ; STOP + RESTORE and BRK end here
    jsr CLRCHN
    jsr setBasicVectors
    cli
    jmp ready

    at $E394
    jmp coldStart

    at $E518
    jmp initScreen
    at $E544
    jmp clearScreen
    at $E566
    jmp home
    at $E56C
    jmp setRow
    at $E5A0
    jmp initVideo
    at $E5B4
    jmp nextKey
    at $E716
    jmp screenOut
    at $E8EA
    jmp scrollUp
    at $E9FF
    jmp clearRow
