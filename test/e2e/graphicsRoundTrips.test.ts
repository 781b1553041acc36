/** Graphics that leave the window as files and come back: into the machine, out of the studio and the editor, as a program, damaged. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { encode } from 'fast-png'
import type { Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { palettes } from '@shared/c64/palettes'
import { TRANSPARENT } from '@shared/c64/sprites'
import type { Space } from '@shared/contract/memory'
import type { Artwork, SpriteSheet } from '@shared/graphics/artwork'
import { bitmapPixels, spriteArtPixels } from '@shared/graphics/artworkPixels'
import { charPad } from '@shared/graphics/formats/charPad'
import { koala } from '@shared/graphics/formats/koala'
import { spritePad5 } from '@shared/graphics/formats/spritePad'
import { readGraphicsFile } from '@shared/graphics/graphicsFile'
import { decodeSheet } from '@shared/graphics/sheetFile'
import { bitmap, characters, exportOptions, sheet } from '../support/graphicsSamples'
import { launchApp, untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { machineWindow, shownPixels } from '../support/shownPicture'
import { answerFileDialogs, chooseMenuItem, dropUntil, pressNative } from './support'

let folder: string
let running: RunningApp
let page: Page

const READY = [18, 5, 1, 4, 25, 46]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridgedeck-round-trips-'))
  running = await launchApp({ args: ['--size=1920x1200', '--view=graphics'], dataFolder: join(folder, 'data') })
  page = running.page
  await untilLive(page)
})
afterAll(async () => {
  await running.close()
  await rm(folder, { recursive: true, force: true })
})

/** Each test has a C64 at its prompt that stands still, so that nothing but the window changes its memory. */
beforeEach(async () => {
  await page.evaluate(() => window.bridgedeck.machine.resume({ machine: 'builtin' }))
  await page.evaluate(() => window.bridgedeck.machine.reset({ machine: 'builtin', kind: 'soft' }))
  await expect.poll(async () => (await read('ram', 0x0400, 1000)).join()).toContain(READY.join())
  await page.evaluate(() => window.bridgedeck.machine.pause({ machine: 'builtin' }))
})
afterEach(() => chooseMenuItem(running, 'view.dismissMessages'))

async function read(space: Space, address: number, length: number): Promise<number[]> {
  const result = await page.evaluate(
    ([space, address, length]) => window.bridgedeck.memory.read({ machine: 'builtin', space, address, length }),
    [space, address, length] as const,
  )
  if (!result.ok) throw new Error(result.error.message)
  return [...result.data.bytes]
}

async function write(space: Space, address: number, ...bytes: number[]): Promise<void> {
  const result = await page.evaluate(
    ([space, address, bytes]) =>
      window.bridgedeck.memory.write({ machine: 'builtin', space, address, bytes: Uint8Array.from(bytes) }),
    [space, address, bytes] as const,
  )
  if (!result.ok) throw new Error(result.error.message)
}

/** All that an import may write. */
async function memoryNow(): Promise<string[]> {
  const parts = [
    ['ram', 0, 0x10000],
    ['colorRam', 0xd800, 1000],
    ['io', 0xd000, 0x2f],
    ['io', 0xdd00, 1],
  ] as const
  const bytes = await Promise.all(parts.map(([space, address, length]) => read(space, address, length)))
  return bytes.flatMap((part, n) => part.map((byte, at) => `${parts[n]?.[0]} ${(parts[n]?.[1] ?? 0) + at} ${byte}`))
}

/** What is not as it was. */
async function changedSince(before: readonly string[]): Promise<string[]> {
  return (await memoryNow()).filter((byte, at) => byte !== before[at])
}

const dialog = () => page.getByRole('dialog')
const editor = () => page.locator('[data-panel="editor"]')
const studio = () => page.locator('[data-panel="studio"]')
const untilClosed = () => dialog().waitFor({ state: 'detached' })
const toast = (text: string | RegExp) => page.locator('.toast').filter({ hasText: text }).last()

