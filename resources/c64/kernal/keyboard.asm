; Keyboard matrix: key = 8 * column (port A) + row (port B). 64 means no key.

NO_KEY          = 64
NOTHING         = $FF           ; a key that types nothing
FIRST_REPEAT    = 16            ; scans
NEXT_REPEAT     = 4

scanKeyboard SUBROUTINE
    lda #0
    sta SHFLAG
    ldy #NO_KEY
    sty SFDX
    sta CIA1_PORT_A             ; all columns
    ldx CIA1_PORT_B
    inx
    beq .decode                 ; nothing is down
    ldy #0
    lda #%11111110
.column
    sta CIA1_PORT_A
    pha
.settle
    lda CIA1_PORT_B
    cmp CIA1_PORT_B
    bne .settle
    ldx #8
.row
    lsr
    bcs .up
    pha
    lda plainKeys,y
    cmp #3                      ; STOP, the only code below 5 that is no modifier
    beq .key
    cmp #5
    bcs .key
    ora SHFLAG
    sta SHFLAG
    bcc .next
.key
    sty SFDX
.next
    pla
.up
    iny
    dex
    bne .row
    pla
    sec
    rol
    cpy #NO_KEY
    bcc .column
.decode
    jmp (KEYLOG)

; Chooses the table by the modifiers; SHIFT + C= changes the character set instead.
decodeKey SUBROUTINE
    lda SHFLAG
    cmp #3
    bne .table
    cmp LSTSHF
    beq .select
    bit MODE
    bmi .select
    lda VIC_MEMORY
    eor #2
    sta VIC_MEMORY
.select
    ldx #0
    beq .setTable
.table
    asl
    cmp #8
    bcc .inRange
    lda #6                      ; CTRL, with anything
.inRange
    tax
.setTable
    lda keyTables,x
    sta KEYTAB
    lda keyTables+1,x
    sta KEYTAB+1

takeKey
    ldy SFDX
    lda (KEYTAB),y
    tax
    cpy LSTX
    beq .held
    ldy #FIRST_REPEAT
    sty DELAY
    bne .new
.held
    cpy #NO_KEY
    beq .done
    bit RPTFLG
    bmi .repeat
    bvs .done
    txa
    and #$7F
    cmp #20                     ; DEL, INST
    beq .repeat
    cmp #SPACE
    beq .repeat
    cmp #29                     ; cursor keys
    beq .repeat
    cmp #17
    bne .done
.repeat
    ldy DELAY
    beq .again
    dec DELAY
    bne .done
.again
    dec KOUNT
    bne .done
    ldy #NEXT_REPEAT
    sty KOUNT
    ldy NDX
    bne .done
.new
    ldy SFDX
    sty LSTX
    cpx #NOTHING
    beq .done
    ldy NDX
    cpy XMAX
    bcs .done
    txa
    sta KEYD,y
    inc NDX
.done
    lda SHFLAG
    sta LSTSHF
    lda #%01111111              ; STOP's column, for UDTIM
    sta CIA1_PORT_A
    rts

; Takes the first key of the buffer, which must not be empty, into A.
nextKey SUBROUTINE
    sei
    ldy KEYD
    ldx #0
.shift
    lda KEYD+1,x
    sta KEYD,x
    inx
    cpx NDX
    bne .shift
    dec NDX
    tya
    cli
    clc
    rts

keyTables
    .word plainKeys, shiftKeys, commodoreKeys, controlKeys

; One row per column of the matrix.
plainKeys                       ; modifiers: 1 SHIFT, 2 C=, 4 CTRL
    .byte $14,$0D,$1D,$88,$85,$86,$87,$11       ; DEL RETURN right F7 F1 F3 F5 down
    .byte $33,$57,$41,$34,$5A,$53,$45,$01       ; 3 W A 4 Z S E left-SHIFT
    .byte $35,$52,$44,$36,$43,$46,$54,$58       ; 5 R D 6 C F T X
    .byte $37,$59,$47,$38,$42,$48,$55,$56       ; 7 Y G 8 B H U V
    .byte $39,$49,$4A,$30,$4D,$4B,$4F,$4E       ; 9 I J 0 M K O N
    .byte $2B,$50,$4C,$2D,$2E,$3A,$40,$2C       ; + P L - . : @ ,
    .byte $5C,$2A,$3B,$13,$01,$3D,$5E,$2F       ; pound * ; HOME right-SHIFT = up-arrow /
    .byte $31,$5F,$04,$32,$20,$02,$51,$03       ; 1 left-arrow CTRL 2 SPACE C= Q STOP
    .byte NOTHING
shiftKeys
    .byte $94,$8D,$9D,$8C,$89,$8A,$8B,$91
    .byte $23,$D7,$C1,$24,$DA,$D3,$C5,NOTHING
    .byte $25,$D2,$C4,$26,$C3,$C6,$D4,$D8
    .byte $27,$D9,$C7,$28,$C2,$C8,$D5,$D6
    .byte $29,$C9,$CA,$30,$CD,$CB,$CF,$CE
    .byte $DB,$D0,$CC,$DD,$3E,$5B,$BA,$3C
    .byte $A9,$C0,$5D,$93,NOTHING,$3D,$DE,$3F
    .byte $21,$5F,NOTHING,$22,$A0,NOTHING,$D1,$83
    .byte NOTHING
commodoreKeys
    .byte $94,$8D,$9D,$8C,$89,$8A,$8B,$91
    .byte $96,$B3,$B0,$97,$AD,$AE,$B1,NOTHING
    .byte $98,$B2,$AC,$99,$BC,$BB,$A3,$BD
    .byte $9A,$B7,$A5,$9B,$BF,$B4,$B8,$BE
    .byte $29,$A2,$B5,$30,$A7,$A1,$B9,$AA
    .byte $A6,$AF,$B6,$DC,$3E,$5B,$A4,$3C
    .byte $A8,$DF,$5D,$93,NOTHING,$3D,$DE,$3F
    .byte $81,$5F,NOTHING,$95,$A0,NOTHING,$AB,$83
    .byte NOTHING
controlKeys
    .byte NOTHING,NOTHING,NOTHING,NOTHING,NOTHING,NOTHING,NOTHING,NOTHING
    .byte $1C,$17,$01,$9F,$1A,$13,$05,NOTHING
    .byte $9C,$12,$04,$1E,$03,$06,$14,$18
    .byte $1F,$19,$07,$9E,$02,$08,$15,$16
    .byte $12,$09,$0A,$92,$0D,$0B,$0F,$0E
    .byte NOTHING,$10,$0C,NOTHING,NOTHING,$1B,$00,NOTHING
    .byte $1C,NOTHING,$1D,NOTHING,NOTHING,$1F,$1E,NOTHING
    .byte $90,$06,NOTHING,$05,NOTHING,NOTHING,$11,NOTHING
    .byte NOTHING
