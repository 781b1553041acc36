import { describe, expect, it } from 'vitest'
import { MAX_PROBLEMS, parseBuildProblems, problemText } from './buildProblems'

const parsed = (...lines: string[]) =>
  parseBuildProblems(lines.join('\n')).map(({ severity, file, line, message }) => [severity, file, line, message])

describe('the problems of a build', () => {
  it('are read from 64tass', () => {
    expect(
      parsed(
        'Assembling file:   a.asm',
        "a.asm:2:6: error: not defined symbol 'foo'",
        '  lda foo',
        '      ^',
        'a.asm: note: searched in the global scope',
        'src/inc.asm:4:6: warning: possibly redundant',
        "64tass: fatal error: can't open file 'none.asm': No such file or directory",
        'Error messages:    3',
      ),
    ).toEqual([
      ['error', 'a.asm', 2, "not defined symbol 'foo'"],
      ['warning', 'src/inc.asm', 4, 'possibly redundant'],
      ['error', null, null, "can't open file 'none.asm': No such file or directory"],
    ])
  })

  it('are read from ACME, in both of its forms', () => {
    expect(
      parsed(
        'Error - File b.a, line 4 (Zone <untitled>): Number does not fit in 8 bits.',
        'Warning - File b.a, line 6 (Zone <untitled>): Label name not in leftmost column.',
        'b.a(7) : Error (Zone <untitled>): Value not defined (foo).',
        'Error: Cannot open toplevel file "none.a".',
      ),
    ).toEqual([
      ['error', 'b.a', 4, 'Number does not fit in 8 bits.'],
      ['warning', 'b.a', 6, 'Label name not in leftmost column.'],
      ['error', 'b.a', 7, 'Value not defined (foo).'],
      ['error', null, null, 'Cannot open toplevel file "none.a".'],
    ])
  })

  it('are read from cc65, its assembler and its linker', () => {
    expect(
      parsed(
        "c.c(2): Error: Undefined symbol: 'y'",
        'c.c:3: Warning: Converting pointer to integer without a cast',
        "d.s(2): Error: ':' expected",
        "ld65: Warning: /usr/share/cc65/cfg/c64.cfg(45): Segment 'INIT' does not exist",
        'ld65: Error: 1 unresolved external(s) found - cannot create output file',
      ),
    ).toEqual([
      ['error', 'c.c', 2, "Undefined symbol: 'y'"],
      ['warning', 'c.c', 3, 'Converting pointer to integer without a cast'],
      ['error', 'd.s', 2, "':' expected"],
      ['warning', '/usr/share/cc65/cfg/c64.cfg', 45, "Segment 'INIT' does not exist"],
      ['error', null, null, '1 unresolved external(s) found - cannot create output file'],
    ])
  })

  it('are read from KickAssembler, each once', () => {
    expect(
      parsed(
        'parsing',
        "Error: Unknown symbol 'foo'",
        'at line 3, column 5 in /games/game.asm',
        '    lda foo',
        'Got 1 errors while executing: /games/game.asm',
        "  (/games/game.asm 3:5) Error: Unknown symbol 'foo'",
      ),
    ).toEqual([['error', '/games/game.asm', 3, "Unknown symbol 'foo'"]])
  })

  it('are read from Oscar64', () => {
    expect(
      parsed("game.c(5, 12) : error 3019: Undefined identifier 'x'", 'game.c(6, 1) : warning 2003: Unused'),
    ).toEqual([
      ['error', 'game.c', 5, "Undefined identifier 'x'"],
      ['warning', 'game.c', 6, 'Unused'],
    ])
  })

  it('have paths of Windows, too', () => {
    expect(parsed('C:\\games\\a.asm:2:6: error: no', 'C:\\games\\c.c(2): Error: no')).toEqual([
      ['error', 'C:\\games\\a.asm', 2, 'no'],
      ['error', 'C:\\games\\c.c', 2, 'no'],
    ])
  })

  it('are none of what is no problem, or names no possible line', () => {
    expect(parsed('All done: 0 errors', 'make: *** [Makefile:2: game.prg] Error 1')).toEqual([])
    expect(parsed('a.asm:0:1: error: zero', 'a.asm:99999999999999999999: error: far')).toEqual([
      ['error', 'a.asm', null, 'zero'],
      ['error', 'a.asm', null, 'far'],
    ])
  })

  it('are bounded, however much a tool prints', () => {
    const many = Array.from({ length: 1_000 }, (_, n) => `a.asm:${n + 1}:1: error: ${'x'.repeat(600)}`)
    const found = parseBuildProblems(many.join('\n'))
    expect(found).toHaveLength(MAX_PROBLEMS)
    expect(found[0]?.message).toHaveLength(500)
    const start = performance.now()
    expect(parseBuildProblems(`${'('.repeat(200_000)}\n${'a:'.repeat(200_000)}\n${'x65'.repeat(99_999)}`)).toEqual([])
    // Quadratic time would be minutes.
    expect(performance.now() - start).toBeLessThan(20_000)
  })

  it('are shown as one line', () => {
    expect(parseBuildProblems('c.c(2): Error: no').map(problemText)).toEqual(['c.c:2: error: no'])
    expect(parseBuildProblems('Error: no').map(problemText)).toEqual(['error: no'])
  })
})
