import { describe, expect, it } from 'vitest'
import { LabelTable } from './labelTable'
import { fullNameOf, type ProgramLabel } from './programLabel'

const label = (name: string, address: number, more: Partial<ProgramLabel> = {}): ProgramLabel => ({
  name,
  address,
  scope: null,
  size: null,
  kind: 'label',
  ...more,
})

const table = new LabelTable([
  label('ptr', 0xfb),
  label('WIDTH', 40, { kind: 'constant' }),
  label('main', 0x810),
  label('loop', 0x812, { scope: 'main' }),
  label('draw', 0x830, { size: 12 }),
  label('start', 0x830, { scope: 'draw' }),
  label('loop', 0x832, { scope: 'draw' }),
  label('Loop', 0x900),
  label('_counter', 0x950),
])
const named = (text: string) => table.named(text).map(fullNameOf)
const near = (address: number) => {
  const found = table.near(address)
  return found && `${fullNameOf(found.label)}+${found.offset}`
}

describe('labels', () => {
  it('are found by name, with their scope where several have it', () => {
    expect(named('main')).toEqual(['main'])
    expect(named('loop')).toEqual(['main.loop', 'draw.loop'])
    expect(named('draw.loop')).toEqual(['draw.loop'])
    expect(named('nothing')).toEqual([])
  })

  it('are found as written first, then in any case, then with the underscore of a C compiler', () => {
    expect(named('Loop')).toEqual(['Loop'])
    expect(named('DRAW')).toEqual(['draw'])
    expect(named('counter')).toEqual(['_counter'])
  })

  it('give constants a value, never an address a constant’s name', () => {
    expect(table.named('WIDTH')[0]?.address).toBe(40)
    expect(near(40)).toBeUndefined()
  })

  it('tell what an address belongs to', () => {
    expect(near(0x810)).toBe('main+0')
    expect(near(0x811)).toBe('main+1')
    expect(near(0x830)).toBe('draw+0')
    expect(near(0x90f)).toBe('Loop+15')
    expect(near(0x80f)).toBeUndefined()
  })

  it('reach no further than their size, or than 256 bytes; variables are one byte', () => {
    expect(new LabelTable([label('draw', 0x830, { size: 12 })]).near(0x83c)).toBeUndefined()
    expect(near(0x950 + 255)).toBe('_counter+255')
    expect(near(0x950 + 256)).toBeUndefined()
    expect(near(0xfc)).toBeUndefined()
  })

  it('show a routine before what is local to it, and each label once', () => {
    expect(table.at(0x830).map(fullNameOf)).toEqual(['draw', 'draw.start'])
    expect(new LabelTable([label('a', 1), label('a', 1, { size: 3 })]).at(1)).toEqual([label('a', 1, { size: 3 })])
  })

  it('are searched by a part of their name, those that begin with it first', () => {
    expect(table.search('lo', 10).map(fullNameOf)).toEqual(['main.loop', 'draw.loop', 'Loop'])
    expect(table.search('raw', 2).map(fullNameOf)).toEqual(['draw', 'draw.loop'])
    expect(table.search('', 2)).toHaveLength(2)
  })
})
