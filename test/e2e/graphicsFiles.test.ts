/** Export and import of graphics in the window, by keyboard. */
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SpriteArt, SpriteSheet } from '@shared/graphics/artwork'
import { spriteArtPixels } from '@shared/graphics/artworkPixels'
import { spritePad5 } from '@shared/graphics/formats/spritePad'
import { indexedPng } from '@shared/graphics/pictures/indexedPng'
import { readPngFile } from '@shared/graphics/pictures/readPngFile'
import { decodeSheet } from '@shared/graphics/sheetFile'
import { untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { SharedApp } from '../support/sharedApp'
import { answerFileDialogs, axeProblems, pressNative, settle } from './support'

const shared = new SharedApp()
afterAll(() => shared.close())

let folder: string
let running: RunningApp
let page: Page

async function open(view: string): Promise<void> {
  await show(await shared.open('--size=1920x1200', `--view=${view}`))
}

async function show(app: RunningApp): Promise<void> {
  running = app
  page = app.page
  await untilLive(page)
}
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridgedeck-files-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

const ships: SpriteSheet = {
  kind: 'sprites',
  name: 'ships',
  background: 0,
  multicolour1: 2,
  multicolour2: 7,
  animations: [],
  sprites: Array.from({ length: 5 }, (_, n) => ({
    name: `ship ${n}`,
    colour: n + 1,
    multicolour: n % 2 === 0,
    expandX: false,
    expandY: false,
    overlay: false,
    bytes: Uint8Array.from({ length: 63 }, (_, at) => (at * (2 * n + 3) * 7) & 0xff),
  })),
}

async function writeShips(): Promise<string> {
  const file = join(folder, 'ships.spd')
  const options = { name: '', palette: [], numbers: 'hex', scale: 1, columns: 16, address: 0 } as const
  const bytes = spritePad5.write?.([ships], {
    ...options,
    isTransparent: true,
    aspect: 'square',
    romCharacters: new Uint8Array(4096),
  })
  await writeFile(file, bytes ?? new Uint8Array())
  return file
}

const dialog = () => page.getByRole('dialog')
const sheet = () => page.locator('[data-panel="sheet"]')
const option = (name: string) => dialog().getByRole('option', { name })
const messages = () => page.locator('.toasts').innerText()

async function importFile(path: string): Promise<void> {
  await answerFileDialogs(running, path)
  await pressNative(running, 'i', 'control')
  await dialog().waitFor()
}

const untilClosed = () => dialog().waitFor({ state: 'detached' })

async function keptSprites(): Promise<readonly SpriteArt[]> {
  const bytes = await page.evaluate(async () => {
    const kept = await window.bridgedeck.graphics.sheet({})
    return kept.ok ? [...(kept.data.bytes ?? [])] : []
  })
  const { artworks } = decodeSheet(Uint8Array.from(bytes))
  return artworks.flatMap((artwork) => (artwork.kind === 'sprites' ? artwork.sprites : []))
}

const pixelsOf = (sprites: readonly SpriteArt[]) => sprites.map((sprite) => [...spriteArtPixels(sprite, ships).pixels])

/** Chooses a format by arrow keys, and saves with Enter. */
async function exportAs(format: string, path: string): Promise<void> {
  await answerFileDialogs(running, path)
  await pressNative(running, 'e', 'control')
  await dialog().getByRole('listbox', { name: 'Format' }).waitFor()
  await page.keyboard.press('Home')
  await expect
    .poll(async () => {
      const chosen = await dialog().locator('[role=option][aria-selected=true]').innerText()
      if (!chosen.startsWith(format)) await page.keyboard.press('ArrowDown')
      return chosen
    })
    .toContain(format)
  await dialog().getByText(`${format}, `).waitFor()
  expect(await axeProblems(page, '[role=dialog]')).toEqual([])
  await page.keyboard.press('Enter')
  await untilClosed()
  await expect.poll(messages).toContain(path)
}

const coloursOf = (picture: HTMLCanvasElement) => {
  const pixels = picture.getContext('2d')?.getImageData(0, 0, picture.width, picture.height).data ?? []
  return new Set(new Uint32Array(Uint8Array.from(pixels).buffer)).size
}

describe.skipIf(lacks('electron', 'xvfb'))('files of graphics', () => {
  it('that are imported into the sheet, exported as SPD and PNG and imported again have the same pixels', async () => {
    await open('graphics')
    await importFile(await writeShips())
    await dialog().getByRole('listbox', { name: 'In the file' }).waitFor()
    expect(await axeProblems(page, '[role=dialog]')).toEqual([])
    await page.keyboard.press('Enter')
    await untilClosed()
    await sheet().getByText('1 of 5', { exact: true }).waitFor()
    await expect.poll(async () => pixelsOf(await keptSprites())).toEqual(pixelsOf(ships.sprites))
    const list = sheet().getByRole('listbox')
    await list.focus()
    const hasFocus = () => list.evaluate((element) => element === document.activeElement)
    await pressNative(running, 'p', 'control', 'shift')
    await page.getByPlaceholder(/^Find a command/).fill('export graphics')
    await page.keyboard.press('Enter')
    await dialog().getByRole('listbox', { name: 'Format' }).waitFor()
    await page.keyboard.press('Escape')
    await untilClosed()
    await expect.poll(hasFocus).toBe(true)
    for (const [format, name] of [
      ['SpritePad Pro 5', 'again.spd'],
      ['PNG picture', 'again.png'],
    ] as const) {
      const path = join(folder, name)
      await exportAs(format, path)
      await expect.poll(hasFocus).toBe(true)
      const before = await keptSprites()
      await importFile(path)
      await dialog().getByRole('listbox', { name: 'In the file' }).waitFor()
      await page.keyboard.press('Enter')
      await untilClosed()
      await expect.poll(async () => (await keptSprites()).length).toBe(2 * before.length)
      expect(pixelsOf((await keptSprites()).slice(before.length))).toEqual(pixelsOf(before))
    }
  })

  it('remember format and options, and say beside a field what is wrong with it, without losing what was typed', async () => {
    await open('pictures')
    await page.getByRole('button', { name: 'Export…' }).click()
    await option('ACME source').click()
    await dialog().getByLabel('Name', { exact: true }).fill('title')
    await dialog().getByRole('region', { name: 'Preview' }).getByText('title_').waitFor()
    await option('PNG picture').click()
    const scale = dialog().getByLabel('Scale')
    await scale.fill('9')
    await dialog().getByText('a whole number from 1 to 8').waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => dialog().getByRole('alert').textContent()).toContain('from 1 to 8')
    await scale.fill('3')
    const path = join(folder, 'screen.png')
    await answerFileDialogs(running, '/dev/null/screen.png')
    await page.keyboard.press('Enter')
    await expect.poll(() => dialog().getByRole('alert').textContent()).toContain('screen.png')
    expect(await scale.inputValue()).toBe('3')
    await answerFileDialogs(running, path)
    await page.keyboard.press('Enter')
    await untilClosed()
    const png = await readFile(path)
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([960, 600])
    await pressNative(running, 'e', 'control')
    await expect.poll(() => scale.inputValue()).toBe('3')
    await option('Koala Painter').click()
    await expect.poll(() => dialog().getByRole('status').innerText()).toContain('Koala Painter does not hold screens')
    await page.keyboard.press('Escape')
    await untilClosed()
  })

  it('of a screen in the characters of the ROM have its text, also after a restart', async () => {
    await open('pictures')
    await page.getByRole('button', { name: 'Keep in sheet' }).click()
    await expect.poll(messages).toContain('Kept in the sheet')
    await show(await shared.startAgain('--size=1920x1200', '--view=sheet'))
    await expect.poll(() => sheet().locator('canvas').evaluate(coloursOf)).toBeGreaterThan(1)
    const path = join(folder, 'text.png')
    await sheet().locator('[data-panel-focus]').focus()
    await exportAs('PNG picture', path)
    const { frames } = readPngFile(await readFile(path), '')
    expect(new Set(frames[0]?.rgba.filter((_, at) => at % 4 === 0)).size).toBeGreaterThan(1)
  })

  it('that are damaged show each byte, and what is loaded; a wrong format and a huge file are refused in the dialog', async () => {
    await open('graphics')
    const file = await writeShips()
    await truncate(file, 240)
    await importFile(file)
    await expect.poll(() => dialog().innerText()).toMatch(/1 problem in the file\. Loaded: 3 sprites\./)
    expect(await dialog().getByRole('list', { name: 'Problems' }).innerText()).toMatch(/Byte \d+ \(\$[0-9A-F]{4}\) \S+/)
    expect(await axeProblems(page, '[role=dialog]')).toEqual([])
    await dialog().getByLabel('Format').selectOption({ label: 'Koala Painter' })
    await expect.poll(() => dialog().innerText()).toMatch(/problems? in the file\./)
    const address = dialog().getByLabel('Address in the machine')
    await address.fill('what')
    const formats = dialog().getByLabel('Format')
    await formats.focus()
    await formats.selectOption({ label: 'SpritePad Pro 5' })
    await expect.poll(() => dialog().innerText()).toContain('Loaded: 3 sprites.')
    expect(await address.inputValue()).toBe('what')
    expect(await formats.evaluate((field) => field === document.activeElement)).toBe(true)
    await dialog().getByRole('button', { name: 'Write to the machine' }).first().focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => dialog().getByRole('alert').innerText()).toContain('what')
    expect(await address.inputValue()).toBe('what')

    const huge = join(folder, 'huge.bin')
    await writeFile(huge, '')
    await truncate(huge, 50 * 1024 * 1024)
    await answerFileDialogs(running, huge)
    await dialog().getByRole('button', { name: 'Another file…' }).click()
    await expect.poll(() => dialog().getByRole('alert').first().innerText()).toContain('huge.bin is too large')
    expect(await address.inputValue()).toBe('what')
    await page.keyboard.press('Escape')
    await untilClosed()
    await importFile(huge)
    await dialog().getByText('huge.bin is too large').waitFor()
    await page.keyboard.press('Escape')
    await untilClosed()
  })

  it('that are pictures are read by the palette chosen, else by the nearest known one, which is told', async () => {
    await open('graphics')
    const picture = join(folder, 'odd.png')
    const pixels = new Uint8Array(24 * 21).map((_, at) => (at % 5 === 0 ? 2 : 0))
    await writeFile(picture, indexedPng({ width: 24, height: 21, pixels }, [0x010203, 0xffffff, 0x2a20d0]))
    await importFile(picture)
    await expect.poll(() => dialog().innerText()).toContain('read as the nearest of')
    await dialog().getByLabel('Palette').selectOption({ label: 'Ultimate 64' })
    await expect.poll(() => dialog().innerText()).toContain('not those of the palette given')
    expect(await axeProblems(page, '[role=dialog]')).toEqual([])
    await page.keyboard.press('Escape')
    await untilClosed()
  })

  it('are written to the machine where they are loaded, and taken back; sprites open in the editor', async () => {
    await open('graphics')
    const program = join(folder, 'blocks.prg')
    await writeFile(program, Uint8Array.from([0x00, 0x30, ...new Uint8Array(128).fill(0x5a)]))
    await importFile(program)
    const address = dialog().getByLabel('Address in the machine')
    await expect.poll(() => address.inputValue()).toBe('$3000')
    await dialog().getByText('Bank 0, pointer $C0 (192).').waitFor()
    await dialog().getByRole('button', { name: 'Write to the machine' }).focus()
    await page.keyboard.press('Enter')
    await untilClosed()
    await expect.poll(() => byteAt(0x303e)).toBe(0x5a)
    await page.getByRole('button', { name: 'Undo', exact: true }).last().click()
    await expect.poll(() => byteAt(0x303e)).not.toBe(0x5a)

    await importFile(await writeShips())
    await dialog().getByRole('button', { name: 'Open in the editor' }).focus()
    await page.keyboard.press('Enter')
    await untilClosed()
    await settle(page)
    await expect.poll(() => page.locator('[data-panel="editor"]').innerText()).not.toContain('Nothing to edit')
    await sheet().getByText('1 of 5', { exact: true }).waitFor()
  })
})

const byteAt = (address: number) =>
  page.evaluate(async (at) => {
    const read = { machine: 'builtin', space: 'ram', address: at, length: 1 } as const
    const result = await window.bridgedeck.memory.read(read, crypto.randomUUID())
    return result.ok ? result.data.bytes[0] : undefined
  }, address)
