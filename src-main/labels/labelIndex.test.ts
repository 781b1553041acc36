import { locationOf } from '@shared/c64/banking'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createLabelIndex } from './labelIndex'

const fixture = (name: string) => new Uint8Array(readFileSync(`test/fixtures/labels/${name}`))
const machine = 'builtin'

describe('the labels of a machine', () => {
  const index = createLabelIndex()
  const read = (name: string) => index.read({ machine, path: `/p/${name}`, bytes: fixture(name) })
  const resolve = (text: string, range = false) => index.resolve({ machine, text, range })

  it('come from several files, each label once', () => {
    expect(read('borderCa65.dbg')).toMatchObject({ format: 'cc65 debug file', labels: 8, lines: 16, problem: null })
    expect(read('borderCa65.lbl')).toMatchObject({ format: 'VICE labels', labels: 6, lines: 0 })
    expect(index.keep({ machine, paths: ['/p/borderCa65.dbg', '/p/borderCa65.lbl'] })).toBe(8)
  })

  it('stand for addresses and ranges', () => {
    expect(resolve('main')).toEqual({ start: 0x80d, end: 0x80d, label: 'main', line: null })
    expect(resolve('main.loop-draw', true)).toEqual({ start: 0x80f, end: 0x819, label: 'main.loop', line: null })
    expect(resolve('VIC.BORDER')).toEqual({ start: 0xd020, end: 0xd020, label: null, line: null })
    expect(resolve('$c000+16', true)).toEqual({ start: 0xc000, end: 0xc00f, label: null, line: null })
    expect(() => resolve('nothing')).toThrow('“nothing” is not an address, a label or a register.')
  })

  it('name addresses, with their source lines', () => {
    const locations = [0x80d, 0x810, locationOf('rom', 0xffd2), 0xc000]
    expect(index.describe({ machine, locations })).toEqual([
      { name: 'main', called: 'main', isLabel: true, source: 'borderCa65.s:12' },
      { name: 'main.loop+1', called: 'main.loop+1', isLabel: false, source: 'borderCa65.s:15' },
      { name: 'CHROUT', called: 'CHROUT', isLabel: false, source: null },
      { name: null, called: null, isLabel: false, source: null },
    ])
  })

  it('take a source line in place of an address, by the end of its path', () => {
    expect(resolve('borderCa65.s:12')).toMatchObject({ start: 0x80d, line: { file: 'borderCa65.s', line: 12 } })
    expect(() => resolve('borderCa65.s:13')).toThrow('has no code')
    expect(() => resolve('none.s:12')).toThrow('No loaded debug file names a source none.s.')
  })

  it('are not those of code in the RAM under a ROM', () => {
    const moved = new TextDecoder().decode(fixture('borderCa65.dbg')).replaceAll(/0x0008(\w\w)/g, '0x00A8$1')
    const bytes = new TextEncoder().encode(moved.replaceAll(/val=0x8(\w\w)/gi, 'val=0xA8$1'))
    const under = createLabelIndex()
    under.read({ machine, path: '/p/under.dbg', bytes })
    const [inRam, inRom] = under.describe({ machine, locations: [0xa810, locationOf('rom', 0xa810)] })
    expect(inRam).toMatchObject({ name: 'main.loop+1', source: 'borderCa65.s:15' })
    expect(inRom).toMatchObject({ name: null, source: null })
  })

  it('are those of the memory that an address is in', () => {
    const called = (...locations: number[]) => index.describe({ machine, locations }).map(({ called }) => called)
    expect(called(locationOf('io', 0xd016), 0xd016, locationOf('rom', 0xd016))).toEqual([
      'VIC.CONTROL2',
      'RAM under I/O',
      'character ROM',
    ])
    expect(called(locationOf('io', 0xd020), 0xd020)).toEqual(['border', 'border, RAM under I/O'])
    expect(called(locationOf('rom', 0xffd2), 0xffd2, 0xa000)).toEqual([
      'CHROUT',
      'RAM under the KERNAL',
      'RAM under BASIC',
    ])
  })

  it('are where a file that is read again has them, and stay where it is damaged', () => {
    index.read({ machine, path: '/p/a.lbl', bytes: fixture('border.lbl') })
    index.keep({ machine, paths: ['/p/a.lbl'] })
    expect(resolve('main').start).toBe(0x80d)
    expect(() => index.read({ machine, path: '/p/a.lbl', bytes: Uint8Array.of(0, 1, 2) })).toThrow()
    expect(resolve('main').start).toBe(0x80d)
    index.read({ machine, path: '/p/a.lbl', bytes: fixture('moved.lbl') })
    expect(resolve('main').start).toBe(0x81d)
  })

  it('are each machine’s own', () => {
    expect(index.named({ machine: 'vice', label: 'main' })).toBeNull()
    expect(index.named({ machine, label: 'main' })).toBe(0x81d)
  })

  it('may be 50,000', () => {
    const lines = Array.from({ length: 50_000 }, (_, n) => `al C:${(n % 0xd000).toString(16)} .label_${n}\n`)
    const bytes = new TextEncoder().encode(lines.join(''))
    index.read({ machine: 'big', path: '/p/big.vs', bytes })
    expect(index.named({ machine: 'big', label: 'label_49999' })).toBe(49_999)
  })
})
