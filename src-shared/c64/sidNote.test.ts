import { expect, it } from 'vitest'
import { frequencyValue, noteBytes, noteFrequency } from './sidNote'

it('Notes have the frequencies of equal temperament', () => {
  expect(['A4', 'a5', 'C4', 'Bb3', 'A#3'].map((note) => Math.round(noteFrequency(note) ?? 0))).toEqual([
    440, 880, 262, 233, 233,
  ])
  expect(noteFrequency('1000.5')).toBe(1000.5)
  expect(['H4', 'A', '', 'A9', '-1'].map(noteFrequency)).toEqual([null, null, null, null, null])
})

it('The frequency registers count in the clock of the machine', () => {
  expect([frequencyValue(440, 'pal'), frequencyValue(440, 'ntsc')]).toEqual([7493, 7218])
  expect([frequencyValue(0, 'pal'), frequencyValue(5000, 'pal')]).toEqual([null, null])
})

it('A note is the seven registers of a voice, and its gate', () => {
  const note = { voice: 1, frequency: 0x1d45, waveform: 'pulse', pulseWidth: 0x0800, envelope: [0, 9, 15, 4] } as const
  expect(noteBytes(note)).toEqual({
    registers: Uint8Array.of(0x45, 0x1d, 0x00, 0x08, 0x40, 0x09, 0xf4),
    gateOn: 0x41,
    gateOff: 0x40,
  })
})
