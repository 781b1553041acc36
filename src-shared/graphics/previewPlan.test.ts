import { describe, expect, it } from 'vitest'
import { bitmapPixels, screenPixels } from './artworkPixels'
import { grabShown, spriteAddresses, spriteAt, spriteLookOf, type GraphicsImage } from './grab'
import { convert } from './photo/convertPhoto'
import { photoDefaults, type PhotoTarget } from './photo/options'
import { planPreview, type PreviewArtwork } from './previewPlan'

const photo = {
  width: 320,
  height: 200,
  rgba: Uint8Array.from({ length: 256_000 }, (_, at) => ((at & 3) === 3 ? 255 : ((at >> 2) % 320) * 0.8)),
}
const converted = (target: PhotoTarget): PreviewArtwork =>
  convert(photo, { ...photoDefaults, target, columns: 3, rows: 1 }).artwork

/** As after power-on: bank 0, text. */
function machine(): GraphicsImage {
  const io = new Uint8Array(0x1000)
  io.set([0x1b], 0x11)
  io.set([0xc8], 0x16)
  io.set([0x15], 0x18)
  io.set([0x97], 0xd00)
  return { ram: new Uint8Array(0x10000), characterRom: null, colorRam: new Uint8Array(0x400), io }
}

function written(image: GraphicsImage, artwork: PreviewArtwork, ram: 'ram' | 'cpu' = 'ram'): GraphicsImage {
  for (const { space, address, bytes } of planPreview(artwork, image, ram).writes) {
    if (space === 'io') image.io.set(bytes, address - 0xd000)
    else if (space === 'colorRam') image.colorRam.set(bytes, address - 0xd800)
    else image.ram.set(bytes, address)
  }
  return image
}

describe('a preview', () => {
  it.each(['bitmap', 'multicolourBitmap'] as const)('shows a %s pixel by pixel', (target) => {
    const artwork = converted(target)
    const shown = grabShown(written(machine(), artwork))
    if (artwork.kind !== 'bitmap' || shown?.kind !== 'bitmap') throw new Error('No bitmap is shown.')
    expect(bitmapPixels(shown).pixels).toEqual(bitmapPixels(artwork).pixels)
  })

  it.each(['characters', 'multicolourCharacters'] as const)('shows %s pixel by pixel', (target) => {
    const artwork = converted(target)
    const shown = grabShown(written(machine(), artwork))
    if (artwork.kind !== 'screen' || shown?.kind !== 'screen') throw new Error('No screen is shown.')
    const rom = new Uint8Array(4096)
    expect(screenPixels(shown, rom).pixels).toEqual(screenPixels(artwork, rom).pixels)
  })

  it('shows sprites side by side, with their colours', () => {
    const artwork = converted('multicolourSprites')
    const image = written(machine(), artwork)
    if (artwork.kind !== 'sprites') throw new Error('No sprites.')
    const addresses = spriteAddresses(image)
    artwork.sprites.forEach(({ bytes, colour }, n) => {
      const look = spriteLookOf(image, n)
      expect(spriteAt(image, addresses[n] ?? 0, look).bytes).toEqual(bytes)
      expect(look).toMatchObject({ colour, multicolour: true, expandX: false })
    })
    expect(image.io[0x15]).toBe(0b111)
  })

  it('takes the place that the program seems to use least, in another bank than the one that is shown', () => {
    const image = machine()
    expect(planPreview(converted('bitmap'), image, 'ram').places).toContain('$6000–$7F3F, $5C00–$5FE7')
    image.ram.fill(0x42, 0x4000, 0x8000)
    expect(planPreview(converted('bitmap'), image, 'ram').places).toContain('$A000–$BF3F, $8C00–$8FE7')
    expect(planPreview(converted('bitmap'), image, 'cpu').places).toContain('$6000–$7F3F')
  })
})