async function openFile(name: string, bytes: Uint8Array | undefined): Promise<void> {
  const path = join(folder, name)
  await writeFile(path, bytes ?? new Uint8Array())
  await importFile(path)
}

async function importFile(path: string): Promise<void> {
  await answerFileDialogs(running, path)
  await pressNative(running, 'i', 'control')
  await dialog().getByRole('listbox', { name: 'In the file' }).waitFor()
}

async function press(name: string): Promise<void> {
  await dialog().getByRole('button', { name, exact: true }).focus()
  await page.keyboard.press('Enter')
}

/** Saves what is in front in a format. @returns what was written */
async function exportAs(format: string, name: string): Promise<Uint8Array> {
  const path = join(folder, name)
  await answerFileDialogs(running, path)
  await pressNative(running, 'e', 'control')
  await dialog().getByRole('listbox', { name: 'Format' }).waitFor()
  await dialog().getByRole('option', { name: format }).click()
  await dialog().getByText(`${format}, `).waitFor()
  await page.keyboard.press('Control+Enter')
  await untilClosed()
  return new Uint8Array(await readFile(path))
}

function artworkIn(name: string, file: Uint8Array): Artwork {
  const found = readGraphicsFile(file, extname(name).slice(1))
  expect(found?.problems).toEqual([])
  const [artwork] = found?.artworks ?? []
  if (!artwork) throw new Error(`${name} has no artwork.`)
  return artwork
}

const coloursOf = (pixels: Uint8Array): number[] => [...pixels].map((pixel) => palettes.pepto[pixel] ?? -1)

function bitmapColours(name: string, file: Uint8Array): number[] {
  const artwork = artworkIn(name, file)
  if (artwork.kind !== 'bitmap') throw new Error(`${name} has ${artwork.kind}.`)
  return coloursOf(bitmapPixels(artwork).pixels)
}

async function keptArtworks(): Promise<readonly Artwork[]> {
  const bytes = await page.evaluate(async () => {
    const kept = await window.bridgedeck.graphics.sheet({})
    return kept.ok ? [...(kept.data.bytes ?? [])] : []
  })
  return decodeSheet(Uint8Array.from(bytes)).artworks
}

/** Of the VIC-II's first sprite, once its pointer is known. */
async function openSprite(address: string): Promise<void> {
  await expect
    .poll(async () => {
      await chooseMenuItem(running, 'editor.openSprite')
      return editor()
        .getByRole('heading', { name: `Sprite ${address}` })
        .count()
    })
    .toBe(1)
}

const editorPixels = () => shownPixels(page, '[data-panel="editor"] .editor-pixels')

const picture = bitmap()
const font = characters('text')
const ships: SpriteSheet = { ...sheet(8), animations: [] }

