/**
 * What we draw from one memory image, beside what VICE itself displays of it, pixel by pixel: every mode and scroll value, 38
 * columns, 24 rows, modes without a picture, sprites of every kind on and beside the borders; and the artwork that is grabbed.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DISPLAY_X, displayY, PICTURE_WIDTH, pictureHeight, unpackPixels } from '@shared/c64/picture'
import { TRANSPARENT } from '@shared/c64/sprites'
import { decodeVideo } from '@shared/c64/video'
import { renderPicture } from '@shared/c64/vicii'
import { videoStandards, type VideoStandard } from '@shared/contract/machine'
import { bitmapPixels, screenPixels, spriteArtPixels } from '@shared/graphics/artworkPixels'
import {
  grabShown,
  sharedSpriteColours,
  spriteAddresses,
  spriteAt,
  spriteLookOf,
  type GraphicsImage,
} from '@shared/graphics/grab'
import { requireFacet, type Machine } from '../../src-main/machine/machine'
import {
  graphicsRunner,
  plainScenes,
  randomMemory,
  RUNNER,
  RUNNER_BANK,
  RUNNER_REGISTERS,
  sceneModes,
  scrolledScenes,
  spriteGallery,
  spriteScenes,
  type GraphicsScene,
} from '../support/graphicsScenes'
import { lacks } from '../support/parts'
import { attachedMachine, soon, startVice, write, type RunningVice } from './support'

const WINDOW = { width: 320, height: 200 }
const WINDOW_PIXELS = WINDOW.width * WINDOW.height
/** Of the differences of one test. */
const MAX_NAMED = 10
const runner = graphicsRunner()
const modes = sceneModes.map((name, mode) => ({ name, mode }))

interface Shown {
  readonly image: GraphicsImage
  /** VICE's own display, a colour each. */
  readonly pixels: Uint8Array
}

describe.skipIf(lacks('vice', 'xvfb')).each(videoStandards)(
  'pictures of one memory image beside x64sc, %s',
  (standard) => {
    let vice: RunningVice
    let machine: Machine
    beforeAll(async () => {
      vice = await startVice('x64sc', [`-${standard}`, '-warp'])
      machine = attachedMachine(vice.port)
      await machine.connect(soon())
      await requireFacet(machine, 'pause').pause(soon())
      const stop = { start: runner.done, end: runner.done, operations: ['exec' as const], stop: true, enabled: true }
      await requireFacet(machine, 'checkpoints').set(
        { ...stop, temporary: false, condition: null, fromHit: 1, log: null },
        soon(),
      )
    })
    afterAll(async () => {
      await machine.disconnect()
      await vice.stop()
    })

    async function loadMemory(seed: number): Promise<void> {
      const memory = randomMemory(seed)
      await machine.writeMemory('ram', 0x0400, memory.subarray(0x0400), soon())
      await machine.writeMemory('colorRam', 0xd800, memory.subarray(0, 0x400), soon())
    }

    async function show(scene: GraphicsScene): Promise<Shown> {
      await machine.writeMemory('ram', scene.screen + 0x3f8, scene.pointers, soon())
      await machine.writeMemory('ram', RUNNER, runner.bytes, soon())
      await machine.writeMemory('ram', RUNNER_REGISTERS, scene.registers, soon())
      await write(machine, RUNNER_BANK, 3 ^ scene.bank)
      await requireFacet(machine, 'setRegisters').write('PC', RUNNER, soon())
      const done = untilDone(machine)
      await requireFacet(machine, 'pause').resume(soon())
      await done
      const read = (space: 'ram' | 'rom' | 'colorRam' | 'io', address: number, length: number) =>
        machine.readMemory({ space, address, length }, soon())
      const image = {
        ram: await read('ram', 0, 0x10000),
        characterRom: await read('rom', 0xd000, 0x1000),
        colorRam: await read('colorRam', 0xd800, 0x400),
        io: await read('io', 0xd000, 0x1000),
      }
      return { image, pixels: unpackPixels((await requireFacet(machine, 'picture').read(soon())).pixels) }
    }

    const count = { pictures: 0, pixels: 0 }

    async function differing(scenes: readonly GraphicsScene[]): Promise<string[]> {
      const found: string[] = []
      count.pictures = 0
      count.pixels = 0
      for (const scene of scenes) {
        const { image, pixels } = await show(scene)
        const ours = rendered(image, standard)
        expect(ours).toHaveLength(pixels.length)
        count.pictures++
        count.pixels += pixels.length
        const differences = differingPixels(ours, pixels)
        if (differences.length > 0) found.push(describeDifference(scene, differences, standard))
      }
      return found.slice(0, MAX_NAMED)
    }

    it.each(modes)('$name: every scroll value, 38 columns, 24 rows', async ({ mode }) => {
      await loadMemory(mode)
      expect(await differing(scrolledScenes(mode))).toEqual([])
      expect(count).toEqual({ pictures: 64, pixels: 64 * PICTURE_WIDTH * pictureHeight(standard) })
    })

    it.each(modes)('$name: sprites of every look, over the borders too', async ({ mode }) => {
      await loadMemory(16 + mode)
      expect(await differing(spriteScenes(mode))).toEqual([])
      expect(count).toEqual({ pictures: 16, pixels: 16 * PICTURE_WIDTH * pictureHeight(standard) })
    })

    it.each(modes)('$name: what is grabbed looks as the window does', async ({ mode }) => {
      await loadMemory(32 + mode)
      const found: string[] = []
      let compared = 0
      for (const scene of plainScenes(mode, 16)) {
        const { image, pixels } = await show(scene)
        const grabbed = grabbedPixels(image)
        if (!grabbed) continue
        const seen = windowOf(pixels, standard)
        compared += WINDOW_PIXELS
        const at = grabbed.findIndex((pixel, index) => pixel !== seen[index])
        if (at >= 0) found.push(`${scene.name}: (${at % WINDOW.width}, ${Math.floor(at / WINDOW.width)})`)
      }
      expect(found).toEqual([])
      expect(compared).toBe(mode < 5 ? 16 * WINDOW_PIXELS : 0)
    })

    it('grabbed sprites look as the VIC-II shows them', async () => {
      await loadMemory(48)
      const found: string[] = []
      for (let at = 0; at < 16; at++) {
        const scene = spriteGallery(at)
        const { image, pixels } = await show(scene)
        const seen = windowOf(pixels, standard)
        const ours = gallery(image)
        const wrong = ours.findIndex((pixel, index) => pixel !== seen[index])
        if (wrong >= 0) found.push(`${scene.name}: (${wrong % WINDOW.width}, ${Math.floor(wrong / WINDOW.width)})`)
      }
      expect(found).toEqual([])
    })
  },
)

