import { describe, expect, it } from 'vitest'
import { addressesOf, labelFor, regionOf, regions } from './memoryMap'

describe('the regions', () => {
  it('cover the 64 KiB without gap or overlap', () => {
    const next = regions.reduce((start, region) => {
      expect(region.start).toBe(start)
      return region.end + 1
    }, 0)
    expect(next).toBe(0x10000)
  })

  it('are found by address', () => {
    expect([0x0000, 0x0100, 0xa000, 0xd020, 0xdbff, 0xffff].map((address) => regionOf(address).name)).toEqual([
      'Zero page',
      'Stack',
      'BASIC ROM',
      'VIC-II',
      'Colour RAM',
      'KERNAL ROM',
    ])
    expect(() => regionOf(0x10000)).toThrow(RangeError)
  })
})

describe('labels', () => {
  it('name variables, registers and KERNAL routines', () => {
    expect(
      [0x0001, 0x00c6, 0x0314, 0xd020, 0xd418, 0xdc0d, 0xdd00, 0xffd2].map((address) => labelFor(address)?.name),
    ).toEqual(['R6510', 'NDX', 'CINV', 'VIC.BORDER', 'SID.VOLUME', 'CIA1.ICR', 'CIA2.PRA', 'CHROUT'])
  })

  it('count on within something longer', () => {
    expect(labelFor(0x0279)?.name).toBe('KEYD+2')
    expect(labelFor(0xd800 + 40)?.name).toBe('COLOURRAM+40')
  })

  it('tell the repetition of a chip from its registers', () => {
    expect(labelFor(0xd060)).toEqual({ name: 'VIC.BORDER', description: 'Border colour (a repetition)' })
    expect(labelFor(0xd03f)).toBeUndefined()
  })

  it('have none for free memory', () => {
    expect(labelFor(0xc000)).toBeUndefined()
  })

  it('put each register at its hardware address', () => {
    expect(
      [
        'VIC.SP7Y',
        'VIC.CONTROL1',
        'VIC.MEMORY',
        'VIC.SPBGHIT',
        'VIC.SP7COLOUR',
        'SID.V3SR',
        'SID.ENV3',
        'CIA2.CRB',
      ].map(addressesOf),
    ).toEqual([[0xd00f], [0xd011], [0xd018], [0xd01f], [0xd02e], [0xd414], [0xd41c], [0xdd0f]])
  })

  it('lead back to the address, with or without the chip', () => {
    expect(addressesOf('vic.border')).toEqual([0xd020])
    expect(addressesOf('BORDER')).toEqual([0xd020])
    expect(addressesOf('icr')).toEqual([0xdc0d, 0xdd0d])
    expect(addressesOf('nothing')).toEqual([])
  })
})