describe.skipIf(lacks('electron', 'xvfb'))('an imported file that is written to the machine', () => {
  it('is open in the editor as a picture, and is undone to the byte', async () => {
    const before = await memoryNow()
    await openFile('picture.koa', koala.write?.([picture], exportOptions))
    await press('Write to the machine')
    await untilClosed()
    await expect.poll(() => read('ram', 0x2000, 8000)).toEqual([...picture.bitmap])
    await chooseMenuItem(running, 'editor.openBitmap')
    const expected = coloursOf(bitmapPixels(picture).pixels)
    await expect.poll(editorPixels).toEqual(expected)
    await editor().getByRole('application').focus()
    await page.keyboard.press('i')
    await expect.poll(editorPixels).not.toEqual(expected)
    await page.keyboard.press('Control+z')
    await expect.poll(editorPixels).toEqual(expected)
    await toast(/^Wrote .* at \$2000/)
      .getByRole('button', { name: 'Undo' })
      .click()
    await expect.poll(() => changedSince(before)).toEqual([])
  })

  it('is open in the editor as characters, and is undone to the byte', async () => {
    const before = await memoryNow()
    await openFile('font.ctm', charPad.write?.([font], exportOptions))
    await press('Write to the machine')
    await untilClosed()
    await expect.poll(() => read('ram', 0x3800, 2048)).toEqual([...font.bytes])
    await chooseMenuItem(running, 'view.characters')
    const view = page.locator('[data-panel="characters"]')
    await expect.poll(() => view.getByLabel('Set', { exact: true }).innerText()).toContain('$3800 – in use')
    await view.locator('.character-grid').focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Enter')
    await editor().getByRole('heading', { name: 'Character 0 at $3800' }).waitFor()
    const bits = Array.from({ length: 16 * 8 }, (_, at) => {
      const byte = font.bytes[((at % 16) >> 3) * 8 + Math.floor(at / 16)] ?? 0
      return (byte >> (7 - (at & 7))) & 1
    })
    const shownBits = async () => (await editorPixels()).map((pixel) => Number(pixel !== palettes.pepto[6]))
    await expect.poll(shownBits).toEqual(bits)
    await toast(/^Wrote .* at \$3800/)
      .getByRole('button', { name: 'Undo' })
      .click()
    await expect.poll(() => changedSince(before)).toEqual([])
  })

  it('is in the sprites that the VIC-II has, with their colours, and is undone to the byte', async () => {
    await write('ram', 0x07f8, ...Array.from({ length: 8 }, (_, n) => 0x80 + n))
    await openSprite('$2000')
    const before = await memoryNow()
    await openFile('ships.spd', spritePad5.write?.([ships], exportOptions))
    await press('Write to the machine')
    await untilClosed()
    for (const [n, { bytes, colour }] of ships.sprites.entries()) {
      expect(await read('ram', 0x2000 + n * 64, 63)).toEqual([...bytes])
      expect((await read('io', 0xd027 + n, 1)).map((value) => value & 0x0f)).toEqual([colour])
    }
    const [first] = ships.sprites
    const expected = first ? spriteArtPixels(first, ships).pixels : new Uint8Array()
    const wrongPixels = async () => {
      const shown = await editorPixels()
      return [...expected].filter((pixel, at) => pixel !== TRANSPARENT && palettes.pepto[pixel] !== shown[at]).length
    }
    await expect.poll(wrongPixels).toBe(0)
    await toast(/^Wrote 8 sprites/)
      .getByRole('button', { name: 'Undo' })
      .click()
    await expect.poll(() => changedSince(before)).toEqual([])
  })
})

