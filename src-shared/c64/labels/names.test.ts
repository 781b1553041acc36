import { describe, expect, it } from 'vitest'
import { describeAddress, parseAddressRange, parseTypedAddress, parseUnambiguousAddress } from '../address'
import { LabelTable } from './labelTable'
import { addressOfWritten, builtInNames, labelWritten, namesOf } from './names'
import type { ProgramLabel } from './programLabel'

const label = (name: string, address: number, scope: string | null = null): ProgramLabel => ({
  name,
  address,
  scope,
  size: null,
  kind: 'code',
})
const names = namesOf(
  new LabelTable([
    label('main', 0x810),
    label('loop', 0x812, 'main'),
    label('loop', 0x832, 'draw'),
    label('border', 0xd020),
    label('color', 0xd021),
    label('face', 0x900),
    label('irq', 0xffd0),
  ]),
)

describe('names', () => {
  it('are the program’s before those of every C64', () => {
    expect(parseTypedAddress('main', names)).toBe(0x810)
    expect(parseTypedAddress('COLOR', names)).toBe(0xd021)
    expect(parseTypedAddress('COLOR')).toBe(0x286)
    expect(parseTypedAddress('chrout', names)).toBe(0xffd2)
  })

  it('win over a hexadecimal number that reads alike, unless it has its sign', () => {
    expect(parseUnambiguousAddress('face', names)).toBe(0x900)
    expect(parseUnambiguousAddress('$face', names)).toBe(0xface)
    expect(parseUnambiguousAddress('face', builtInNames)).toBe(0xface)
  })

  it('are refused where they are not unique, with what they may mean', () => {
    expect(() => parseTypedAddress('loop', names)).toThrow('“loop” could be main.loop or draw.loop.')
    expect(parseTypedAddress('draw.loop', names)).toBe(0x832)
  })

  it('stand at both ends of a range', () => {
    expect(parseAddressRange('main-draw.loop', parseTypedAddress, names)).toEqual({ start: 0x810, end: 0x833 })
    expect(parseAddressRange('main+16', parseTypedAddress, names)).toEqual({ start: 0x810, end: 0x820 })
  })

  it('say what an address is called: one of its own before the distance from another', () => {
    expect(describeAddress(0x810, names)).toBe('$0810 = 2064 = main')
    expect(names.at(0x814)?.name).toBe('main.loop+2')
    expect(names.at(0xd020)?.name).toBe('border')
    expect(names.at(0xffd2)?.name).toBe('CHROUT')
    expect(names.at(0xc000)).toBeUndefined()
    expect(names.programLabelsAt(0x812).map(({ name }) => name)).toEqual(['loop'])
  })

  it('are kept with what begins at them, or behind them, until the program is rebuilt', () => {
    const followed = (text: string, start: number) => labelWritten(text, start, names)
    expect(followed('main', 0x810)).toBe('main')
    expect(followed('draw.loop+12', 0x83e)).toBe('draw.loop+12')
    expect(followed('main+$02..main+4', 0x812)).toBe('main+2')
    expect(followed('main-$0820', 0x810)).toBe('main')
    expect(followed('$0810', 0x810)).toBeNull()
    expect(followed('chrout+1', 0xffd3)).toBeNull()

    const rebuilt = new Map([
      ['main', [0x900]],
      ['twice', [1, 2]],
      ['top', [0xfffe]],
    ])
    const now = (label: string) => addressOfWritten(label, (name) => rebuilt.get(name) ?? [])
    expect(['main', 'main+12', 'twice+1', 'gone', 'top+1', 'top+2'].map(now)).toEqual([
      0x900,
      0x90c,
      null,
      null,
      0xffff,
      null,
    ])
  })
})
