/** What a machine shows within its borders, and what the view Screens and bitmaps shows of it. */
import type { Page } from 'playwright'
import { expect } from 'vitest'
import { palettes } from '@shared/c64/palettes'
import { DISPLAY_X, displayTop, PICTURE_WIDTH, unpackPixels } from '@shared/c64/picture'
import { LOOP, type GraphicsScene } from './pictureModes'

const BORDER = 0xd020
const SCENE_BORDER = 14

/** Puts a scene into a machine, and waits until it has drawn it. */
export async function showScene(page: Page, machine: string, { pokes }: GraphicsScene): Promise<void> {
  const program = pokes.filter(([address]) => address === LOOP)
  await poke(page, machine, [...program, [BORDER, Uint8Array.of(0)]])
  await expect.poll(() => border(page, machine)).toBe(0)
  await poke(page, machine, [...pokes, [BORDER, Uint8Array.of(SCENE_BORDER)]])
  await expect.poll(() => border(page, machine)).toBe(SCENE_BORDER)
}

/** Writes, and lets the machine go on in its loop. */
async function poke(page: Page, machine: string, pokes: GraphicsScene['pokes']): Promise<void> {
  await page.evaluate(
    async ([machine, pokes, pc]) => {
      const { memory } = window.bridgedeck
      const answers = []
      for (const [address, bytes] of pokes)
        answers.push(await memory.write({ machine, space: 'cpu', address, bytes: Uint8Array.from(bytes) }))
      answers.push(await memory.setRegister({ machine, name: 'PC', value: pc }))
      const failed = answers.find(({ ok }) => !ok)
      if (failed && !failed.ok) throw new Error(failed.error.message)
    },
    [machine, pokes.map(([address, bytes]) => [address, [...bytes]] as const), LOOP] as const,
  )
}

/** The colour of the first pixel. */
const border = (page: Page, machine: string): Promise<number> =>
  page.evaluate(async (machine) => {
    const result = await window.bridgedeck.memory.picture({ machine })
    if (!result.ok) throw new Error(result.error.message)
    return (result.data.pixels[0] ?? 0) & 0x0f
  }, machine)

/** The 320 x 200 pixels of the display window, 0xRRGGBB in the palette that a fresh window draws with. */
export async function machineWindow(page: Page, machine: string): Promise<number[]> {
  const { height, pixels } = await page.evaluate(async (machine) => {
    const result = await window.bridgedeck.memory.picture({ machine })
    if (!result.ok) throw new Error(result.error.message)
    return { height: result.data.height, pixels: [...result.data.pixels] }
  }, machine)
  const colours = unpackPixels(Uint8Array.from(pixels))
  const top = displayTop(height)
  return Array.from({ length: 320 * 200 }, (_, at) => {
    const index = (top + Math.floor(at / 320)) * PICTURE_WIDTH + DISPLAY_X + (at % 320)
    return palettes.pepto[colours[index] ?? 0] ?? 0
  })
}

export const shownPixels = (
  page: Page,
  selector = '[data-panel="pictures"] .picture-frame canvas',
): Promise<number[]> =>
  page.locator(selector).evaluate((canvas) => {
    const { width, height } = canvas as HTMLCanvasElement
    const data = (canvas as HTMLCanvasElement).getContext('2d')?.getImageData(0, 0, width, height).data ?? []
    return Array.from({ length: width * height }, (_, at) => {
      const [red = 0, green = 0, blue = 0] = [data[at * 4], data[at * 4 + 1], data[at * 4 + 2]]
      return (red << 16) | (green << 8) | blue
    })
  })

/** How many pixels of the view and of the machine differ. */
export async function differentPixels(page: Page, machine: string): Promise<number> {
  const [shown, wanted] = [await shownPixels(page), await machineWindow(page, machine)]
  if (shown.length !== wanted.length) return Infinity
  return shown.filter((pixel, at) => pixel !== wanted[at]).length
}
