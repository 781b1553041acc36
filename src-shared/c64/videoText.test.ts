import { expect, it } from 'vitest'
import { describeVideo } from './videoText'

/** What a C64 has after power-on, with all bits that are not connected. */
function io(registers: Readonly<Record<number, number>> = {}): Uint8Array {
  const bytes = new Uint8Array(0x1000)
  bytes.fill(0xf0, 0x20, 0x2f)
  bytes.fill(0xff, 0x2f, 0x40)
  const power = { 0x11: 0x1b, 0x16: 0xc8, 0x18: 0x15, 0x19: 0x70, 0x1a: 0xf0, 0x20: 0xfe, 0x21: 0xf6, 0xd00: 0x97 }
  for (const [register, value] of Object.entries({ ...power, ...registers })) bytes[Number(register)] = value
  return bytes
}

const textOf = (bytes: Uint8Array, what: string) => describeVideo(bytes).find((line) => line.what === what)?.text

it('The VIC-II is told in words', () => {
  expect(describeVideo(io()).map(({ what, text }) => `${what}: ${text}`)).toEqual([
    'mode: text',
    'bank: 0 ($0000-$3FFF)',
    'screen: $0400',
    'characters: $1000 (ROM: capitals and graphics)',
    'size: 40 columns, 25 rows',
    'scroll: x 0, y 3',
    'border: light blue',
    'background: blue',
    'sprites on: none',
    'raster interrupt: off',
  ])
})

it('Each mode names what it draws from, and the backgrounds that it uses', () => {
  expect(textOf(io({ 0x11: 0x3b, 0x18: 0x1d }), 'bitmap')).toBe('$2000')
  expect(textOf(io({ 0x11: 0x5b }), 'background')).toBe('blue, black, black, black')
  expect(textOf(io({ 0x11: 0x0b }), 'mode')).toBe('text, but the display is off: all is border')
  expect(textOf(io({ 0x15: 0x81, 0x1a: 0xf1 }), 'sprites on')).toBe('0, 7')
})

it('Where the I/O area is switched off, nothing is claimed', () => {
  expect(describeVideo(new Uint8Array(0x1000)).map(({ what }) => what)).toEqual(['state'])
})
