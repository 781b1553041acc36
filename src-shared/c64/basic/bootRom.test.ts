import { describe, expect, it } from 'vitest'
import { parsePrg } from '../prg'
import { missingBasic } from './bootRom'
import { tokenise } from './tokenise'

function programOf(text: string, code: readonly number[] = []) {
  const made = tokenise(text)
  if (!made.ok) throw new Error(made.problems.map(({ message }) => message).join('\n'))
  return parsePrg(Uint8Array.from([...made.prg, ...code]))
}

describe('what the boot ROM runs of BASIC', () => {
  it.each([
    '10 print "hello"; 2+3*(4-1), peek(53280)',
    '10 poke 53280,0:sys 49152:end',
    '10 rem for next\n20 :: print',
    '10 print\n20 end\n30 for i=1 to 3',
    '10 sys peek(43)+256*peek(44)+26',
  ])('has all of %s', (text) => {
    expect(missingBasic(programOf(text))).toBeNull()
  })

  it.each([
    ['10 print "a"\n20 for i=1 to 3', 20, 'FOR'],
    ['10 a$="x"', 10, 'A$'],
    ['10 print a', 10, 'A'],
    ['10 print chr$(147)', 10, 'CHR$'],
    ['10 print 1/2', 10, '/'],
    ['10 sys 49152\n20 goto 10', 20, 'GOTO'],
    ['10 load "x",8', 10, 'LOAD'],
  ])('lacks a word of %s', (text, line, word) => {
    expect(missingBasic(programOf(text))).toEqual({ line, word })
  })

  it('does not judge what follows the SYS of a program with machine code', () => {
    expect(missingBasic(programOf('10 sys 2080\n20 goto 10', new Array(40).fill(0x60)))).toBeNull()
  })

  it('does not judge a program without BASIC lines', () => {
    expect(missingBasic(parsePrg(Uint8Array.of(0x00, 0xc0, 0xee, 0x20, 0xd0, 0x60)))).toBeNull()
  })
})
