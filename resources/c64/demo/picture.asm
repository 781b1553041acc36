; The picture, 160 by 120 pixels in multicolour: stars, hills, sun and bridge.

PLOT_1          = %01010101     ; high nibble of the cell's colours: towers and deck; in the water: glitter
PLOT_2          = %10101010     ; low nibble: cables
PLOT_3          = %11111111     ; colour RAM: stars, hills, sun; in the water: feet of the towers

DECK            = 66            ; picture line
TOWER_TOP       = 10
TOWER_FOOT      = 92
LEFT_TOWER      = 43
RIGHT_TOWER     = 111
STARS           = 40

drawPicture SUBROUTINE
    jsr drawStars
    jsr drawHills
    jsr drawSun
    jsr drawDeck
    lda #LEFT_TOWER
    jsr drawTower
    lda #RIGHT_TOWER
    jsr drawTower

    lda #<670                   ; between the towers: down and up again
    ldy #>670
    ldx #LEFT_TOWER+3
    jsr startCable
    lda #RIGHT_TOWER-LEFT_TOWER
    ldy #20
    jsr drawCable
    lda #<425                   ; from the left tower to the left edge
    ldy #>425
    ldx #LEFT_TOWER+2
    jsr startCable
    dec curveStep
    dec curveStep
    lda #LEFT_TOWER+3
    ldy #6
    jsr drawCable
    lda #<425
    ldy #>425
    ldx #RIGHT_TOWER+3
    jsr startCable
    lda #160-RIGHT_TOWER-3
    ldy #6

; Draws A columns of a cable and its hangers from curveX, curveY; Y is taken from the velocity after each.
drawCable SUBROUTINE
    sta curveCount
    sty deceleration
.column
    lda curveX
    sta plotX
    lda curveY+1
    pha
    clc
    lda curveY
    adc velocity
    sta curveY
    lda curveY+1
    adc velocity+1
    sta curveY+1
    sec
    lda velocity
    sbc deceleration
    sta velocity
    bcs .noBorrow
    dec velocity+1
.noBorrow
    pla
    cmp curveY+1
    bcc .falling
    ldx curveY+1                ; rising: from the new height to the old
    stx plotY
    sta endY
    bcs .draw
.falling
    sta plotY
    lda curveY+1
    sta endY
.draw
    lda #PLOT_2
    sta plotPattern
    jsr drawDown
    lda curveX
    and #3
    bne .noHanger
    lda #DECK-1
    sta endY
    jsr drawDown
.noHanger
    ldy #1
    jsr waitFrames
    lda curveX
    clc
    adc curveStep
    sta curveX
    dec curveCount
    bne .column
    rts

; A cable that starts at column X at the top of a tower, to the right, with velocity A, Y.
startCable
    sta velocity
    sty velocity+1
    stx curveX
    lda #TOWER_TOP+3
    sta curveY+1
    lda #0
    sta curveY
    lda #1
    sta curveStep
    rts

drawStars SUBROUTINE
    lda #PLOT_3
    sta plotPattern
    ldx #STARS
.star
    txa
    pha
.pick
    jsr randomForPicture
    cmp #160
    bcs .pick
    sta plotX
    jsr randomForPicture
    jsr randomForPicture
    and #%00111111
    cmp #STAR_ROWS*8
    bcs .pick
    sta plotY
    jsr plot
    ldy #1
    jsr waitFrames
    pla
    tax
    dex
    bne .star
    rts

; The frame's work uses the generator too.
randomForPicture
    sei
    jsr nextRandom
    cli
    rts

; Hills on both sides of the sun, from two waves that start where the seed says.
drawHills SUBROUTINE
    lda #PLOT_3
    sta plotPattern
    lda #0
    sta plotX
.column
    lda seed
    asl
    asl
    asl
    asl
    asl
    clc
    adc plotX
    sta scratch                 ; slow wave
    adc plotX
    adc plotX
    tay
    lda sine,y
    lsr
    lsr
    lsr
    lsr
    lsr
    sta endY
    ldy scratch
    lda sine,y
    lsr
    lsr
    lsr
    lsr
    clc
    adc endY
    sta scratch                 ; height
    lda #SUN_LEFT*4              ; not higher than its distance from the sun
    sec
    sbc plotX
    bcs .distance
    lda plotX
    sbc #SUN_RIGHT*4-1           ; carry is clear: takes one more
    bcc .next
.distance
    cmp scratch
    bcs .limited
    sta scratch
.limited
    lda scratch
    beq .next
    lda #HORIZON
    sec
    sbc scratch
    sta plotY
    lda #HORIZON-1
    sta endY
    jsr drawDown
.next
    lda plotX
    lsr
    bcc .noWait
    ldy #1
    jsr waitFrames
.noWait
    inc plotX
    lda plotX
    cmp #160
    bne .column
    rts

; The upper half of a disc on the horizon, with lines left out that get closer towards its top.
drawSun SUBROUTINE
    lda #PLOT_3
    sta plotPattern
    ldx #0
