; The work of a frame: scroller, sprites, bars, logo, water, sky.

; A number in A, from a 16-bit xorshift generator (7, 9, 8).
nextRandom
    lda random+1
    lsr
    lda random
    ror
    eor random+1
    sta random+1
    ror
    eor random
    sta random
    eor random+1
    sta random+1
    rts

moveScroller SUBROUTINE
    dec fineScroll
    bpl .done
    lda #7
    sta fineScroll
    ldx #0
.shift
    lda TEXT_SCREEN+23*COLUMNS+1,x
    sta TEXT_SCREEN+23*COLUMNS,x
    inx
    cpx #COLUMNS-1
    bne .shift
    ldy #0
    lda (scrollPointer),y
    bne .character
    jsr restartScroll
    lda (scrollPointer),y
.character
    and #%00111111
    sta TEXT_SCREEN+23*COLUMNS+COLUMNS-1
    inc scrollPointer
    bne .done
    inc scrollPointer+1
.done
    rts

; ---- sprites: 0 sailing boat, 1 motor boat, 2-4 birds, 5 balloon, 6 car, 7 truck

LEAVES_AT       = 360           ; X where a sprite has left the picture

startSprites SUBROUTINE
    ldx #7
.sprite
    lda spriteBlocks,x
    sta BITMAP_COLOURS+$3F8,x
    sta TEXT_SCREEN+$3F8,x
    lda spriteColours,x
    sta VIC_SPRITE_COLOURS,x
    dex
    bpl .sprite
    lda #DARK_GREY
    sta VIC_SPRITE_MC0
    lda #WHITE
    sta VIC_SPRITE_MC1
    lda #%10100011
    sta VIC_MULTICOLOUR
    lda #%00000001
    sta VIC_EXPAND_X
    sta VIC_EXPAND_Y
    lda #%11000000              ; the traffic passes behind towers and hangers
    sta VIC_PRIORITY
    lda #%00111111              ; no traffic yet
    sta VIC_SPRITES_ON
    rts

moveSprites SUBROUTINE
    lda #0
    sta highBits
    ldx #7
.sprite
    clc
    lda spriteFraction,x
    adc speedFraction,x
    sta spriteFraction,x
    lda spriteX,x
    adc speed,x
    sta spriteX,x
    lda spriteXHigh,x
    adc speedHigh,x
    sta spriteXHigh,x
    bmi .leftOut
    beq .inside
    lda spriteX,x
    cmp #<LEAVES_AT
    bcc .inside
    lda #0
    sta spriteX,x
    sta spriteXHigh,x
    beq .inside
.leftOut
    lda #<[LEAVES_AT-1]
    sta spriteX,x
    lda #>[LEAVES_AT-1]
    sta spriteXHigh,x
.inside
    lda spritePhase,x
    clc
    adc phaseSpeed,x
    sta spritePhase,x
    ldy swings,x
    cpy #8
    beq .orbit
    tay
    lda sine,y
    ldy swings,x
.smaller
    lsr
    dey
    bne .smaller
    beq .setY
.orbit                          ; these sway over the whole width, slowly
    lda frame+1
    lsr
    lda frame
    ror                         ; half speed
    clc
    adc orbitPhase,x
    tay
    clc
    lda sine,y
    adc orbitLeft,x
    sta spriteX,x
    lda #0
    adc #0
    sta spriteXHigh,x
    ldy spritePhase,x
    lda sine,y
    lsr
    lsr
    lsr
    lsr
    lsr
.setY
    clc
    adc spriteY,x
    pha
    txa
    asl
    tay
    pla
    sta VIC+1,y
    lda spriteX,x
    sta VIC,y
    lda spriteXHigh,x
    lsr
    rol highBits
    dex
    bmi .moved
    jmp .sprite
.moved
    lda highBits
    sta VIC_SPRITES_X8

    ldx #2                      ; the birds' wings
.bird
    lda frame
    adc birdPhases-2,x
    lsr
    lsr
    lsr
    and #3
    tay
    lda birdBlocks,y
    sta BITMAP_COLOURS+$3F8,x
    inx
    cpx #5
    bne .bird
    rts

spriteBlocks
    .byte BOAT,MOTOR_BOAT,BIRD_UP,BIRD_UP,BIRD_UP,BALLOON,CAR,TRUCK
spriteColours
    .byte BROWN,LIGHT_BLUE,WHITE,LIGHT_GREY,WHITE,RED,YELLOW,GREEN
birdBlocks
    .byte BIRD_UP,BIRD_LEVEL,BIRD_DOWN,BIRD_LEVEL
birdPhases
    .byte 0,11,21

spriteFraction
    .byte 0,0,0,0,0,0,0,0
spriteX
    .byte 0,200,20,60,110,0,90,20
spriteXHigh
    .byte 0,0,0,0,0,0,0,1
