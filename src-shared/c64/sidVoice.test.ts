import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { envelopePoints, sidVoice, waveformPoints, waveforms, type Point } from './sidVoice'

const ioWith = (registers: Readonly<Record<number, number>>): Uint8Array => {
  const io = new Uint8Array(0x1000)
  for (const [address, value] of Object.entries(registers)) io[Number(address) - 0xd000] = value
  return io
}

const shape = (points: readonly Point[]): string =>
  points.map(({ x, y }) => `${x.toFixed(2)}:${y.toFixed(2)}`).join(' ')

describe('a voice of the SID', () => {
  it('is read from its seven registers', () => {
    const io = ioWith({ 0xd409: 0x00, 0xd40a: 0xf8, 0xd40b: 0x41, 0xd40c: 0x2b, 0xd40d: 0xf0 })
    expect(sidVoice(io, 1)).toEqual({
      waveforms: ['pulse'],
      isGateOn: true,
      pulseWidth: 0.5,
      attack: 16,
      decay: 2400,
      sustain: 1,
      release: 6,
    })
    expect(sidVoice(io, 0)).toMatchObject({ waveforms: [], isGateOn: false })
  })

  it('draws two periods of its waveform', () => {
    expect(shape(waveformPoints({ waveforms: ['sawtooth'], pulseWidth: 0.5 }))).toMatch(
      /^0\.00:0\.00 .*0\.50:1\.00 0\.50:0\.00 .*1\.00:1\.00$/,
    )
    expect(shape(waveformPoints({ waveforms: ['triangle'], pulseWidth: 0 }))).toContain('0.25:1.00 0.25:1.00')
    const pulse = shape(waveformPoints({ waveforms: ['pulse'], pulseWidth: 0.5 }))
    expect(pulse).toContain('0.25:1.00')
    expect(pulse).toContain('0.25:0.00')
    expect(waveformPoints({ waveforms: [], pulseWidth: 0.5 })).toEqual([
      { x: 0, y: 0.5 },
      { x: 1, y: 0.5 },
    ])
  })

  it('draws an envelope that rises to the top, falls to the sustained level and to nothing', () => {
    const io = ioWith({ 0xd404: 0x11, 0xd405: 0x99, 0xd406: 0x89 })
    const points = envelopePoints(sidVoice(io, 0))
    expect([points[0], Math.max(...points.map(({ y }) => y)), points.at(-1)]).toEqual([
      { x: 0, y: 0 },
      1,
      { x: 1, y: 0 },
    ])
    expect(points.filter(({ y }) => Math.abs(y - 8 / 15) < 0.001)).toHaveLength(2)
  })

  it('stays within its picture, from left to right, whatever the registers hold', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 7, maxLength: 7 }), fc.subarray([...waveforms]), (bytes, chosen) => {
        const io = ioWith(Object.fromEntries([...bytes].map((byte, index) => [0xd400 + index, byte])))
        const voice = sidVoice(io, 0)
        for (const points of [envelopePoints(voice), waveformPoints({ ...voice, waveforms: chosen })]) {
          expect(points.every(({ x, y }) => x >= 0 && x <= 1.0001 && y >= 0 && y <= 1)).toBe(true)
          expect(points.every(({ x }, index) => x >= (points[index - 1]?.x ?? 0))).toBe(true)
        }
      }),
    )
  })
})
