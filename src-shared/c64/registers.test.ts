import { describe, expect, it } from 'vitest'
import type { ChipId } from './chips'
import { decodeChip, sidFrequency } from './registers'

function row(chip: ChipId, name: string, registers: Record<number, number>) {
  const io = new Uint8Array(0x1000)
  for (const [address, value] of Object.entries(registers)) io[Number(address) - 0xd000] = value
  const found = decodeChip(chip, io, 'pal').find((candidate) => candidate.name === name)
  if (!found) throw new Error(`${chip} has no ${name}`)
  return found
}
const meaning = (...args: Parameters<typeof row>) => row(...args).meaning

describe('the chips', () => {
  it('have a row for each register, at its address and with its value', () => {
    expect(
      (['vic', 'sid', 'cia1', 'cia2'] as const).map((chip) => decodeChip(chip, new Uint8Array(0x1000), 'pal').length),
    ).toEqual([47, 29, 16, 16])
    expect(row('vic', 'BORDER', { 0xd020: 0xfe })).toMatchObject({
      address: 0xd020,
      value: 0xfe,
      meaning: 'light blue',
      readable: 'read',
    })
    expect(row('cia2', 'CRB', { 0xdd0f: 0x08 })).toMatchObject({ address: 0xdd0f, value: 0x08 })
  })

  it('say which values are not what was written, and which cannot be read', () => {
    expect(row('vic', 'RASTER', {}).readable).toBe('latched')
    expect(row('cia1', 'TALO', {}).readable).toBe('latched')
    expect(row('sid', 'V1CONTROL', {}).readable).toBe('writeOnly')
    expect(row('sid', 'ENV3', {}).readable).toBe('read')
  })
})

describe('the VIC-II', () => {
  it('tells modes, positions and places in words', () => {
    expect(meaning('vic', 'CONTROL1', { 0xd011: 0x3b, 0xd016: 0x18 })).toBe(
      'multicolour bitmap, display on, 25 rows, scroll 3',
    )
    expect(meaning('vic', 'CONTROL2', { 0xd016: 0xc8 })).toBe('multicolour off, 40 columns, scroll 0')
    expect(meaning('vic', 'MEMORY', { 0xd018: 0x15, 0xdd00: 3 })).toBe(
      'screen $0400, characters $1000 (ROM), bitmap $0000',
    )
    expect(meaning('vic', 'RASTER', { 0xd011: 0x80, 0xd012: 0x1b })).toBe('line 283')
    expect(meaning('vic', 'SP3X', { 0xd006: 0x10, 0xd010: 0x08 })).toBe('x 272')
    expect(meaning('vic', 'SPENABLE', { 0xd015: 0x85 })).toBe('sprites 0, 2, 7')
    expect(meaning('vic', 'SPENABLE', { 0xd015: 0x80 })).toBe('sprite 7')
    expect(meaning('vic', 'SPENABLE', {})).toBe('none')
    expect(meaning('vic', 'IRQ', { 0xd019: 0xf1 })).toBe('raster')
    expect(meaning('vic', 'SP7COLOUR', { 0xd02e: 0xf1 })).toBe('white')
  })
})

describe('the SID', () => {
  it('has A4 at 7493 on a PAL machine', () => {
    expect(sidFrequency(7493, 'pal')).toBeCloseTo(440, 1)
    expect(meaning('sid', 'V1FREQLO', { 0xd400: 0x45, 0xd401: 0x1d })).toBe('440.0 Hz (A4)')
    expect(meaning('sid', 'V3FREQLO', {})).toBe('0.0 Hz')
  })

  it('tells waveform, envelope, pulse width and filter in words', () => {
    expect(meaning('sid', 'V2CONTROL', { 0xd40b: 0x41 })).toBe('pulse, gate on')
    expect(meaning('sid', 'V2CONTROL', { 0xd40b: 0x14 })).toBe('triangle, gate off, ring modulation')
    expect(meaning('sid', 'V1AD', { 0xd405: 0x2b })).toBe('attack 16 ms, decay 2.4 s')
    expect(meaning('sid', 'V1SR', { 0xd406: 0xf0 })).toBe('sustain 15 of 15, release 6 ms')
    expect(meaning('sid', 'V1PULSELO', { 0xd402: 0x00, 0xd403: 0xf8 })).toBe('50.0 % high')
    expect(meaning('sid', 'CUTOFFLO', { 0xd415: 0x07, 0xd416: 0xff })).toBe('cut-off 2047 of 2047')
    expect(meaning('sid', 'VOLUME', { 0xd418: 0x1f })).toBe('volume 15 of 15, low-pass')
    expect(meaning('sid', 'RESONANCE', { 0xd417: 0xf1 })).toBe('resonance 15 of 15, filters voice 1')
  })
})

describe('the CIAs', () => {
  it('tell timers in cycles and time', () => {
    expect(meaning('cia1', 'TALO', { 0xdc04: 0x25, 0xdc05: 0x40 })).toBe('16421 (16.67 ms)')
    expect(meaning('cia1', 'CRA', { 0xdc0e: 0x11 })).toBe('running, over and over, counts cycles, TOD from 60 Hz')
    expect(meaning('cia1', 'CRB', { 0xdc0f: 0x48 })).toBe('stopped, once, counts timer A')
  })

  it('tell the time of day, which is in BCD', () => {
    expect(meaning('cia1', 'TODHR', { 0xdc08: 3, 0xdc09: 0x59, 0xdc0a: 0x07, 0xdc0b: 0x91 })).toBe('11:07:59.3 PM')
  })

  it('tell interrupts, keyboard columns and the VIC-II bank', () => {
    expect(meaning('cia1', 'ICR', { 0xdc0d: 0x81 })).toBe('timer A, IRQ')
    expect(meaning('cia2', 'ICR', { 0xdd0d: 0x82 })).toBe('timer B, NMI')
    expect(meaning('cia1', 'PRA', { 0xdc00: 0x7f })).toBe('low: 7')
    expect(meaning('cia2', 'PRA', { 0xdd00: 0xc7 })).toBe('bank 0 ($0000), high: CLOCK in, DATA in')
    expect(meaning('cia1', 'DDRA', { 0xdc02: 0xff })).toBe('outputs: 0, 1, 2, 3, 4, 5, 6, 7')
  })
})
