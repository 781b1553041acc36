import { describe, expect, it } from 'vitest'
import { setBit } from '@shared/bitmap'
import { LabelTable } from '@shared/c64/labels/labelTable'
import { namesOf } from '@shared/c64/labels/names'
import { codeAround } from './codeAround'

describe('the code at the PC', () => {
  // LDA #$0E; STA $D020; JSR $FFD2; NOP …
  const code = [0xa9, 0x0e, 0x8d, 0x20, 0xd0, 0x20, 0xd2, 0xff]
  const read = (address: number) => code[address - 0x1000] ?? 0xea

  const none = new Set<number>()
  const from = (address: number, seen = none, anchor: number | null = null) =>
    codeAround({ read, runs: null, pc: address, seen, anchor, linesBelow: 24 })
  const next = ({ lines }: Pick<ReturnType<typeof from>, 'lines'>) => lines.findIndex(({ isNext }) => isNext)

  it('names what it uses', () => {
    const { lines } = from(0x1000)
    const begin = next({ lines })
    expect(lines.slice(begin, begin + 4).map(({ text, comment }) => [text, comment])).toEqual([
      ['LDA #$0E', ''],
      ['STA $D020', 'VIC.BORDER'],
      ['JSR $FFD2', 'CHROUT'],
      ['NOP', ''],
    ])
    expect(lines.filter(({ isNext }) => isNext)).toHaveLength(1)
  })

  it('has the program’s labels in lines and operands, with the address beside them', () => {
    const label = (name: string, address: number) => ({
      name,
      address,
      scope: null,
      size: null,
      kind: 'label' as const,
    })
    const names = namesOf(new LabelTable([label('start', 0x1000), label('print', 0x1005), label('border', 0xd020)]))
    const { lines } = codeAround({ read, runs: null, pc: 0x1000, seen: none, anchor: 0x1000, names, linesBelow: 24 })
    expect(lines.slice(0, 3).map(({ labels, text, comment }) => [labels, text, comment])).toEqual([
      [['start'], 'LDA #$0E', ''],
      [[], 'STA border', '$D020'],
      [['print'], 'JSR $FFD2', 'CHROUT'],
    ])
  })

  it('begins above the PC, with lines that are certain only where the CPU was seen', () => {
    const { lines } = from(0x1005, new Set([0x1002]))
    const above = lines.slice(0, next({ lines }))
    expect(above.slice(-2).map(({ address, kind }) => [address, kind])).toEqual([
      [0x1000, 'guess'],
      [0x1002, 'run'],
    ])
    expect(lines.slice(above.length).every(({ kind }) => kind === 'run')).toBe(true)
  })

  it('shows bytes where no instruction can lead to one that was seen', () => {
    // $20 and $D0 within STA $D020 are taken for JSR and BNE.
    const { lines } = from(0x1003, new Set([0x1003]), 0x1000)
    expect(lines.slice(0, 3).map(({ text }) => text)).toEqual(['LDA #$0E', '.byte $8D', 'JSR $20D0'])
  })

  it('keeps its place while the PC moves through it', () => {
    const code = from(0x1002, none, 0x1000)
    expect([code.anchor, next(code)]).toEqual([0x1000, 1])
  })

  it('begins elsewhere when the PC left it', () => {
    expect(from(0x2000, none, 0x1000).anchor).toBe(0x2000 - 96)
    expect(from(0x0ff0, none, 0x1000).anchor).toBeLessThan(0x0ff0)
  })

  it('has nothing above $0000, and goes on there behind $FFFF', () => {
    expect(from(0).lines[0]?.address).toBe(0)
    const { lines } = from(0xffff)
    expect(lines[next({ lines }) + 1]?.address).toBe(0)
  })
})

describe('the code at the PC of a machine that tells what it ran', () => {
  // LDA $1008; JMP $100A; "HALLO WORLD", then INX; RTS that ran, and JMP $1000.
  const text = Array.from('HALLO WORLD', (character) => character.charCodeAt(0))
  const code = [0xad, 0x08, 0x10, 0x4c, 0x11, 0x10, ...text, 0xe8, 0x60, 0x4c, 0x00, 0x10]
  const read = (address: number) => code[address - 0x1000] ?? 0
  const ran = (...ranges: (readonly [number, number])[]) => {
    const runs = new Uint8Array(0x2000)
    for (const [start, end] of ranges) for (let address = start; address <= end; address++) setBit(runs, address)
    return runs
  }
  const around = (pc: number, runs: Uint8Array, anchor: number | null = null, seen = new Set<number>()) =>
    codeAround({ read, runs, pc, seen, anchor, linesBelow: 24 })
  const shown = ({ lines }: ReturnType<typeof around>, from: number, count: number) =>
    lines
      .filter(({ address }) => address >= from)
      .slice(0, count)
      .map(({ kind, text }) => [kind, text])

  it('has data where nothing was run, above the PC and below it', () => {
    const code = around(0x1011, ran([0x1000, 0x1005], [0x1011, 0x1012]))
    expect(shown(code, 0x1000, 7)).toEqual([
      ['run', 'LDA $1008'],
      ['run', 'JMP $1011'],
      ['data', '.text "HALLO WO"'],
      ['data', '.byte $52,$4C,$44'],
      ['run', 'INX'],
      ['run', 'RTS'],
      ['data', '.byte $4C,$00,$10,$00,$00,$00,$00,$00'],
    ])
    expect(code.lines.find(({ isNext }) => isNext)?.address).toBe(0x1011)
  })

  it('takes the instruction at the PC, and those that were seen since, for code', () => {
    const code = around(0x1013, ran([0x1000, 0x1005]), null, new Set([0x1011]))
    expect(shown(code, 0x1011, 3)).toEqual([
      ['run', 'INX'],
      ['guess', 'RTS'],
      ['run', 'JMP $1000'],
    ])
  })

  it('keeps its place while the PC moves through it, and begins elsewhere where its lines do not lead to the PC', () => {
    const runs = ran([0x1000, 0x1005], [0x1011, 0x1015])
    const { anchor } = around(0x1000, runs)
    expect(around(0x1003, runs, anchor).anchor).toBe(anchor)
    expect(around(0x1011, runs, anchor).anchor).toBe(anchor)
    const within = around(0x1004, runs, 0x1000)
    expect(within.lines.find(({ isNext }) => isNext)?.text).toBe('ORA ($10),Y')
    expect(within.lines.map(({ address, length }) => address + length)).toContain(0x1004)
  })

  it('has nothing above $0000, and goes on there behind $FFFF', () => {
    const runs = ran([0, 2], [0xffff, 0xffff])
    expect(around(0, runs).lines[0]?.address).toBe(0)
    const { lines } = around(0xffff, runs)
    expect(lines[lines.findIndex(({ isNext }) => isNext) + 1]?.address).toBe(0)
  })
})