/** Once it has gone on and stands at the end of the program. */
function untilDone(machine: Machine): Promise<void> {
  let hasRun = false
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      off()
      settle()
    }
    const off = machine.onStatus(() => {
      if (machine.status.execution === 'running') hasRun = true
      else if (hasRun && machine.status.stop?.pc === runner.done) end(resolve)
    })
    soon().addEventListener('abort', () => end(() => reject(new Error('The program does not come to its end.'))))
  })
}

function differingPixels(ours: Uint8Array, theirs: Uint8Array): number[] {
  const found: number[] = []
  for (let at = 0; at < ours.length; at++) if (ours[at] !== theirs[at]) found.push(at)
  return found
}

function rendered(image: GraphicsImage, standard: VideoStandard): Uint8Array {
  const { ram, characterRom, colorRam, io } = image
  const memory = { ram, characterRom: characterRom ?? new Uint8Array(0x1000), colorRam, bank: decodeVideo(io).bank }
  return unpackPixels(renderPicture({ ...memory, registers: io.subarray(0, 0x2f), standard }).picture.pixels)
}

function describeDifference(scene: GraphicsScene, differences: readonly number[], standard: VideoStandard): string {
  const inWindow = differences.filter((at) => {
    const x = (at % PICTURE_WIDTH) - DISPLAY_X
    const y = Math.floor(at / PICTURE_WIDTH) - displayY(standard)
    return x >= 0 && x < WINDOW.width && y >= 0 && y < WINDOW.height
  })
  const [first = 0] = differences
  const place = `(${first % PICTURE_WIDTH}, ${Math.floor(first / PICTURE_WIDTH)})`
  return `${scene.name}: ${differences.length} pixels, ${inWindow.length} of them in the window, the first at ${place}`
}

function windowOf(pixels: Uint8Array, standard: VideoStandard): Uint8Array {
  const window = new Uint8Array(WINDOW_PIXELS)
  for (let y = 0; y < WINDOW.height; y++) {
    const from = (displayY(standard) + y) * PICTURE_WIDTH + DISPLAY_X
    window.set(pixels.subarray(from, from + WINDOW.width), y * WINDOW.width)
  }
  return window
}

function grabbedPixels(image: GraphicsImage): Uint8Array | null {
  const shown = grabShown(image)
  if (shown?.kind === 'screen') return screenPixels(shown, image.characterRom ?? new Uint8Array(0x1000)).pixels
  return shown?.kind === 'bitmap' ? bitmapPixels(shown).pixels : null
}

/** The eight sprites where their registers put them, on black. */
function gallery(image: GraphicsImage): Uint8Array {
  const window = new Uint8Array(WINDOW_PIXELS)
  for (const [n, address] of spriteAddresses(image).entries()) {
    const look = spriteLookOf(image, n)
    const art = spriteArtPixels(spriteAt(image, address, look, true), sharedSpriteColours(image))
    const [left, top] = [
      (image.io[2 * n] ?? 0) - 24 + (((image.io[0x10] ?? 0) >> n) & 1) * 256,
      (image.io[2 * n + 1] ?? 0) - 50,
    ]
    const [wide, high] = [look.expandX ? 2 : 1, look.expandY ? 2 : 1]
    for (let y = 0; y < art.height * high; y++)
      for (let x = 0; x < art.width * wide; x++) {
        const colour = art.pixels[Math.floor(y / high) * art.width + Math.floor(x / wide)] ?? TRANSPARENT
        if (colour !== TRANSPARENT) window[(top + y) * WINDOW.width + left + x] = colour
      }
  }
  return window
}
