import { describe, expect, it } from 'vitest'
import { spaces } from '../contract/memory'
import { bankingPins, labelAt, placesIn, regionAt } from './banking'
import { regions } from './memoryMap'

const nameAt = (space: (typeof spaces)[number], pins: number, address: number) =>
  regionAt(placesIn(space, pins), address).name

describe('what a space holds', () => {
  it('is without gap or overlap, whatever the port says', () => {
    for (const space of spaces) {
      for (let pins = 0; pins < 8; pins++) {
        const next = placesIn(space, pins).regions.reduce((start, region) => {
          expect(region.start).toBe(start)
          return region.end + 1
        }, 0)
        expect(next).toBe(0x10000)
      }
    }
  })

  it('is for the CPU after power-on what the memory map says', () => {
    expect(placesIn('cpu', bankingPins(0x2f, 0x37)).regions).toEqual(regions)
  })

  it('follows the port for the CPU', () => {
    const at = (pins: number) => [0xa000, 0xd000, 0xe000].map((address) => nameAt('cpu', pins, address))
    expect(at(bankingPins(0x2f, 0x36))).toEqual(['RAM at $A000', 'VIC-II', 'KERNAL ROM'])
    expect(at(bankingPins(0x2f, 0x35))).toEqual(['RAM at $A000', 'VIC-II', 'RAM at $E000'])
    expect(at(bankingPins(0x2f, 0x33))).toEqual(['BASIC ROM', 'Characters', 'KERNAL ROM'])
    expect(at(bankingPins(0x2f, 0x34))).toEqual(['RAM at $A000', 'RAM at $D000', 'RAM at $E000'])
    expect(at(bankingPins(0x00, 0x00))).toEqual(['BASIC ROM', 'VIC-II', 'KERNAL ROM'])
  })

  it('is RAM throughout in the RAM, and ROM where there is one in the ROM, whatever the port says', () => {
    expect([0xa000, 0xd020, 0xffd2].map((address) => nameAt('ram', 7, address))).toEqual([
      'RAM at $A000',
      'RAM at $D000',
      'RAM at $E000',
    ])
    expect([0xa000, 0xd020, 0xffd2].map((address) => nameAt('rom', 0, address))).toEqual([
      'BASIC ROM',
      'Characters',
      'KERNAL ROM',
    ])
  })

  it('has an open bus at the expansion port’s addresses, where the I/O area is seen', () => {
    expect(placesIn('cpu', 7).openBus).toEqual({ start: 0xde00, end: 0xe000 })
    expect(placesIn('io', 0).openBus).toEqual({ start: 0xde00, end: 0xe000 })
    expect(
      [placesIn('cpu', 4), placesIn('cpu', 3), placesIn('ram', 7), placesIn('rom', 7)].map(({ openBus }) => openBus),
    ).toEqual([null, null, null, null])
  })
})

describe('names', () => {
  const at = (space: (typeof spaces)[number], pins: number, ...addresses: number[]) =>
    addresses.map((address) => labelAt(placesIn(space, pins), address)?.name)

  it('are those of chips and KERNAL only where these are', () => {
    expect(at('cpu', 7, 0xd020, 0xffd2, 0x00c6)).toEqual(['VIC.BORDER', 'CHROUT', 'NDX'])
    expect(at('ram', 7, 0xd020, 0xffd2, 0x00c6)).toEqual([undefined, undefined, 'NDX'])
    expect(at('rom', 7, 0xd020, 0xffd2)).toEqual([undefined, 'CHROUT'])
    expect(at('cpu', 5, 0xd020, 0xffd2)).toEqual(['VIC.BORDER', undefined])
  })

  it('are those of the CPU’s vectors in RAM too', () => {
    expect(at('cpu', 5, 0xfffa, 0xfffe)).toEqual(['NMIVEC', 'IRQVEC'])
  })
})
