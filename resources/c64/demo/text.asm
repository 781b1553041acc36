; Texts, in upper-case ASCII; the bits above 5 are taken off for the screen. 0 ends a text.

logoText
    .byte "BRIDGEDECK"
subtitleText
    .byte "THE COMMODORE 64 YOU CAN LOOK INTO",0
statusText
    .byte "BITMAP $2000  SPRITES $0840  FRAME $    ",0
STATUS_ROW      = 21
STATUS_DIGITS   = 36            ; column of the frame number
scrollText
    .byte "BRIDGEDECK SHOWS A C64 WHILE IT RUNS: ITS MEMORY, ITS PICTURE, ITS CHIPS ...   "
    .byte "THE SKY IS ONE COLOUR REGISTER, $D021, CHANGED SIXTEEN TIMES ON THE WAY DOWN ...   "
    .byte "THE BRIDGE IS DRAWN INTO THE BITMAP AT $2000. WATCH IT IN THE HEAT MAP ...   "
    .byte "EIGHT SPRITES: TWO BOATS, THREE BIRDS, A BALLOON, A CAR AND A TRUCK ...   "
    .byte "SWITCH TO ANOTHER VIEW AND FIND THIS TEXT IN MEMORY ...          ",0
