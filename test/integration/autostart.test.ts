/** Programs as they are found, started in the built-in C64 with our own boot ROM. */
import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { startProgram } from '../../src-main/machine/builtin/autostart'
import { C64 } from '../../src-main/machine/builtin/c64'
import { readRoms } from '../support/ownRoms'

beforeAll(() => {
  execFileSync(process.execPath, [resolve('scripts/assemble.mjs')])
})

const MARK = 0xcff0
/** Where the code that every program here ends with lies; it counts at {@link MARK} how often it was called. */
const CODE = 0x0900
const code = [0xee, MARK & 0xff, MARK >> 8, 0x60]

/** Calls of the code within a second after the start. */
function calls(file: Uint8Array): number {
  const machine = new C64(readRoms(), 'pal')
  startProgram(machine, file)
  const before = machine.space.ram[MARK] ?? 0
  for (let frame = 0; frame < 50; frame++) machine.runFrame()
  return ((machine.space.ram[MARK] ?? 0) - before) & 0xff
}

const tokens: Readonly<Record<string, number>> = {
  REM: 0x8f,
  POKE: 0x97,
  PRINT: 0x99,
  CLR: 0x9c,
  SYS: 0x9e,
  NEW: 0xa2,
  PEEK: 0xc2,
  '+': 0xaa,
  '-': 0xab,
  '*': 0xac,
  END: 0x80,
}

/** A line of BASIC as text, keywords in capitals; with its link and number at an address. */
function line(address: number, number: number, text: string): number[] {
  const words = text.split(/("[^"]*"?|REM.*|[A-Z]+|[-+*/^])/)
  const bytes = words.flatMap((word) => {
    const [, keyword = word, rest = ''] = /^(REM)(.*)$/.exec(word) ?? []
    const token = tokens[keyword]
    const plain = Array.from(token === undefined ? word : rest, (character) => character.charCodeAt(0))
    return token === undefined ? plain : [token, ...plain]
  })
  const next = address + 4 + bytes.length + 1
  return [next & 0xff, next >> 8, number & 0xff, number >> 8, ...bytes, 0]
}

function basicProgram(lines: readonly string[]): Uint8Array {
  let address = 0x0801
  const bytes = lines.flatMap((text, index) => {
    const one = line(address, 10 * (index + 1), text)
    address += one.length
    return one
  })
  const image = new Uint8Array(CODE - 0x0801 + code.length)
  image.set(bytes)
  image.set(code, CODE - 0x0801)
  return Uint8Array.of(0x01, 0x08, ...image)
}

describe('our boot ROM runs a program', () => {
  it.each([
    [['SYS2304']],
    [['SYS 2304']],
    [['SYS  (2304)']],
    [['SYS(2304)']],
    [['SYS(((2304)))']],
    [['SYS2304:REM BY SOMEBODY']],
    [['SYS 2304 : NEW']],
    [['  SYS2304']],
    [[':::SYS2304']],
    [['SYS2048+256']],
    [['SYS 9*256']],
    [['SYS9*256:']],
    [['SYS 2*(1024+128)']],
    [['SYS PEEK(43)+256*PEEK(44)+255']],
    [['SYS PEEK(44)*256+256']],
    [['SYS2304 BY SOMEBODY']],
    [['SYS2304"BY SOMEBODY']],
    [['REM A LOADER', 'REM', 'SYS2304']],
    [['POKE53280,0:POKE 53281 , 0', 'PRINT"HELLO";:PRINT', 'SYS2304']],
    [['CLR:SYS2304:END', 'SYS2304']],
  ])('whose lines are %j', (lines) => {
    expect(calls(basicProgram(lines))).toBe(1)
  })

  it('that was wrapped for an emulator (P00)', () => {
    const header = new Uint8Array(26)
    header.set(new TextEncoder().encode('C64File'))
    expect(calls(Uint8Array.of(...header, ...basicProgram(['SYS2304'])))).toBe(1)
  })

  it.each([0x033c, 0x0400, 0x0801, 0x0802, 0x1000, 0x9ff0, 0xc000, 0xcfe0])(
    'of machine code alone, from address %i on',
    (address) => {
      expect(calls(Uint8Array.of(address & 0xff, address >> 8, ...code))).toBe(1)
    },
  )
})
