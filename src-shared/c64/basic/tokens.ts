/** The keywords of BASIC V2 in the order of their tokens, from $80 on. */
export const FIRST_TOKEN = 0x80

export const keywords: readonly string[] = [
  ...['END', 'FOR', 'NEXT', 'DATA', 'INPUT#', 'INPUT', 'DIM', 'READ', 'LET', 'GOTO', 'RUN', 'IF', 'RESTORE', 'GOSUB'],
  ...[
    'RETURN',
    'REM',
    'STOP',
    'ON',
    'WAIT',
    'LOAD',
    'SAVE',
    'VERIFY',
    'DEF',
    'POKE',
    'PRINT#',
    'PRINT',
    'CONT',
    'LIST',
  ],
  ...['CLR', 'CMD', 'SYS', 'OPEN', 'CLOSE', 'GET', 'NEW', 'TAB(', 'TO', 'FN', 'SPC(', 'THEN', 'NOT', 'STEP'],
  ...[
    '+',
    '-',
    '*',
    '/',
    '↑',
    'AND',
    'OR',
    '>',
    '=',
    '<',
    'SGN',
    'INT',
    'ABS',
    'USR',
    'FRE',
    'POS',
    'SQR',
    'RND',
    'LOG',
  ],
  ...['EXP', 'COS', 'SIN', 'TAN', 'ATN', 'PEEK', 'LEN', 'STR$', 'VAL', 'ASC', 'CHR$', 'LEFT$', 'RIGHT$', 'MID$', 'GO'],
]

export const PI = 0xff
const tokenNamed = (keyword: string): number => FIRST_TOKEN + keywords.indexOf(keyword)
export const DATA = tokenNamed('DATA')
export const REM = tokenNamed('REM')
export const PRINT = tokenNamed('PRINT')
