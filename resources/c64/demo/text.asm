; Texts, in upper-case ASCII; the bits above 5 are taken off for the screen. 0 ends a text.

logoText
    .byte "BRIDGEDECK"
subtitleText
    .byte "THE COMMODORE 64 YOU CAN LOOK INTO",0
statusText
    .byte "BITMAP $2000 SPRITES $840 FRAME $22=    ",0
STATUS_ROW      = 21
STATUS_DIGITS   = 36            ; column of the frame number
scrollText
    .byte "BRIDGEDECK SHOWS A C64 WHILE IT RUNS ...   "
    .byte "CLICK A SPRITE BELOW THE SCREEN: MEMORY GOES TO ITS DATA AT $0840 ...   "
    .byte "IN MEMORY, GO TO $22, THE FRAME COUNTER: $22 NEVER STANDS STILL ...   "
    .byte "CLICK PAUSE AND THE SHIPS STOP. STEP, AND THE CPU GOES ON BY ONE INSTRUCTION ...   "
    .byte "CLICK RECORD, WAIT, STOP, AND GO BACK IN TIME IN THE TIMELINE ...   "
    .byte "THE BRIDGE IS DRAWN INTO THE BITMAP AT $2000. WATCH IT IN THE HEAT MAP ...   "
    .byte "THE SKY IS ONE COLOUR REGISTER, $D021, CHANGED SIXTEEN TIMES ON THE WAY DOWN ...   "
    .byte "DROP A PRG OF YOUR OWN HERE TO RUN IT ...          ",0
