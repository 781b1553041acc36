; Texts of the prompt, and the keywords in the order of their token numbers, $80 first.

banner
    .byte 147,13,"  *** BRIDGEDECK C64 ***  OWN BOOT ROM",13
    .byte 13,"  38911 BYTES FREE  -  TYPE HELP",13,0
readyText
    .byte 13,"READY.",13,0
helpText
    .byte 13,"RUN             START THE PROGRAM"
    .byte 13,"LIST            SHOW ITS LINES"
    .byte 13,"NEW             FORGET IT"
    .byte 13,"SYS 49152       CALL MACHINE CODE"
    .byte 13,"POKE 53280,0    WRITE A BYTE"
    .byte 13,"PRINT PEEK(1)   READ ONE, OR 2+3*$1F"
    .byte 13,13,"PROGRAMS ARE LOADED FROM OUTSIDE. THIS"
    .byte 13,"ROM STARTS THEM, IT IS NO FULL BASIC.",13,0
syntaxText
    .byte "?NOT UNDERSTOOD - TRY HELP",0
rangeText
    .byte "?NUMBER OUT OF RANGE",0
noProgramText
    .byte "?NO PROGRAM LOADED",0
noLinesText
    .byte "?PROGRAM LINES CANNOT BE TYPED HERE",0
noDeviceText
    .byte "?NO DISK OR TAPE IN THIS ROM",0
stoppedText
    .byte "?STOPPED",0
inLineText
    .byte " IN LINE ",0

TOKEN_END       = $80
TOKEN_RUN       = $8A
TOKEN_REM       = $8F
TOKEN_LOAD      = $93
TOKEN_SAVE      = $94
TOKEN_POKE      = $97
TOKEN_PRINT     = $99
TOKEN_LIST      = $9B
TOKEN_CLR       = $9C
TOKEN_SYS       = $9E
TOKEN_NEW       = $A2
TOKEN_PLUS      = $AA
TOKEN_MINUS     = $AB
TOKEN_TIMES     = $AC
TOKEN_PEEK      = $C2
TOKEN_HELP      = $CC           ; ours, one after the last of BASIC V2

keywords
    .byte "END",0,"FOR",0,"NEXT",0,"DATA",0,"INPUT#",0,"INPUT",0,"DIM",0,"READ",0
    .byte "LET",0,"GOTO",0,"RUN",0,"IF",0,"RESTORE",0,"GOSUB",0,"RETURN",0,"REM",0
    .byte "STOP",0,"ON",0,"WAIT",0,"LOAD",0,"SAVE",0,"VERIFY",0,"DEF",0,"POKE",0
    .byte "PRINT#",0,"PRINT",0,"CONT",0,"LIST",0,"CLR",0,"CMD",0,"SYS",0,"OPEN",0
    .byte "CLOSE",0,"GET",0,"NEW",0,"TAB(",0,"TO",0,"FN",0,"SPC(",0,"THEN",0
    .byte "NOT",0,"STEP",0,"+",0,"-",0,"*",0,"/",0,94,0,"AND",0
    .byte "OR",0,">",0,"=",0,"<",0,"SGN",0,"INT",0,"ABS",0,"USR",0
    .byte "FRE",0,"POS",0,"SQR",0,"RND",0,"LOG",0,"EXP",0,"COS",0,"SIN",0
    .byte "TAN",0,"ATN",0,"PEEK",0,"LEN",0,"STR$",0,"VAL",0,"ASC",0,"CHR$",0
    .byte "LEFT$",0,"RIGHT$",0,"MID$",0,"GO",0,"HELP",0
    .byte 0