describe.skipIf(lacks('electron', 'xvfb'))('an export', () => {
  /**
   * Converts a picture of each colour of the C64 in stripes, which dithering leaves alone.
   * @param first the colour that it begins with. Another one in each test: a result of the test before is then not taken for this one
   * @returns the pixels of the result
   */
  async function convertPicture(first: number): Promise<readonly number[]> {
    const stripes = Array.from({ length: 320 * 200 }, (_, pixel) => {
      const cell = Math.floor(pixel / 320 / 8) * 40 + ((pixel % 320) >> 3)
      return palettes.pepto[(first + cell * 7 + ((pixel >> 2) & 1) * 5) % 16] ?? 0
    })
    const data = Uint8Array.from(stripes.flatMap((colour) => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff]))
    const file = join(folder, 'stripes.png')
    await writeFile(file, encode({ width: 320, height: 200, data, channels: 3 }))
    await chooseMenuItem(running, 'view.studio')
    const chooser = page.waitForEvent('filechooser')
    await studio().getByRole('button', { name: /^Open/ }).first().click()
    await (await chooser).setFiles(file)
    await expect.poll(async () => (await resultPixels()).join() === stripes.join()).toBe(true)
    await studio().getByRole('group', { name: 'Original and result' }).focus()
    return stripes
  }
  const resultPixels = () => shownPixels(page, '[data-panel="studio"] canvas[aria-label="Result"]')

  it('from the picture studio has the pixels of the result, in the file and opened again', async () => {
    const result = await convertPicture(0)
    for (const [format, name] of [
      ['Koala Painter', 'stripes.koa'],
      ['PNG picture', 'again.png'],
    ] as const) {
      const file = await exportAs(format, name)
      expect(bitmapColours(name, file)).toEqual(result)
      await importFile(join(folder, name))
      await press('Keep in the sheet')
      await untilClosed()
      const kept = await keptArtworks()
      expect(
        kept.flatMap((art) => (art.kind === 'bitmap' ? [coloursOf(bitmapPixels(art).pixels)] : [])).at(-1),
      ).toEqual(result)
      await studio().getByRole('group', { name: 'Original and result' }).focus()
    }
  })

  it('as a program shows the pixels of the result on the machine', async () => {
    const result = await convertPicture(3)
    await exportAs('Program that shows it (PRG)', 'stripes.prg')
    await page.evaluate(() => window.bridgedeck.machine.resume({ machine: 'builtin' }))
    await toast('stripes.prg saved').getByRole('button', { name: 'Run on the machine' }).click()
    await expect.poll(() => machineWindow(page, 'builtin'), { timeout: 60_000 }).toEqual(result)
  })

  it('from the editor has the picture that is open there, with the stroke just drawn', async () => {
    await openFile('picture.koa', koala.write?.([picture], exportOptions))
    await press('Write to the machine')
    await untilClosed()
    await chooseMenuItem(running, 'editor.openBitmap')
    await expect.poll(editorPixels).toEqual(coloursOf(bitmapPixels(picture).pixels))
    const status = () => editor().locator('.editor-status').textContent()
    await editor().getByRole('application').focus()
    const before = await status()
    await page.keyboard.press('i')
    await expect.poll(status).not.toBe(before)
    const name = 'edited.koa'
    const file = await exportAs('Koala Painter', name)
    const inverted = await editorPixels()
    expect(inverted).not.toEqual(coloursOf(bitmapPixels(picture).pixels))
    expect(bitmapColours(name, file)).toEqual(inverted)
  })

  it('from the editor has the sprite in the colours in which it is shown', async () => {
    const [ship] = ships.sprites
    const shows = async (colour: number) => (await editorPixels()).includes(palettes.pepto[colour] ?? -1)
    await write('ram', 0x2040, ...(ship?.bytes ?? []))
    await write('io', 0xd01c, 0)
    await write('io', 0xd027, 1)
    await write('ram', 0x07f8, 0x81)
    await openSprite('$2040')
    await expect.poll(() => shows(1)).toBe(true)
    await write('io', 0xd027, 7)
    await expect.poll(() => shows(7)).toBe(true)
    await editor().getByRole('application').focus()
    const name = 'one.spd'
    const found = artworkIn(name, await exportAs('SpritePad Pro 5', name))
    expect(found).toMatchObject({ kind: 'sprites', sprites: [{ bytes: ship?.bytes, colour: 7 }] })
  })
})

describe.skipIf(lacks('electron', 'xvfb'))('a damaged file that is dropped', () => {
  it('shows the byte, what was expected there, and the rest', async () => {
    const spd = spritePad5.write?.([ships], exportOptions) ?? new Uint8Array()
    const ctm = charPad.write?.([font], exportOptions) ?? new Uint8Array()
    const koa = koala.write?.([picture], exportOptions) ?? new Uint8Array()
    const damaged = [
      ['cut.spd', spd.subarray(0, 240), /Byte \d+ \(\$[0-9A-F]{4}\).*[Ee]xpected/, /Loaded: \d sprites/],
      ['cut.koa', koa.subarray(0, 9000), /Byte 9000 \(\$2328\) Expected 10003 bytes, found 9000\./, /Loaded: a bitmap/],
      ['cut.ctm', ctm.subarray(0, 1000), /Byte \d+ \(\$[0-9A-F]{4}\) Expected/, /Loaded: \d+ characters/],
    ] as const
    for (const [name, bytes, problem, rest] of damaged) {
      const path = join(folder, name)
      await writeFile(path, bytes)
      await dropUntil(page, [path], dialog().getByText(name))
      await expect.poll(() => dialog().getByRole('list', { name: 'Problems' }).innerText()).toMatch(problem)
      expect(await dialog().innerText()).toMatch(rest)
      await expect
        .poll(async () => {
          await page.keyboard.press('Escape')
          return dialog().count()
        })
        .toBe(0)
    }
  })
})
