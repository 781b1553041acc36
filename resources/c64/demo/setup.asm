; Screens, logo and texts.

; Both screens full of spaces, the bitmap empty. A row that is blank in both hides the moment the mode changes.
clearScreens SUBROUTINE
    ldx #0
.page
    lda #SPACE
    sta TEXT_SCREEN,x
    sta TEXT_SCREEN+$100,x
    sta TEXT_SCREEN+$200,x
    sta TEXT_SCREEN+$2E8,x
    sta BITMAP_COLOURS,x
    sta BITMAP_COLOURS+$100,x
    sta BITMAP_COLOURS+$200,x
    sta BITMAP_COLOURS+$2E8,x
    lda #LIGHT_BLUE
    sta COLOUR_RAM,x
    sta COLOUR_RAM+$100,x
    sta COLOUR_RAM+$200,x
    sta COLOUR_RAM+$2E8,x
    inx
    bne .page
    lda #<BITMAP
    sta pointer
    lda #>BITMAP
    sta pointer+1
    ldx #32                     ; pages
    ldy #0
.bitmap
    lda #0
    sta (pointer),y
    iny
    bne .bitmap
    inc pointer+1
    dex
    bne .bitmap
    rts

; The name in letters of four by four characters, from the glyphs in the character ROM.
drawLogo SUBROUTINE
    lda PROCESSOR_PORT
    pha
    and #%11111011              ; character ROM at $D000
    sta PROCESSOR_PORT
    ldx #0                      ; letter
.letter
    lda logoText,x
    and #%00111111
    sta pointer
    lda #0
    sta pointer+1
    asl pointer
    rol pointer+1
    asl pointer
    rol pointer+1
    asl pointer
    rol pointer+1
    lda pointer+1
    ora #$D0
    sta pointer+1
    txa
    pha
    asl
    asl
    tax                         ; screen column
    ldy #0
.rows
    lda (pointer),y
    sta plotX                   ; upper row of pixels
    iny
    lda (pointer),y
    sta plotY                   ; lower row
    iny
    sty endY
    lda #4
    sta endX
.cell
    lda #0
    asl plotX
    rol
    asl plotX
    rol
    asl plotY
    rol
    asl plotY
    rol
    tay
    lda quadrants,y
.store
    sta TEXT_SCREEN,x           ; its address is set below, a row further each time
    inx
    dec endX
    bne .cell
    dex
    dex
    dex
    dex
    lda .store+1
    clc
    adc #COLUMNS
    sta .store+1
    ldy endY
    cpy #8
    bcc .rows
    lda #<TEXT_SCREEN
    sta .store+1
    pla
    tax
    inx
    cpx #10
    bcc .letter
    pla
    sta PROCESSOR_PORT
    rts

quadrants                       ; screen codes by bits: upper left, upper right, lower left, lower right
    .byte $20,$6C,$7B,$62,$7C,$E1,$FF,$FE,$7E,$7F,$61,$FC,$E2,$FB,$EC,$A0

printTexts SUBROUTINE
    ldx #0
.subtitle
    lda subtitleText,x
    beq .subtitleDone
    and #%00111111
    sta TEXT_SCREEN+4*COLUMNS+3,x
    inx
    bne .subtitle
.subtitleDone
    ldx #0
.status
    lda statusText,x
    beq .statusDone
    and #%00111111
    sta TEXT_SCREEN+STATUS_ROW*COLUMNS,x
    lda #DARK_GREY
    sta COLOUR_RAM+STATUS_ROW*COLUMNS,x
    lda #GREY
    sta COLOUR_RAM+4*COLUMNS,x
    inx
    bne .status
.statusDone
    ldx #COLUMNS-1
.scrollColour                   ; darker towards both ends
    txa
    cmp #COLUMNS/2
    bcc .left
    eor #$FF
    adc #COLUMNS-1              ; 39 - X; carry is set
.left
    cmp #6
    bcc .end
    lda #6
.end
    tay
    lda scrollColours,y
    sta COLOUR_RAM+23*COLUMNS,x
    dex
    bpl .scrollColour
restartScroll
    lda #<scrollText
    sta scrollPointer
    lda #>scrollText
    sta scrollPointer+1
    rts

scrollColours
    .byte BLUE,BLUE,LIGHT_BLUE,LIGHT_BLUE,CYAN,CYAN,WHITE
