import { describe, expect, it } from 'vitest'
import type { SpriteArt } from './artwork'
import { slotRuns, spriteRuns } from './slotRuns'

const sprite = (byte: number): SpriteArt => ({
  name: '',
  bytes: new Uint8Array(63).fill(byte),
  colour: 1,
  multicolour: false,
  expandX: false,
  expandY: false,
  overlay: false,
})

describe('artwork for a slot of a machine', () => {
  it('is sprites 64 bytes apart, whose last byte stays the program’s', () => {
    const runs = spriteRuns([sprite(1), sprite(2)], 0x2000, 'ram')
    expect(runs.map(({ address, bytes }) => [address, bytes.length, bytes[0]])).toEqual([
      [0x2000, 63, 1],
      [0x2040, 63, 2],
    ])
  })

  it('is a screen with its colours', () => {
    const runs = slotRuns(
      {
        kind: 'screen',
        name: '',
        mode: 'text',
        columns: 40,
        rows: 25,
        backgrounds: [0, 0, 0, 0],
        border: 0,
        codes: new Uint8Array(1000),
        colours: new Uint8Array(1000),
        characters: 'upper',
      },
      ...([0x0400, 'cpu'] as const),
    )
    expect(runs.map(({ space, address }) => [space, address])).toEqual([
      ['cpu', 0x0400],
      ['colorRam', 0xd800],
    ])
  })

  it('is refused where it goes past the end of memory', () => {
    expect(() => spriteRuns([sprite(1)], 0xffc2, 'ram')).toThrow(/past \$FFFF/)
  })
})