.line
    stx scratch
    lda #HORIZON-1
    sec
    sbc scratch
    sta plotY
    lda sunWidths,x
    beq .next
    sta endX
    lda #80
    sec
    sbc endX
    sta plotX
    lda #79
    clc
    adc endX
    sta endX
    jsr drawRight
    ldy #2
    jsr waitFrames
.next
    ldx scratch
    inx
    cpx #sunWidthsEnd-sunWidths
    bne .line
    rts

sunWidths                       ; half widths from the horizon up
    .byte 16,16,16,0,0,16,16,15,0,0,15,14,14,0,13,13,12,0,11,10,9,8,6,3
sunWidthsEnd

drawDeck SUBROUTINE
    ldx #0
.line
    txa
    pha
    clc
    adc #DECK
    sta plotY
    lda deckPatterns,x
    sta plotPattern
    lda #0
    sta plotX
    lda #159
    sta endX
    jsr drawRight
    ldy #6
    jsr waitFrames
    pla
    tax
    inx
    cpx #4
    bne .line
    rts

deckPatterns
    .byte PLOT_1,PLOT_1,PLOT_1,PLOT_2

; A tower whose left edge is column A: two legs and cross-beams.
drawTower SUBROUTINE
    sta curveX
    lda #TOWER_TOP
    sta plotY
.line
    ldx #PLOT_1
    lda plotY
    cmp #HORIZON
    bcc .aboveWater
    ldx #PLOT_3
.aboveWater
    stx plotPattern
    lda curveX
    sta plotX
    ldx #beamsEnd-beams-1
.beam
    lda plotY
    cmp beams,x
    beq .full
    dex
    bpl .beam
    lda curveX
    clc
    adc #1
    jsr .part
    lda curveX
    clc
    adc #4
    sta plotX
.full
    lda curveX
    clc
    adc #5
    jsr .part
    ldy #1
    jsr waitFrames
    inc plotY
    lda plotY
    cmp #TOWER_FOOT
    bne .line
    rts
.part
    sta endX
    jmp drawRight

beams
    .byte TOWER_TOP,TOWER_TOP+1,TOWER_TOP+2,28,29,46,47,DECK,DECK+1,DECK+2,TOWER_FOOT-2,TOWER_FOOT-1
beamsEnd

; From plotX, plotY down to endY.
drawDown SUBROUTINE
.next
    jsr plot
    lda plotY
    cmp endY
    bcs .done
    inc plotY
    bne .next
.done
    rts

; From plotX, plotY to the right to endX.
drawRight SUBROUTINE
.next
    jsr plot
    lda plotX
    inc plotX
    cmp endX
    bcc .next
    rts

; Sets the pixel at plotX, plotY to plotPattern's colour.
plot SUBROUTINE
    lda plotY
    lsr
    lsr
    lsr
    tay
    lda #0
    sta pointer+1
    lda plotX
    and #%11111100
    asl
    rol pointer+1
    clc
    adc pictureRowLow,y
    sta pointer
    lda pointer+1
    adc pictureRowHigh,y
    sta pointer+1
    lda plotX
    and #3
    tax
    lda plotY
    and #7
    tay
    lda (pointer),y
    eor plotPattern
    and pixelKeep,x
    eor plotPattern
    sta (pointer),y
    rts

pixelKeep
    .byte %00111111,%11001111,%11110011,%11111100
pictureRowLow
ROW set 0
    repeat PICTURE_ROWS
    .byte <[PICTURE+ROW*COLUMNS*8]
ROW set ROW+1
    repend
pictureRowHigh
ROW set 0
    repeat PICTURE_ROWS
    .byte >[PICTURE+ROW*COLUMNS*8]
ROW set ROW+1
    repend

; Empties the picture byte by byte. The stride has no divisor in common with the size, so it meets every byte once.
PICTURE_SIZE    = PICTURE_ROWS*COLUMNS*8
STRIDE          = 1237

dissolve SUBROUTINE
    lda #0
    sta dissolveAt
    sta dissolveAt+1
.next
    lda dissolveAt
    clc
    adc #<PICTURE
    sta pointer
    lda dissolveAt+1
    adc #>PICTURE
    sta pointer+1
    ldy #0
    tya
    sta (pointer),y
    lda dissolveAt
    clc
    adc #<STRIDE
    sta dissolveAt
    lda dissolveAt+1
    adc #>STRIDE
    sta dissolveAt+1
    lda dissolveAt
    cmp #<PICTURE_SIZE
    lda dissolveAt+1
    sbc #>PICTURE_SIZE
    bcc .inside
    sta dissolveAt+1
    lda dissolveAt
    sbc #<PICTURE_SIZE          ; carry is set
    sta dissolveAt
.inside
    inc curveCount
    lda curveCount
    and #31
    bne .unpaced
    ldy #1
    jsr waitFrames
.unpaced
    lda dissolveAt
    ora dissolveAt+1
    bne .next
    rts
