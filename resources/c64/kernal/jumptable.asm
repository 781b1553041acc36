; The jump table, in the order and at the addresses of the Programmer's Reference Guide.

    at $FF81
CINT    jmp startScreen
IOINIT  jmp initDevices
RAMTAS  jmp initMemory
RESTOR  jmp restoreVectors
VECTOR  jmp moveVectors
SETMSG  jmp setMessages
SECOND  jmp noSerialBus
TKSA    jmp noSerialBus
MEMTOP  jmp memoryTop
MEMBOT  jmp memoryBottom
SCNKEY  jmp scanKeyboard
SETTMO  jmp setTimeout
ACPTR   jmp noSerialBus
CIOUT   jmp noSerialBus
UNTLK   jmp noSerialBus
UNLSN   jmp noSerialBus
LISTEN  jmp noSerialBus
TALK    jmp noSerialBus
READST  jmp readStatus
SETLFS  jmp setFile
SETNAM  jmp setName
OPEN    jmp ($031A)
CLOSE   jmp ($031C)
CHKIN   jmp ($031E)
CHKOUT  jmp ($0320)
CLRCHN  jmp ($0322)
CHRIN   jmp ($0324)
CHROUT  jmp (IBSOUT)
LOAD    jmp ($0330)
SAVE    jmp ($0332)
SETTIM  jmp setTime
RDTIM   jmp readTime
STOP    jmp ($0328)
GETIN   jmp ($032A)
CLALL   jmp ($032C)
UDTIM   jmp updateTime
SCREEN  jmp screenSize
PLOT    jmp plot
IOBASE  jmp ioBase

    at $FFFA
    .word nmiEntry, reset, interruptEntry
