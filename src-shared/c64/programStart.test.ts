import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePrg, type Program } from './prg'
import { loadedBytes, startCommand } from './programStart'

const program = (loadAddress: number, bytes: readonly number[]): Program =>
  parsePrg(Uint8Array.of(loadAddress & 0xff, loadAddress >> 8, ...bytes))
const petscii = (text: string) => Array.from(text, (character) => character.charCodeAt(0))

/** A BASIC line at an address. */
const line = (address: number, number: number, text: readonly number[]): number[] => {
  const next = address + 4 + text.length + 1
  return [next & 0xff, next >> 8, number & 0xff, number >> 8, ...text, 0]
}
const SYS_2061 = [0x9e, ...petscii('2061')]
/** 10 SYS2061, the end of the program, RTS. */
const stub = [...line(0x0801, 10, SYS_2061), 0, 0, 0x60]
const filled = (length: number, value = 0x20) => Array<number>(length).fill(value)

describe('what starts a program', () => {
  it.each([
    ['at $0801', program(0x0801, stub)],
    ['from $0800', program(0x0800, [0, ...stub])],
    ['from $07FF', program(0x07ff, [0, 0, ...stub])],
    ['from $0658', program(0x0658, [...filled(0x0801 - 0x0658), ...stub])],
    ['from $0400, over the screen', program(0x0400, [...filled(0x0801 - 0x0400), ...stub])],
    ['from $0000, over everything that the KERNAL keeps', program(0, [...filled(0x0801), ...stub])],
    ['without the end of the program', program(0x0801, line(0x0801, 10, SYS_2061))],
    [
      'behind a REM, with spaces and brackets',
      program(0x0801, [...line(0x0801, 1, [0x8f, 0x41]), ...line(0x0808, 2, [0x9e, ...petscii(' (49152)')]), 0, 0]),
    ],
    ['without any SYS', program(0x0801, [...line(0x0801, 10, [0x99, ...petscii(' "HELLO"')]), 0, 0])],
    ['as long as a line can be', program(0x0801, line(0x0801, 10, [0x8f, ...filled(253)]))],
    ['with a line number beyond what can be typed', program(0x0801, [...line(0x0801, 0xffff, SYS_2061), 0, 0])],
    ['whose link leads elsewhere', program(0x0801, [0x01, 0x01, 0x0a, 0x00, ...SYS_2061, 0, 0, 0])],
    ['whose link leads beyond the file', program(0x0801, [0x00, 0xff, 0x0a, 0x00, 0x9e, ...petscii(' (2061)'), 0])],
  ])('is RUN for a BASIC program %s', (_where, basic) => {
    expect(startCommand(basic)).toBe('run:\n')
  })

  it.each([
    ['that lies elsewhere', 0xc000, [0x60], 49152],
    ['just behind BASIC’s first byte', 0x0802, stub, 2050],
    ['that ends before $0801', 0x0400, filled(0x400), 1024],
    ['that ends within the first line', 0x0801, stub.slice(0, 9), 2049],
    ['that ends before the zero of the first line', 0x0801, line(0x0801, 10, SYS_2061).slice(0, -1), 2049],
    ['of one byte', 0x0801, [0x60], 2049],
    ['of machine code at $0801', 0x0801, [0xee, 0x20, 0xd0, 0x60], 2049],
    ['of machine code that looks like a line', 0x0801, [0x20, 0x44, 0xe5, 0xa9, 0x93, 0x20, 0xd2, 0xff, 0, 0], 2049],
    ['with an empty BASIC program', 0x0800, [0, 0, 0, 0x60], 2048],
    ['with an empty line', 0x0801, [...line(0x0801, 10, []), 0, 0], 2049],
    ['with a link below $0100', 0x0801, [0x0b, 0x00, 0x0a, 0x00, ...SYS_2061, 0, 0, 0], 2049],
    ['with a line that is too long', 0x0801, line(0x0801, 10, filled(255)), 2049],
    ['in the tape buffer', 0x0334, [0x60], 820],
    ['below the vectors', 0x02a7, filled(0x59), 679],
    ['that goes on under ROM', 0x9fff, [0xea, 0x60], 40959],
    ['in the last byte before the chips', 0xcfff, [0x60], 53247],
  ])('is SYS for a program %s', (_what, loadAddress, bytes, address) => {
    expect(startCommand(program(loadAddress, bytes))).toBe(`sys${address}:\n`)
  })

  it('is RUN for a program that takes over the prompt while it is loaded', () => {
    expect(startCommand(program(0x0302, [0x00, 0xc0]))).toBe('run:\n')
    expect(startCommand(program(0x02a7, filled(0x5d)))).toBe('run:\n')
    expect(startCommand(program(0x0326, [0x00, 0xc0]))).toBe('run:\n')
    expect(startCommand(program(0x01f0, filled(0x10, 0x02)))).toBe('run:\n')
  })

  it('is RUN, in vain as in VICE, for what SYS cannot reach under ROM and chips', () => {
    for (const address of [0xa000, 0xbfff, 0xd000, 0xe000, 0xffff])
      expect(startCommand(program(address, [0x60]))).toBe('run:\n')
    expect(startCommand(program(0xc000, [0x60]))).toBe('sys49152:\n')
  })

  it('fits the keyboard buffer, whatever is loaded', () => {
    fc.assert(
      fc.property(fc.nat(0xff00), fc.uint8Array({ minLength: 1, maxLength: 0x100 }), (address, bytes) => {
        expect(startCommand(program(address, [...bytes]))).toMatch(/^(run|sys\d{1,5}):\n$/)
      }),
    )
  })
})

describe('what a load leaves in RAM', () => {
  it.each([
    ['a BASIC program', program(0x0801, stub), [0x0e, 0x08]],
    ['any other', program(0xc000, [0x60]), [0x01, 0xc0]],
    ['one to the end of memory', program(0xffff, [0x60]), [0x00, 0x00]],
  ])('is BASIC’s and LOAD’s pointers to its end, for %s', (_what, loaded, end) => {
    const start = [0x01, 0x08]
    expect(loadedBytes(loaded)).toEqual([
      { address: loaded.loadAddress, bytes: loaded.bytes },
      { address: 0x2b, bytes: Uint8Array.of(...start, ...end, ...end, ...end) },
      { address: 0xac, bytes: Uint8Array.of(...start, ...end) },
    ])
  })
})
