import { constantFrom, oneof, tuple, type Arbitrary } from 'fast-check'
import { describe, expect } from 'vitest'
import { MAX_CHARACTERS, MAX_MAP_CELLS, MAX_SPRITES } from '@shared/graphics/artwork'
import { formatsOf, graphicsFormats } from '@shared/graphics/formats'
import { allPixels, bitmap, characters, exportOptions, screen, sheet } from '../support/graphicsSamples'
import { answerOf, anyBytes, fuzz, mutated } from './fuzz'

const samples = [
  sheet(2),
  characters('text', 4),
  { ...screen(), columns: 4, rows: 2 },
  bitmap(),
  bitmap('bitmap'),
  { ...bitmap('multicolourBitmap', true), background: 0 },
]

const formats = graphicsFormats.filter(({ read }) => read)

describe.each(formats)('A file of $title', (format) => {
  const good = samples.flatMap((artwork) => answerOf(() => format.write?.([artwork], exportOptions)) ?? [])
  const files: Arbitrary<Uint8Array> =
    good.length === 0
      ? anyBytes(20_000)
      : oneof({ weight: 4, arbitrary: mutated(constantFrom(...good)) }, { weight: 1, arbitrary: anyBytes(20_000) })

  fuzz(
    'is loaded within bounds, or what is wrong with it is told',
    tuple(files, constantFrom('spd', 'bin', 'prg', '')),
    ([file, extension]) => {
      const { artworks, problems } = format.read?.(file) ?? { artworks: [], problems: [] }
      expect(artworks.length + problems.length).toBeGreaterThan(0)
      for (const { offset } of problems) expect(offset).toBeLessThanOrEqual(file.length)
      for (const artwork of artworks) {
        if (artwork.kind === 'sprites') expect(artwork.sprites.length).toBeLessThanOrEqual(MAX_SPRITES)
        if (artwork.kind === 'characters') expect(artwork.bytes.length).toBeLessThanOrEqual(MAX_CHARACTERS * 8)
        if (artwork.kind === 'screen') expect(artwork.codes.length).toBeLessThanOrEqual(MAX_MAP_CELLS)
        expect(allPixels(artwork).every(({ pixels }) => pixels.every((colour) => colour < 16 || colour === 255))).toBe(
          true,
        )
      }
      formatsOf(file, extension)
    },
    20,
  )
})
