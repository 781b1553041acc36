; Runs the cases of an image one after the other and writes down what each of them did.
;
; Assembled at `start`; image.ts puts the case table, the cases and the template beside it. With $01 = $35 there are no
; ROMs, so the interrupt vectors are ours. A case touches eight windows of 32 bytes and no zero page of the runner:
;
;   0 $E0-$FF   1 $00-$1F   2 $01E0-$01FF   3 $0100-$011F   4 $2FC0   5 $2FE0   6 $3000   7 $3020 (the handlers' notes)
;
; Before each case they are as the template says; afterwards every byte that differs is written down and put back.
;
; A result: A, X, Y, SP, flags, stopwatch (2), CIA 1's timer B a little later, number of changed bytes, then for each its
; window * 32 + offset and value.

        processor 6502

CASE_SIZE       = 24
RESULTS_END     = $CE           ; page at which no further case is started

next            = $80           ; where the next case's description lies
out             = $82           ; where the next result byte goes
left            = $84           ; cases left, 2 bytes
changes         = $86
resultA         = $87
resultX         = $88
resultY         = $89
resultS         = $8A
resultP         = $8B
value           = $8C
previous        = $8D

; The description of the present case.
now             = $A0
nowCode         = now
nowA            = now+2
nowX            = now+3
nowY            = now+4
nowS            = now+5
nowP            = now+6
nowTimer1A      = now+7         ; latch of CIA 1's timer A, 2 bytes
nowControl1A    = now+9
nowTimer2B      = now+10        ; latch of CIA 2's timer B, 2 bytes
nowControl2B    = now+12
nowControl2A    = now+13        ; CIA 2's timer A is the stopwatch
nowMask1        = now+14
nowMask2        = now+15
nowScreen       = now+16        ; $D011; 0 is no display, and no waiting for the raster
nowSprites      = now+17        ; $D015
nowSpriteY      = now+18
nowDelay        = now+19        ; inner and outer count

notes           = $3020         ; how many bytes the interrupt handlers wrote down
note            = $3021
NOTES_FULL      = 28

template        = $2E00
results         = $8000
table           = $3100

        org $0800
start   sei
        cld
        ldx #$80                ; the runner's own stack lies between the windows
        txs
        lda #$2F
        sta $00
        lda #$35
        sta $01
        lda #$0B
        sta $D011
        lda #0
        sta $D015
        sta $D017
        sta $D01A
        lda #<table
        sta next
        lda #>table
        sta next+1
        lda #<results
        sta out
        lda #>results
        sta out+1
        jsr restore
        lda display
        beq .ready
        jsr findRaster
.ready  jsr describe
        jmp begin

; Filled in by image.ts.
count   .word 0
display .byte 0
finished .byte 0                ; $FF at the end

describe SUBROUTINE
        ldy #CASE_SIZE-1
.copy   lda (next),y
        sta now,y
        dey
        bpl .copy
        rts

begin   SUBROUTINE
        jsr quiet
        lda nowTimer1A
        sta $DC04
        lda nowTimer1A+1
        sta $DC05
        lda nowTimer2B
        sta $DD06
        lda nowTimer2B+1
        sta $DD07
        lda nowMask1
        sta $DC0D
        lda nowMask2
        sta $DD0D
        lda nowScreen
        beq .enter
        jsr waitForRaster
.enter  ldx nowS
        txs
        lda nowP
        pha
        lda nowControl1A
        sta $DC0E
        lda nowControl2B
        sta $DD0F
        lda nowControl2A
        sta $DD0E
        lda nowA
        ldx nowX
        ldy nowY
        plp
        jmp (nowCode)

; Where every case ends.
finish  SUBROUTINE
        php
        sei
        sta resultA
        stx resultX
        sty resultY
        lda #0
        sta $DD0E
        lda #$7F
        sta $DC0D
        sta $DD0D
        cld
        tsx
        inx
        stx resultS
        pla
        sta resultP
        ldx #$80
        txs
        ldy #0                  ; the display stays on: switched off now, it could start a bad line
        sty changes
        lda resultA
        sta (out),y
        iny
        lda resultX
        sta (out),y
        iny
        lda resultY
        sta (out),y
        iny
        lda resultS
        sta (out),y
        iny
        lda resultP
        sta (out),y
        iny
        lda $DD04
        sta (out),y
        iny
        lda $DD05
        sta (out),y
        iny
        lda $DC06
        sta (out),y
        lda out
        sta previous
        lda out+1
        sta previous+1
        lda #9
        jsr skip
        jsr compare
        ldy #8
        lda changes
        sta (previous),y

        lda next
        clc
        adc #CASE_SIZE
        sta next
        bcc .page
        inc next+1
.page   lda count
        bne .low
        dec count+1
.low    dec count
        lda count
        ora count+1
        beq .end
        lda out+1
        cmp #RESULTS_END
        bcs .end
        jsr describe
        jmp begin
.end    dec finished
done    jmp done

; Moves `out` on by A bytes.
skip    SUBROUTINE
        clc
        adc out
        sta out
        bcc .done
        inc out+1
.done   rts

        MAC look
        lda {2},x
        cmp template+{1}*32,x
        beq .same
        ldy #{1}*32
        jsr changed
        sta {2},x
.same
        ENDM

; All windows beside the template.
compare SUBROUTINE
        ldx #0
.byte   
        SUBROUTINE
        look 0,$E0
        SUBROUTINE
        look 1,$00
        SUBROUTINE
        look 2,$01E0
        SUBROUTINE
        look 3,$0100
        SUBROUTINE
        look 4,$2FC0
        SUBROUTINE
        look 5,$2FE0
        SUBROUTINE
        look 6,$3000
        SUBROUTINE
        look 7,$3020
        SUBROUTINE
        inx
        cpx #32
        beq .done
        jmp compare+2
.done   rts

; Writes down that offset X of the window at Y is A. Returns what it was, in A.
changed SUBROUTINE
        sta value
        stx resultX
        tya
        ora resultX
        pha
        ldy #0
        sta (out),y
        iny
        lda value
        sta (out),y
        lda #2
        jsr skip
        inc changes
        pla
        tay
        lda template,y
        rts

; All windows as the template says, except the port.
restore SUBROUTINE
        ldx #31
.byte   lda template+$00,x
        sta $E0,x
        cpx #2
        bcc .port
        lda template+$20,x
        sta $00,x
.port   lda template+$40,x
        sta $01E0,x
        lda template+$60,x
        sta $0100,x
        lda template+$80,x
        sta $2FC0,x
        lda template+$A0,x
        sta $2FE0,x
        lda template+$C0,x
        sta $3000,x
        lda template+$E0,x
        sta $3020,x
        dex
        bpl .byte
        rts

; Both CIAs as after a reset, but CIA 1's timer B, which keeps the raster's time while cases run with the display on.
quiet   SUBROUTINE
        lda #$7F
        sta $DC0D
        sta $DD0D
        lda #0
        sta $DC0E
        sta $DD0E
        sta $DD0F
        sta $DC02
        sta $DC03
        sta $DC00
        sta $DC01
        sta $DD03
        sta $DD01
        sta $DC0C
        sta $DD0C
        lda #$3F
        sta $DD02
        lda #$07
        sta $DD00
        ldx #$FF
        stx $DC04
        stx $DC05
        stx $DD04
        stx $DD05
        stx $DD06
        stx $DD07
        lda display
        bne .time
        sta $DC0F
        stx $DC06
        stx $DC07
        lda #$10
        sta $DC0F
.time   lda #$10
        sta $DC0E
        sta $DD0E
        sta $DD0F
        lda #$80                ; the alarm
        jsr .alarm
        lda #$01                ; writing the hours stops the clock
        sta $DC0B
        sta $DD0B
        lda #0
        sta $DC0A
        sta $DD0A
        sta $DC09
        sta $DD09
        lda $DC08
        lda $DD08
        lda $DC0D
        lda $DD0D
        lda $DC0D
        lda $DD0D
        rts
.alarm  ldx display
        bne .second
        sta $DC0F
        ldx #0
        stx $DC08
        stx $DC09
        stx $DC0A
        stx $DC0B
        stx $DC0F
.second sta $DD0F
        ldx #0
        stx $DD08
        stx $DD09
        stx $DD0A
        stx $DD0B
        stx $DD0F
        rts

        align 256               ; the loops of the two routines that follow take a cycle more where they cross a page

; Starts CIA 1's timer B, with a period of one frame (PAL), at a certain cycle of a certain line.
findRaster SUBROUTINE
        lda #0
        sta $DC0F
.line   lda $D012
        cmp #$10
        bne .line
        lda $D011
        bmi .line
        ; Reads the line every 62 cycles: a cycle earlier in each line, until it reads the same line twice.
        ldx $D012
        bit previous            ; as long as CPX and BNE
        bit previous
.early  stx previous
        ldy #9
.wait   dey
        bne .wait
        bit previous
        ldx $D012
        cpx previous
        bne .early
        ; Every 63 cycles: the same cycle of each line.
.fixed  ldy #9
.wait2  dey
        bne .wait2
        bit previous
        bit previous
        nop
        lda $D012
        cmp #$60
        bne .fixed
        lda #<19655
        sta $DC06
        lda #>19655
        sta $DC07
        lda #$11
        sta $DC0F
        rts

; Until a certain cycle shortly before the first bad line; then shows what the case wants, and waits as long as it wants.
waitForRaster SUBROUTINE
.far    lda $DC07
        cmp #$10
        bne .far
.near   lda $DC07
        cmp #$10
        beq .near
        lda $DC06
        eor #$FF
        sec
        sbc #8                  ; 0 to 8: the cycles that the loop was late
        sta .late+1
.late   bpl .late+2
        .byte $C9,$C9,$C9,$C9,$C9,$C9,$C9,$C5,$EA
        lda nowScreen
        sta $D011
        lda nowSpriteY
        sta $D001
        sta $D003
        sta $D005
        sta $D007
        sta $D009
        sta $D00B
        sta $D00D
        sta $D00F
        lda nowSprites
        sta $D015
        ldy nowDelay
        ldx nowDelay+1
.delay  dey
        bne .delay
        dex
        bne .delay
        rts

; Each notes the stopwatch, CIA 1's timer A and its chip's interrupt register. When there is no room left, no more come.
irq     SUBROUTINE
        pha
        txa
        pha
        ldx notes
        cpx #NOTES_FULL
        bcs .full
        lda $DD04
        sta note,x
        lda $DC04
        sta note+1,x
        lda $DC0D
        sta note+2,x
        inx
        inx
        inx
        stx notes
.end    pla
        tax
        pla
        rti
.full   lda #$7F
        sta $DC0D
        lda $DC0D
        jmp .end

nmi     SUBROUTINE
        pha
        txa
        pha
        ldx notes
        cpx #NOTES_FULL
        bcs .full
        inx
        inx
        inx
        stx notes
        lda $DD04
        sta note-3,x
        lda $DC04
        sta note-2,x
        lda $DD0D
        sta note-1,x
        pla
        tax
        pla
        rti
.full   lda #$7F
        sta $DD0D
        lda $DD0D
        pla
        tax
        pla
        rti
