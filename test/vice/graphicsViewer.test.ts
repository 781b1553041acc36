/** The program that shows artwork, run in a real VICE: its display has the artwork's pixels. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { DISPLAY_X, displayY, PICTURE_WIDTH, unpackPixels } from '@shared/c64/picture'
import { TRANSPARENT } from '@shared/c64/sprites'
import type { Artwork } from '@shared/graphics/artwork'
import { bitmapPixels, screenPixels, spriteArtPixels } from '@shared/graphics/artworkPixels'
import { viewer } from '@shared/graphics/formats/viewer'
import { placeOf } from '@shared/graphics/viewer/spriteViewer'
import { requireFacet, type Machine } from '../../src-main/machine/machine'
import { bitmap, exportOptions, screen, sheet, textOf } from '../support/graphicsSamples'
import { readRoms } from '../support/ownRoms'
import { lacks } from '../support/parts'
import { eventually } from './eventually'
import { attachedMachine, soon, startVice, type RunningVice } from './support'

describe.skipIf(lacks('vice', 'xvfb'))('the program that shows artwork, in VICE', () => {
  let folder: string
  let vice: RunningVice
  let machine: Machine
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bridgedeck-viewer-'))
    vice = await startVice()
    machine = attachedMachine(vice.port)
    await machine.connect(soon())
  })
  afterAll(async () => {
    await machine.disconnect()
    await vice.stop()
    await rm(folder, { recursive: true })
  })

  async function show(artwork: Artwork): Promise<void> {
    const bytes = viewer.write?.([artwork], exportOptions) ?? new Uint8Array()
    const path = join(folder, `${artwork.kind}.prg`)
    await writeFile(path, bytes)
    await requireFacet(machine, 'runProgram').run({ name: `${artwork.kind}.prg`, path, bytes }, soon())
  }

  /** Within the borders. */
  async function displayed(left: number, top: number, width: number, height: number): Promise<string> {
    const picture = unpackPixels((await requireFacet(machine, 'picture').read(soon())).pixels)
    const first = (displayY('pal') + top) * PICTURE_WIDTH + DISPLAY_X + left
    return textOf(
      Array.from(
        { length: width * height },
        (_, at) => picture[first + Math.floor(at / width) * PICTURE_WIDTH + (at % width)],
      ),
    )
  }

  it.each([
    ['a bitmap', bitmap('bitmap'), bitmapPixels(bitmap('bitmap'))],
    ['a multicolour bitmap', bitmap(), bitmapPixels(bitmap())],
    ['a multicolour screen', screen('multicolourText'), screenPixels(screen('multicolourText'), readRoms().character)],
    ['a screen in ROM’s characters', screen('text', false), screenPixels(screen('text', false), readRoms().character)],
  ] as const)('%s has its pixels', async (_what, artwork, { pixels }) => {
    await show(artwork)
    await eventually(() => displayed(0, 0, 320, 200)).toBe(textOf([...pixels]))
  })

  it('eight sprites has each of them', async () => {
    const sprites = { ...sheet(8), animations: [] }
    await show(sprites)
    for (const [place, sprite] of sprites.sprites.entries()) {
      const { x, y } = placeOf(place)
      const pixels = [...spriteArtPixels(sprite, sprites).pixels].map((pixel) =>
        pixel === TRANSPARENT ? sprites.background : pixel,
      )
      await eventually(() => displayed(x - 24, y - 50, 24, 21)).toBe(textOf(pixels))
    }
  })
})
