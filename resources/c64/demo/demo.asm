; A demonstration: a logo from the character ROM, a bridge that is drawn while you watch, sky and sea of raster splits,
; eight sprites, a scroller and a little music. PAL or NTSC; STOP + RESTORE ends it.
;
; $0400 text screen      $0840 sprites      $0C00 colours of the bitmap
; $1000 program          $2000 bitmap

    processor 6502
    include "c64.inc"

TEXT_SCREEN     = $0400
SPRITES         = $0840
BITMAP_COLOURS  = $0C00
BITMAP          = $2000

COLUMNS         = 40
PICTURE_ROW     = 5             ; the picture's first row on the screen
SKY_ROWS        = 10
STAR_ROWS       = 6             ; of them with stars; hills and sun are below
WATER_ROWS      = 5
PICTURE_ROWS    = SKY_ROWS+WATER_ROWS
HORIZON         = SKY_ROWS*8    ; in picture lines, 0 at its top
FIRST_LINE      = 51            ; raster line of the first row
SUN_LEFT        = 15            ; columns of the sun and its glitter
SUN_RIGHT       = 25
PICTURE_LINE    = FIRST_LINE+PICTURE_ROW*8
PICTURE         = BITMAP+PICTURE_ROW*COLUMNS*8

; zero page
pointer         = $02           ; of the main program
plotX           = $04           ; 0-159
plotY           = $05           ; picture line
plotPattern     = $06           ; PLOT_1, 2 or 3
endX            = $07
endY            = $08
curveX          = $09
curveY          = $0A           ; 8.8 fixed point
velocity        = $0C
deceleration    = $0E
curveStep       = $0F
curveCount      = $10
seed            = $11           ; of the hills
dissolveAt      = $12           ; offset in the picture
scratch         = $14
framePointer    = $20           ; of the frame's work
frame           = $22           ; counts frames, low byte first
frameBusy       = $24
split           = $25           ; raster split that comes next
fineScroll      = $26
scrollPointer   = $27
barPhase        = $29
shine           = $2A
random          = $2B
theme           = $2D           ; offset in themes
themeRow        = $2E           ; picture row that takes the theme next
rowCell         = $2F           ; pointers: colours of a row
rowColour       = $31
rowPair         = $33           ; and what they become, outside and inside the sun's columns
rowSunPair      = $34
rowThird        = $35
rowSunThird     = $36
highBits        = $37
glitterIndex    = $38
tuneStep        = $39
tuneWait        = $3A
glitterCell     = $3B
bandLine        = $3C

    org $0801
    .word stubEnd, 10
    .byte $9E,"4096",0          ; 10 SYS4096
stubEnd
    .word 0

    at SPRITES
    include "sprites.asm"

    at $1000
entry SUBROUTINE
    sei
    lda #%01111111              ; no timer interrupt
    sta CIA1_INTERRUPT
    lda CIA1_INTERRUPT
    lda #0
    ldx #$02
.clear
    sta $00,x
    inx
    cpx #$40
    bne .clear
    sta VIC_BORDER
    sta VIC_BACKGROUND
    sta VIC_SPRITES_ON
    lda #$5A
    sta random
    lda #$C3
    sta random+1
    jsr clearScreens
    jsr drawLogo
    jsr printTexts
    jsr startTheme
    jsr startSprites
    jsr startTune
    jsr startRaster
    cli
.picture
    jsr drawPicture
    lda #%11111111              ; now there is a deck for the car and the truck
    sta VIC_SPRITES_ON
    ldx #60                     ; times 64 frames, more than a minute
.hold
    ldy #64
    jsr waitFrames
    dex
    bne .hold
    lda #%00111111
    sta VIC_SPRITES_ON
    jsr dissolve
    inc seed
    jmp .picture

; Waits Y frames. Keeps X.
waitFrames SUBROUTINE
.next
    lda frame
.same
    cmp frame
    beq .same
    dey
    bne .next
    rts

    include "setup.asm"
    include "raster.asm"
    include "picture.asm"
    include "motion.asm"
    include "tune.asm"
    include "text.asm"

    at BITMAP
