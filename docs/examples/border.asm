; Makes the border red, says so, and waits for fire (joystick 2) to make it green.
border = $d020

start   lda #2
        sta border
        ldx #0
print   lda text,x
        beq wait
        jsr $ffd2
        inx
        bne print
wait    lda $dc00
        and #%10000
        bne wait
green   jsr paint
done    jmp done

paint   ldx #9
shades  stx border
        dex
        bne shades
        lda #5
        sta border
        rts

text    .null "red border"
