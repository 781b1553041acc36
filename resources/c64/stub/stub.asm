; The resident half of the serial protocol: docs/serial-protocol.md. It waits in memory until the ACIA of a SwiftLink or
; Turbo232 raises an NMI for a byte, answers one request, and lets the program go on where it was.
;
; The image loads at $0801; RUN copies the stub to STUB and starts it at 38,400 baud.
;
; STUB         entries, code, variables      STUB+$800  CRC tables
; STUB+$A00    received frame                STUB+$B00  what is sent from a copy

    processor 6502
    include "c64.inc"

STUB            = $C400         ; any page that leaves 3 KiB of RAM which is under no ROM
CODE_PAGES      = 8
STUB_PAGES      = CODE_PAGES+4
STUB_END        = STUB+STUB_PAGES*$100
crcTableHigh    = STUB+CODE_PAGES*$100
crcTableLow     = crcTableHigh+$100
received        = crcTableLow+$100
copy            = received+$100 ; filled from its end where it must be
ACIA            = $DE00         ; the other setting of the cartridge is $DF00

PROTOCOL        = 1
DATA_PER_PART   = 239

; 6551, and the Turbo232's register for what is faster
ACIA_DATA       = ACIA
ACIA_STATUS     = ACIA+1
ACIA_COMMAND    = ACIA+2
ACIA_CONTROL    = ACIA+3
ACIA_ENHANCED   = ACIA+7
RECEIVED        = %00001000     ; status: the data register holds a byte
EMPTY           = %00010000     ; status: the data register takes one
REQUESTED       = %10000000     ; status: it asked for the NMI; reading takes the request back
LISTEN          = %00001001     ; command: DTR, RTS, NMI for each byte
QUIET           = %00001011     ; command: the same without NMI

IO_AND_RAM      = 5             ; $01, bits 0-2: I/O, and RAM everywhere else
KERNAL_VISIBLE  = %00000010
PORT_BITS       = %00000111

CIA2_NMI        = $DD0D
NMI_VECTOR      = $FFFA         ; in RAM: for programs that bank the KERNAL out

CINT            = $FF81
IOINIT          = $FF84
RAMTAS          = $FF87
RESTOR          = $FF8A
CHROUT          = $FFD2

; types of requests; a reply has bit 7 set
FIRST_TYPE      = $01
LAST_TYPE       = $08
IS_REPLY        = $80
ERROR           = $7F

; errors
DAMAGED         = 1
UNKNOWN         = 2
MALFORMED       = 3
PROTECTED       = 4
NO_SEQUENCE     = $FF           ; of an error that answers no request which could be read

    include "loader.asm"

image
    rorg STUB
    jmp install38400            ; SYS 50176
    jmp install57600            ; SYS 50179
    jmp install115200           ; SYS 50182
    jmp install230400           ; SYS 50185
    jmp restart

    include "install.asm"
    include "interrupt.asm"
    include "receive.asm"
    include "requests.asm"
    include "send.asm"

; What hello answers, in its order.
hello
    .byte PROTOCOL
held                            ; bit 7: stay in the handler
    .byte 0
clock                           ; 0 PAL, 1 NTSC
    .byte 0
speed                           ; 0 to 3: 38,400, 57,600, 115,200, 230,400 baud
    .byte 0
    .word STUB, STUB_END-1, STUB+12, ACIA
HELLO_SIZE = . - hello

; The interrupted program, in the order of the messages for its registers.
registers
savedPC
    .word 0
savedA
    .byte 0
savedX
    .byte 0
savedY
    .byte 0
savedP
    .byte 0
savedSP
    .byte 0
savedPort
    .byte 0
savedDirection
    .byte 0
REGISTERS_SIZE = . - registers

busy                            ; bit 7: the handler runs
    .byte 0
chain                           ; bit 7: go on with the NMI of somebody else
    .byte 0
oldNmi
    .word 0
workPort                        ; $01 with I/O and RAM
    .byte 0
workDirection
    .byte 0
patience                        ; of waiting for the line, counted up or down to 0
    .word 0

length                          ; bytes of the received frame
    .byte 0
step
    .byte 0
crcHigh
    .byte 0
crcLow
    .byte 0
bodyLength
    .byte 0
lastSequence                    ; the last request that was read, to know its repetition
    .byte 0
lastCrc
    .word 0
repeated                        ; bit 7: it was carried out already
    .byte 0

replyType
    .byte 0
sequence
    .byte 0
part
    .byte 0
source
    .word 0
count
    .byte 0

address                         ; what a request is about
    .word 0
remaining
    .word 0
lastPage
    .byte 0
mapping                         ; $01 for it
    .byte 0
    if . > crcTableHigh
    code_has_run_into_the_tables
    endif
    rend
imageEnd