speedFraction                   ; pixels per frame: fraction, whole, sign
    .byte 0,$A0,$90,$C0,$70,0,$40,$20
speed
    .byte 0,$FF,1,0,1,0,1,$FF
speedHigh
    .byte 0,$FF,0,0,0,0,0,$FF
spriteY
    .byte 159,174,100,112,106,98,136,136
spritePhase
    .byte 0,80,10,90,160,60,0,0
phaseSpeed
    .byte 2,3,2,3,2,1,0,0
swings                          ; height: sine shifted right; 8 orbits
    .byte 8,6,3,4,3,8,7,7
orbitPhase
    .byte 0,0,0,0,0,150
orbitLeft
    .byte 36,0,0,0,0,44

; One wave of 256 steps, 0 to 255, from two parabolas.
sine
STEP set 0
    repeat 128
    .byte 128+[STEP*[128-STEP]*127]/4096
STEP set STEP+1
    repend
STEP set 0
    repeat 128
    .byte 128-[STEP*[128-STEP]*128]/4096
STEP set STEP+1
    repend

; ---- colour bars

moveBars SUBROUTINE
    lda #BLACK
    ldx #BAR_LINES-1
.clear
    sta bars,x
    dex
    bpl .clear
    inc barPhase
    lda barPhase
    asl
    ldx #0
    jsr .draw
    lda barPhase
    clc
    adc #100
    ldx #BAR_HEIGHT
.draw
    tay
    lda sine,y
    lsr
    lsr
    lsr
    lsr
    tay                         ; 0-15
    lda #BAR_HEIGHT
    sta framePointer
.line
    lda barColours,x
    sta bars,y
    inx
    iny
    dec framePointer
    bne .line
    rts

BAR_HEIGHT      = 9
barColours
    .byte BLUE,BLUE,LIGHT_BLUE,CYAN,WHITE,CYAN,LIGHT_BLUE,BLUE,BLUE
    .byte BROWN,RED,ORANGE,LIGHT_RED,YELLOW,LIGHT_RED,ORANGE,RED,BROWN
bars
    ds BAR_LINES

; ---- a light that runs over the logo

shineLogo SUBROUTINE
    lda frame
    lsr
    bcs .done
    inc shine
    ldx #COLUMNS-1
.column
    txa
    sec
    sbc shine
    and #63
    tay
    lda shineColours,y
    sta COLOUR_RAM,x
    lda shineColours+1,y
    sta COLOUR_RAM+COLUMNS,x
    lda shineColours+2,y
    sta COLOUR_RAM+2*COLUMNS,x
    lda shineColours+3,y
    sta COLOUR_RAM+3*COLUMNS,x
    dex
    bpl .column
.done
    rts

shineColours
    ds 24,LIGHT_BLUE
    .byte CYAN,LIGHT_GREEN,WHITE,WHITE,LIGHT_GREEN,CYAN
    ds 37,LIGHT_BLUE

; ---- glitter on the water and twinkling stars

GLITTERS        = 8

glitter SUBROUTINE
    ldx #GLITTERS-1
.next
    stx glitterIndex
    jsr nextRandom
    and #7
    cmp #WATER_ROWS
    bcs .skip
    tay
    lda pictureRowLow+SKY_ROWS,y
    sta framePointer
    lda pictureRowHigh+SKY_ROWS,y
    sta framePointer+1
    jsr nextRandom
    cpx #GLITTERS/2
    bcs .anywhere
    and #15                     ; half of it below the sun
    cmp #SUN_RIGHT-SUN_LEFT
    bcs .skip
    adc #SUN_LEFT
    bne .column
.anywhere
    and #63
    cmp #COLUMNS
    bcs .skip
.column
    asl
    asl
    asl
    bcc .lowHalf
    inc framePointer+1
.lowHalf
    sta glitterCell
    lda random
    and #7
    ora glitterCell
    tay
    lda (framePointer),y
    beq .dark
    and #PLOT_2
    bne .skip                   ; something is in the water there
    beq .put                    ; always: dark again
.dark
    cpx #GLITTERS/2
    bcc .light
    lda random                  ; bits that chose neither line nor column
    and #%00011000
    bne .skip
.light
    lda random
    asl
    rol
    rol
    and #3
    tax
    lda glitters,x
    ldx glitterIndex
.put
    sta (framePointer),y
.skip
    dex
    bpl .next

    jsr nextRandom              ; one star
    and #63
    cmp #COLUMNS
    bcs .done
    sta glitterCell
    jsr nextRandom
    and #7
    cmp #STAR_ROWS
    bcs .done
    tax
    jsr pointAtRow
    ldy glitterCell
    ldx theme
    lda random
    bmi .bright
    inx
.bright
    lda themes+THEME_STAR,x
    sta (rowColour),y
.done
    rts

glitters
    .byte %00010101,%01010100,%01010101,%00010100

