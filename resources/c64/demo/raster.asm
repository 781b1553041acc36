; Raster splits. Each interrupt comes two lines before its handler writes, because bad lines, sprites and the main program
; delay it by up to one and a half; the handler then waits for the start of the line. Where the mode changes, the rows are
; blank in both modes and the background is black, so that a few cycles do not matter.

BAR_LINES       = 24

    mac waitForNextLine         ; uses X
    ldx VIC_RASTER
.wait
    cpx VIC_RASTER
    beq .wait
    endm

    mac waitForLine             ; a line below 256; uses X
    ldx #{1}-1
.wait
    cpx VIC_RASTER
    bcs .wait
    endm

startRaster SUBROUTINE
    lda #0
    sta split
    jsr armSplit
    lda #$1B
    sta VIC_CONTROL_1
    lda #%00000001
    sta VIC_IRQ_MASK
    sta VIC_IRQ
    rts

; Requests the interrupt of split and enters its handler.
armSplit SUBROUTINE
    lda #%00000001
    sta VIC_IRQ                 ; first: the line requested may be this one
    ldx split
    lda splitLines,x
    sta VIC_RASTER
    lda splitHandlersLow,x
    sta CINV
    lda splitHandlersHigh,x
    sta CINV+1
    inc split
    rts

splitEnd
    jsr armSplit
    jmp $EA81

BITMAP_LINE     = PICTURE_LINE-1
FIRST_BAND      = PICTURE_LINE+3
TEXT_LINE       = PICTURE_LINE+PICTURE_ROWS*8+7
SCROLLER_LINE   = FIRST_LINE+23*8-1
SCROLLER_END    = SCROLLER_LINE+10

splitLines                      ; two lines before each takes effect
    .byte 20, BITMAP_LINE-2
BAND set 0
    repeat PICTURE_ROWS
    .byte FIRST_BAND+BAND*8-2
BAND set BAND+1
    repend
    .byte FIRST_BAND+PICTURE_ROWS*8-4-2
    .byte TEXT_LINE-2, SCROLLER_LINE-2, SCROLLER_END-2, 250
SPLIT_BANDS     = 2             ; number of the first band's split

splitHandlersLow
    .byte <upperBars, <toBitmap
    repeat PICTURE_ROWS+1
    .byte <skyBand
    repend
    .byte <toText, <toScroller, <fromScroller, <frameEnd
splitHandlersHigh
    .byte >upperBars, >toBitmap
    repeat PICTURE_ROWS+1
    .byte >skyBand
    repend
    .byte >toText, >toScroller, >fromScroller, >frameEnd

; Colour bars in the upper and lower border, from the table of this frame.
upperBars SUBROUTINE
    ldy #0
.line
    lda bars,y
    waitForNextLine
    sta VIC_BORDER
    iny
    cpy #BAR_LINES
    bne .line
    lda #BLACK
    waitForNextLine
    sta VIC_BORDER
    jmp splitEnd

toBitmap SUBROUTINE
    lda #$38                    ; colours $0C00, bitmap $2000
    waitForLine BITMAP_LINE
    sta VIC_MEMORY              ; first: until the mode follows, characters are read from the empty rows of the bitmap
    lda #$D8
    sta VIC_CONTROL_2
    lda #$3B
    sta VIC_CONTROL_1
    jmp splitEnd

; The next sky colour: one line of it, one of the colour above, then it stays.
skyBand SUBROUTINE
    ldx split                   ; one further already
    lda splitLines-1,x
    sta bandLine
    ldy bands-SPLIT_BANDS-2,x
    lda bands-SPLIT_BANDS-1,x
    ldx bandLine
    inx
.wait
    cpx VIC_RASTER
    bcs .wait
    sta VIC_BACKGROUND
    waitForNextLine
    sty VIC_BACKGROUND
    waitForNextLine
    sta VIC_BACKGROUND
    jmp splitEnd

toText SUBROUTINE
    lda #$1B
    waitForLine TEXT_LINE
    sta VIC_CONTROL_1
    lda #$14
    sta VIC_MEMORY
    lda #$C8
    sta VIC_CONTROL_2
    jmp splitEnd

toScroller SUBROUTINE
    lda fineScroll
    ora #$C0                    ; 38 columns
    ldy #BLUE
    waitForLine SCROLLER_LINE
    sty VIC_BACKGROUND
    sta VIC_CONTROL_2
    jmp splitEnd

fromScroller SUBROUTINE
    ldy #BLACK
    lda #$C8
    waitForLine SCROLLER_END
    sty VIC_BACKGROUND
    sta VIC_CONTROL_2
    jmp splitEnd

; The lower bars, then the work of the frame, which the next frame's splits may interrupt.
frameEnd SUBROUTINE
    ldy #BAR_LINES-1
.line
    lda bars,y
    waitForNextLine
    sta VIC_BORDER
    dey
    bpl .line
    lda #BLACK
    waitForNextLine
    sta VIC_BORDER
    sta split
    jsr armSplit
    inc frame
    bne .counted
    inc frame+1
.counted
    lda frameBusy
    bne .done
    inc frameBusy
    cli
    jsr moveScroller
    jsr moveSprites
    jsr moveBars
    jsr shineLogo
    jsr glitter
    jsr stepTheme
    jsr playTune
    jsr showFrame
    sei
    dec frameBusy
.done
    jmp $EA81
