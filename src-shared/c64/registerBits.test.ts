import { describe, expect, it } from 'vitest'
import { chips, type ChipId } from './chips'
import { bitsLimit, registerBits, withBitChanged } from './registerBits'

const every = (['vic', 'sid', 'cia1', 'cia2'] as const satisfies readonly ChipId[]).flatMap((chip) =>
  chips[chip].registers.map(({ name }) => [chip, name] as const),
)

describe('the bits of a register', () => {
  it.each(every)('of %s %s are eight, each with a title', (chip, name) => {
    const bits = registerBits(chip, name)
    expect(bits.map(({ bit }) => bit)).toEqual([7, 6, 5, 4, 3, 2, 1, 0])
    expect(bits.every(({ title }) => title !== '')).toBe(true)
  })

  it('are those of any sprite and any voice', () => {
    expect(registerBits('vic', 'SP3COLOUR')[7]).toEqual({ bit: 0, title: 'colour, bit 0' })
    expect(registerBits('sid', 'V2CONTROL')[7]).toEqual({ bit: 0, title: 'gate' })
    expect(
      registerBits('vic', 'CONTROL1')
        .slice(2, 6)
        .map(({ title }) => title),
    ).toEqual(['bitmap', 'display on', '25 rows', 'vertical scroll, bit 2'])
  })

  it('cannot be changed where a read does not return what was written, or nothing can be written', () => {
    expect(bitsLimit('vic', 'RASTER')).toContain('kept apart')
    expect(bitsLimit('cia1', 'ICR')).toContain('kept apart')
    expect(bitsLimit('vic', 'SPSPHIT')).toContain('only be read')
    expect(bitsLimit('vic', 'BORDER')).toBeNull()
    expect(bitsLimit('sid', 'V1CONTROL')).toBeNull()
  })

  it('change one at a time', () => {
    expect(withBitChanged('CONTROL2', 0xc8, 4)).toBe(0xd8)
    expect(withBitChanged('CONTROL2', 0xd8, 4)).toBe(0xc8)
  })

  it('keep the other interrupts of the VIC-II, and do not take the raster line for what was written', () => {
    expect(withBitChanged('IRQ', 0x8f, 0)).toBe(0x01)
    expect(withBitChanged('CONTROL1', 0x9b, 5)).toBe(0x3b)
    expect(withBitChanged('CONTROL1', 0x1b, 7)).toBe(0x9b)
  })
})