; ---- the sky: themes follow each other, row by row

startTheme SUBROUTINE
    lda #0
    sta theme
    sta themeRow
.row
    jsr applyTheme
    lda themeRow
    cmp #PICTURE_ROWS
    bcc .row
    rts

stepTheme SUBROUTINE
    lda themeRow
    cmp #PICTURE_ROWS
    bcs .wait
    lda frame
    and #7
    bne .done
    jmp applyTheme
.wait
    lda frame                   ; a theme stays for 1024 frames
    bne .done
    lda frame+1
    and #3
    bne .done
    sta themeRow
    lda theme
    clc
    adc #THEME_SIZE
    and #THEME_SIZE*4-1
    sta theme
.done
    rts

; Gives picture row themeRow the colours of the theme and goes on to the next.
applyTheme SUBROUTINE
    lda themeRow
    clc
    adc theme
    tay
    lda themes,y
    ldx themeRow
    sta bands,x
    jsr pointAtRow
    ldy theme
    lda themes+THEME_BRIDGE,y
    cpx #SKY_ROWS
    bcc .sky
    lda themes+THEME_FEET,y
    sta rowThird
    sta rowSunThird
    lda themes+THEME_WATER,y
    sta rowPair
    lda themes+THEME_GLITTER,y
    sta rowSunPair
    bcs .fill
.sky
    sta rowPair
    sta rowSunPair
    lda themes+THEME_STAR,y
    cpx #STAR_ROWS
    bcc .stars
    lda themes+THEME_HILL,y
    sta rowThird
    lda themes+THEME_SUN,y
    sta rowSunThird
    bcs .fill
.stars
    sta rowThird
    sta rowSunThird
.fill
    ldy #COLUMNS-1
.cell
    lda rowPair
    ldx rowThird
    cpy #SUN_RIGHT
    bcs .outside
    cpy #SUN_LEFT
    bcc .outside
    lda rowSunPair
    ldx rowSunThird
.outside
    sta (rowCell),y
    txa
    sta (rowColour),y
    dey
    bpl .cell
    inc themeRow
    rts

; Points rowCell and rowColour at picture row X. Keeps X.
pointAtRow
    lda cellRowLow,x
    sta rowCell
    sta rowColour
    lda cellRowHigh,x
    ora #>BITMAP_COLOURS
    sta rowCell+1
    lda cellRowHigh,x
    ora #>COLOUR_RAM
    sta rowColour+1
    rts

cellRowLow
ROW set PICTURE_ROW
    repeat PICTURE_ROWS
    .byte <[ROW*COLUMNS]
ROW set ROW+1
    repend
cellRowHigh
ROW set PICTURE_ROW
    repeat PICTURE_ROWS
    .byte >[ROW*COLUMNS]
ROW set ROW+1
    repend

    .byte BLACK                 ; above the first band
bands
    ds PICTURE_ROWS+1           ; the row below the picture stays black

THEME_STAR      = 15            ; bright, dim
THEME_HILL      = 17
THEME_SUN       = 18
THEME_BRIDGE    = 19            ; high nibble: towers and deck, low: cables
THEME_WATER     = 20            ; high nibble: glitter
THEME_GLITTER   = 21            ; below the sun
THEME_FEET      = 22
THEME_SIZE      = 32

themes
    ; dusk
    .byte 0,6,6,6,4,4,8,8,10,7, 10,4,4,6,6
    .byte LIGHT_GREY,LIGHT_BLUE,BROWN,YELLOW,$20,$A0,$70,RED
    ds 9
    ; night
    .byte 0,0,0,0,0,6,6,6,6,14, 6,6,6,0,0
    .byte WHITE,DARK_GREY,DARK_GREY,LIGHT_GREY,$9C,$E0,$F0,BROWN
    ds 9
    ; dawn
    .byte 0,6,6,4,4,14,14,10,15,7, 15,14,14,6,6
    .byte LIGHT_BLUE,PURPLE,DARK_GREY,WHITE,$20,$F0,$10,RED
    ds 9
    ; day
    .byte 6,6,14,14,14,14,3,3,3,1, 14,14,14,6,6
    .byte LIGHT_BLUE,LIGHT_BLUE,GREEN,YELLOW,$20,$30,$10,RED
    ds 9

; ---- the frame number in hexadecimal

showFrame SUBROUTINE
    lda frame+1
    ldx #0
    jsr .byte
    lda frame
    ldx #2
.byte
    pha
    lsr
    lsr
    lsr
    lsr
    jsr .digit
    pla
    and #15
.digit
    cmp #10
    bcc .decimal
    sbc #9+'0                   ; A is screen code 1; carry is set
    clc
.decimal
    adc #'0
    sta TEXT_SCREEN+STATUS_ROW*COLUMNS+STATUS_DIGITS,x
    inx
    rts
