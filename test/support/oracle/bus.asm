; What the bus does in time, seen by the CPU. First it goes to a known cycle of a line, whatever it was doing before, then:
;
;   kind 0   waits, and samples a timer and $D012, 256 times: the cycles that bad lines and sprites take
;   kind 1   the same with instructions that write, which the VIC-II lets through for three cycles
;   kind 2   notes when a raster interrupt comes
;   kind 4   runs `program` from there, which ends at `shown`: when the last line of the picture is drawn
;   kind 3   writes to the port at $00 and $01 as `writes` says, and notes how it reads after each write

        processor 6502

extra           = $02           ; 1 where a line has 65 cycles instead of 63
table           = $04
results         = $5000
lines           = $5100
handler         = $4800
program         = $6000
pictureEnd      = $24           ; of line $124, below the picture
pictureEndNtsc  = 13            ; below the picture, which ends in the first lines of the next frame

        org $4000
start   sei
        cld
        ldx #$ff
        txs
        lda #$37
        sta $01
        lda #$2f
        sta $00
        lda #$7f
        sta $dc0d
        sta $dd0d
        lda $dc0d
        lda $dd0d
        lda #$00
        sta $d01a
        sta $d015
        lda #$1b
        sta $d011
        lda kind
        cmp #3
        bne raster
        jmp port

raster  lda ntsc
        sta extra
        lda #$f8                ; below the last bad line
.wait   cmp $d012
        bne .wait
        lda extra
        beq .pal
        lda extra
.pal    ldy #7
.delay  dey
        bne .delay
        nop
        nop
        lda $d012
        cmp $d012
        beq .first
.first  ldx #9
; Each pass takes a line and a cycle until the second read comes in the first cycle of a line; then exactly a line.
.line   lda extra
        beq .pal2
        lda extra
.pal2   ldy #7
.delay2 dey
        bne .delay2
        nop
        nop
        nop
        lda $d012
        cmp $d012
        beq .same
.same   dex
        bne .line

        lda #$ff
        sta $dc04
        sta $dc05
        lda #$11
        sta $dc0e
        lda sprites
        sta $d015
        lda kind
        cmp #4
        bne .known
        jmp program
.known  cmp #2
        beq interrupt

        ldx wait
.outer  ldy #199
.inner  dey
        bne .inner
        dex
        bne .outer
        ldx phase
        beq .go
.shift  nop                     ; 7 cycles
        dex
        bne .shift
        lda phase               ; one cycle more for odd numbers
        lsr
        bcc .go
.go     ldx #0
        lda kind
        bne writing
.sample lda $dc04
        sta results,x
        lda $d012
        sta lines,x
        inx
        bne .sample
        jmp finish

writing lda $dc04
        sta results,x
        inc lines,x
        jsr .return
        inc lines
        inx
        bne writing
        jmp finish
.return rts

interrupt
        lda #<.taken
        sta $fffe
        lda #>.taken
        sta $ffff
        lda #$35
        sta $01
        lda irqLine
        sta $d012
        lda #$ff
        sta $d019
        lda #$01
        sta $d01a
        cli
        lda phase
        beq .even
        nop
        lsr
        bcc .even
.even
.idle   nop
        nop
        nop
        jmp .idle
.taken  lda $dc04
        sta results
        lda $d012
        sta results+1
        lda $d019
        sta results+2
        sta $d019
        lda $d019
        sta results+3
        jmp finish

port    ldx #0
.next   lda writes,x            ; $00 or $01; anything else ends
        tay
        cpy #2
        bcs finish
        inx
        lda writes,x
        sta $0000,y
        inx
        lda writes,x            ; how long to wait, in units of 330,000 cycles
        inx
        stx resume
        tax
        beq .read
.long   lda #0
        sta table
.longer ldy #0
.loop   dey
        bne .loop
        dec table
        bne .longer
        dex
        bne .long
.read   ldx resume
        lda $00
        sta results,x
        lda $01
        sta lines,x
        jmp .next

shown   lda $d011
        bpl shown
        lda ntsc
        bne .wrap
        lda $d012
        cmp #pictureEnd
        bcc shown
        bcs finish
.wrap   lda $d011
        bmi .wrap
.below  lda $d012
        cmp #pictureEndNtsc
        bcc .below

finish  lda #$37
        sta $01
        lda #$2f
        sta $00
        lda #$ff
toFinished
        sta $ffff               ; the test puts the address here
toDone  jmp $ffff               ; and here

kind    .byte 0
ntsc    .byte 0
sprites .byte 0
wait    .byte 0
phase   .byte 0
irqLine .byte 0
resume  .byte 0
writes  .ds 128, $ff
