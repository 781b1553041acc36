import { describe, expect, it } from 'vitest'
import type { SpriteLook } from '@shared/graphics/artwork'
import type { GraphicsImage } from '@shared/graphics/grab'
import { artworkInMemory } from './artworkInMemory'

const TEXT = 0x1b
const BITMAP = 0x3b

/** Screen at $0400; sprite 0 has its data at $2000, red, in multicolour. */
function image(control: number): GraphicsImage {
  const [ram, io] = [new Uint8Array(0x10000), new Uint8Array(0x1000)]
  ram[0x07f8] = 0x80
  ram.fill(0xaa, 0x2000, 0x2040)
  for (const [register, value] of [
    [0x11, control] as const,
    [0x16, 8] as const,
    [0x18, 0x18] as const,
    [0xd00, 3] as const,
    [0x1c, 1] as const,
    [0x27, 2] as const,
    [0x25, 5] as const,
    [0x26, 6] as const,
  ])
    io[register] = value
  return { ram, io, characterRom: null, colorRam: new Uint8Array(0x400) }
}

const look: SpriteLook = { colour: 9, multicolour: false, expandX: false, expandY: true }
const sprites = (...addresses: number[]) => ({
  ...({ kind: 'sprites', columns: 2, areOverlays: true, look } as const),
  places: { in: 'machine', addresses } as const,
})

describe('what is edited in a machine, as artwork', () => {
  it('has sprites that the VIC-II shows in the colours they are shown in, others in those of the editor', () => {
    expect(artworkInMemory(sprites(0x2000, 0x3000), image(TEXT))).toMatchObject({
      kind: 'sprites',
      multicolour1: 5,
      multicolour2: 6,
      sprites: [
        { colour: 2, multicolour: true, expandY: false, overlay: false },
        { ...look, overlay: true },
      ],
    })
  })

  it('has the characters that are open alone', () => {
    const edited = { kind: 'characters', address: 0x2000, codes: [1, 3], columns: 2, colour: 7 } as const
    const set = artworkInMemory(edited, image(TEXT))
    expect(set).toMatchObject({ kind: 'characters', name: '$2000', colour: 7, bytes: new Uint8Array(16).fill(0xaa) })
  })

  it('is nothing where the VIC-II shows another kind of picture', () => {
    expect(artworkInMemory({ kind: 'screen' }, image(TEXT))?.kind).toBe('screen')
    expect(artworkInMemory({ kind: 'bitmap' }, image(BITMAP))?.kind).toBe('bitmap')
    expect(artworkInMemory({ kind: 'bitmap' }, image(TEXT))).toBeNull()
    expect(artworkInMemory({ kind: 'screen' }, image(BITMAP))).toBeNull()
  })
})
