; Colour bars: one write to $D021 a raster line, timed on the line itself.
bars:   ldx #$00
wait:   lda $d012
        cmp lines,x
        bne wait
        lda colours,x
        sta $d021
        inx
        cpx #$08
        bne wait
        rts
