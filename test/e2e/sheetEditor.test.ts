/** Characters, screens and bitmaps of the sheet in the editor, by keyboard, with no machine connected. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Artwork, ArtworkKind, Bitmap, CharacterSet, TextScreen } from '@shared/graphics/artwork'
import type { GraphicsFormat } from '@shared/graphics/format'
import { charPad } from '@shared/graphics/formats/charPad'
import { koala } from '@shared/graphics/formats/koala'
import { petmate } from '@shared/graphics/formats/petmate'
import { decodeSheet } from '@shared/graphics/sheetFile'
import { untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { SharedApp } from '../support/sharedApp'
import { answerFileDialogs, axeProblems, chooseMenuItem, pressNative } from './support'

const shared = new SharedApp()
afterAll(() => shared.close())

let folder: string
let running: RunningApp
let page: Page

async function open(view: string): Promise<void> {
  await show(await shared.open('--size=1280x800', `--view=${view}`))
}

async function show(app: RunningApp): Promise<void> {
  running = app
  page = app.page
  await untilLive(page)
}
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridgedeck-sheet-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

const dialog = () => page.getByRole('dialog')
const sheet = () => page.locator('[data-panel="sheet"]')
const editor = () => page.locator('[data-panel="editor"]')
const stage = () => editor().getByRole('application')
const status = () => editor().locator('.editor-status')

async function withoutMachine(): Promise<void> {
  const gone = await page.evaluate(() => window.bridgedeck.machine.disconnect({ machine: 'builtin' }))
  expect(gone).toMatchObject({ ok: true })
}

const picture: Bitmap = {
  kind: 'bitmap',
  name: 'koala',
  mode: 'multicolourBitmap',
  background: 0,
  border: 0,
  bitmap: Uint8Array.from({ length: 8000 }, (_, at) => (at * 13) & 0xff),
  screen: Uint8Array.from({ length: 1000 }, (_, at) => (at * 7) & 0xff),
  colours: Uint8Array.from({ length: 1000 }, (_, at) => at & 0x0f),
}
const letters: CharacterSet = {
  kind: 'characters',
  name: 'letters',
  mode: 'text',
  backgrounds: [6, 0, 0, 0],
  colour: 1,
  bytes: Uint8Array.from({ length: 48 * 8 }, (_, at) => (at * 5) & 0xff),
  colours: null,
  materials: null,
  tiles: null,
  map: null,
}
const title: TextScreen = {
  kind: 'screen',
  name: 'title',
  mode: 'text',
  columns: 20,
  rows: 6,
  border: 14,
  backgrounds: [6, 0, 0, 0],
  codes: new Uint8Array(120).fill(0x20),
  colours: new Uint8Array(120).fill(14),
  characters: 'upper',
}

async function fileOf(format: GraphicsFormat, artwork: Artwork, name: string): Promise<string> {
  const bytes = format.write?.([artwork], {
    name: '',
    palette: [],
    numbers: 'hex',
    scale: 1,
    columns: 16,
    address: 0,
    isTransparent: false,
    aspect: 'square',
    romCharacters: new Uint8Array(4096),
  })
  const path = join(folder, name)
  await writeFile(path, bytes ?? new Uint8Array())
  return path
}

async function openImport(path: string): Promise<void> {
  await answerFileDialogs(running, path)
  await pressNative(running, 'i', 'control')
  await dialog().getByRole('listbox', { name: 'In the file' }).waitFor()
}

/** Imports a file and opens what is in it in the editor. */
async function edit(path: string): Promise<void> {
  await openImport(path)
  await dialog().getByRole('button', { name: 'Open in the editor' }).focus()
  await page.keyboard.press('Enter')
  await dialog().waitFor({ state: 'detached' })
  await stage().waitFor()
  await expect.poll(() => status().textContent()).toContain('x 0, y 0')
  await stage().focus()
}

/** What is kept of a kind, as it is on disk. */
async function kept<Kind extends ArtworkKind>(kind: Kind): Promise<Extract<Artwork, { kind: Kind }>[]> {
  const bytes = await page.evaluate(async () => {
    const answer = await window.bridgedeck.graphics.sheet({})
    return answer.ok ? [...(answer.data.bytes ?? [])] : []
  })
  return decodeSheet(Uint8Array.from(bytes)).artworks.filter(
    (artwork): artwork is Extract<Artwork, { kind: Kind }> => artwork.kind === kind,
  )
}

describe.skipIf(lacks('electron', 'xvfb'))('in the sheet, without a machine,', () => {
  it('a bitmap is drawn on within its cells, undone to the byte, exported, and there after a restart', async () => {
    await open('graphics')
    await withoutMachine()
    await edit(await fileOf(koala, picture, 'koala.koa'))
    const [before] = await kept('bitmap')
    await expect.poll(() => status().textContent()).toContain('of 4 colours')
    expect(await editor().getByText('is not connected').count()).toBe(0)
    await page.keyboard.press('b')
    await page.keyboard.press('3')
    await page.keyboard.press('Space')
    for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowRight')
    for (let step = 0; step < 7; step++) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await expect.poll(() => status().textContent()).toContain('cell: 1 of 4 colours')
    await expect
      .poll(async () => (await kept('bitmap'))[0]?.bitmap.subarray(0, 8))
      .not.toEqual(picture.bitmap.subarray(0, 8))
    const [after] = await kept('bitmap')
    expect(after?.bitmap.subarray(8)).toEqual(before?.bitmap.subarray(8))
    expect(after?.screen.subarray(1)).toEqual(before?.screen.subarray(1))
    await page.keyboard.press('Control+z')
    await expect.poll(() => kept('bitmap')).toEqual([before])
    await page.keyboard.press('Control+y')
    await expect.poll(() => kept('bitmap')).toEqual([after])
    expect(await axeProblems(page, '[data-panel="editor"]')).toEqual([])

    await chooseMenuItem(running, 'sheet.undo')
    await expect.poll(() => kept('bitmap')).toEqual([before])
    await chooseMenuItem(running, 'sheet.redo')
    await expect.poll(() => kept('bitmap')).toEqual([after])

    const saved = join(folder, 'again.koa')
    await answerFileDialogs(running, saved)
    await stage().focus()
    await pressNative(running, 'e', 'control')
    await dialog().getByRole('option', { name: 'Koala Painter' }).click()
    await page.keyboard.press('Enter')
    await dialog().waitFor({ state: 'detached' })
    const [again] = koala.read?.(new Uint8Array(await readFile(saved))).artworks ?? []
    expect(again).toMatchObject({ bitmap: after?.bitmap, screen: after?.screen, colours: after?.colours })

    await show(await shared.startAgain('--size=1280x800', '--view=graphics'))
    expect(await kept('bitmap')).toEqual([after])
    await withoutMachine()
    await chooseMenuItem(running, 'view.sheet')
    await sheet().getByRole('button', { name: 'Edit', exact: true }).last().focus()
    await page.keyboard.press('Enter')
    await editor().getByRole('heading', { name: 'Bitmap koala of the sheet' }).waitFor()
    await expect.poll(() => status().textContent()).toContain('cell: 1 of 4 colours')
  })

  it('characters are drawn on, mirrored, copied, and coloured, and one step of the sheet is one stroke', async () => {
    await open('graphics')
    await withoutMachine()
    await edit(await fileOf(charPad, letters, 'letters.ctm'))
    await editor().getByRole('heading', { name: 'Characters letters of the sheet' }).waitFor()
    const [before] = await kept('characters')
    await page.keyboard.press('l')
    await page.keyboard.press('Space')
    for (let step = 0; step < 15; step++) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Space')
    await expect.poll(() => status().textContent()).toContain('character $01')
    const first = async () => (await kept('characters'))[0]
    await expect.poll(async () => [(await first())?.bytes[0], (await first())?.bytes[8]]).toEqual([0xff, 0xff])
    const drawn = await first()
    expect(drawn).toEqual({ ...before, bytes: before?.bytes.with(0, 0xff).with(8, 0xff) })
    await chooseMenuItem(running, 'sheet.undo')
    await expect.poll(() => kept('characters')).toEqual([before])
    await chooseMenuItem(running, 'sheet.redo')
    await expect.poll(() => kept('characters')).toEqual([drawn])
    await stage().focus()
    for (let step = 0; step < 7; step++) await page.keyboard.press('Shift+ArrowLeft')
    for (let step = 0; step < 7; step++) await page.keyboard.press('Shift+ArrowDown')
    await expect.poll(() => status().textContent()).toContain('selected 8 × 8')
    await page.keyboard.press('Control+c')
    await expect.poll(() => editor().getByRole('button', { name: 'Paste' }).isEnabled()).toBe(true)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+v')
    await expect.poll(async () => (await first())?.bytes.subarray(0, 8)).toEqual(drawn?.bytes.subarray(8, 16))
    await page.keyboard.press('v')
    await expect.poll(async () => (await first())?.bytes[7]).not.toBe(drawn?.bytes[15])
    for (let step = 0; step < 3; step++) await page.keyboard.press('Control+z')
    await expect.poll(() => kept('characters')).toEqual([before])
    await editor().getByRole('group', { name: 'Colour of 0' }).getByRole('button', { name: 'red', exact: true }).focus()
    await page.keyboard.press('Enter')
    await expect
      .poll(() => kept('characters'))
      .toEqual([{ ...before, backgrounds: [2, ...(before?.backgrounds.slice(1) ?? [])] }])
    const [coloured] = await kept('characters')
    const multicolour = editor().getByRole('button', { name: 'Multicolour' })
    expect(await multicolour.count()).toBe(0)
    await chooseMenuItem(running, 'view.sheet')
    await sheet().getByLabel('Mode of letters').last().selectOption('multicolour text')
    await expect.poll(() => kept('characters')).toEqual([{ ...coloured, mode: 'multicolourText' }])
    await chooseMenuItem(running, 'view.editor')
    await multicolour.waitFor()
    await chooseMenuItem(running, 'sheet.undo')
    await expect.poll(() => kept('characters')).toEqual([coloured])
  })

  it('a screen of any size takes PETSCII and text, and is no longer edited once it is deleted', async () => {
    await open('graphics')
    await withoutMachine()
    await edit(await fileOf(petmate, title, 'title.petmate'))
    await editor()
      .getByRole('heading', { name: /^Screen/ })
      .waitFor()
    const [before] = await kept('screen')
    await page.keyboard.press('Space')
    await page.keyboard.press('t')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type('hi')
    const codes = async () => [...((await kept('screen'))[0]?.codes.subarray(0, 4) ?? [])]
    await expect.poll(codes).toEqual([0x51, 8, 9, 0x20])
    await page.keyboard.press('Escape')
    for (let step = 0; step < 3; step++) await page.keyboard.press('Control+z')
    await expect.poll(() => kept('screen')).toEqual([before])
    await chooseMenuItem(running, 'view.sheet')
    await sheet().getByRole('button', { name: 'Delete', exact: true }).last().click()
    await chooseMenuItem(running, 'view.editor')
    await editor().getByText('This is no longer in the sheet.').waitFor()
    await chooseMenuItem(running, 'sheet.undo')
    await expect.poll(() => kept('screen')).toEqual([before])
    await stage().focus()
    await page.keyboard.press('Control+y')
    await expect.poll(codes).toEqual([0x51, 0x20, 0x20, 0x20])
  })
})

describe.skipIf(lacks('electron', 'xvfb'))('what is edited in a machine', () => {
  it('goes to the sheet and is edited there, also once the machine is gone, and the machine keeps its own', async () => {
    await open('editor')
    await chooseMenuItem(running, 'editor.openScreen')
    await expect.poll(() => status().textContent()).toContain('$0400')
    const codeInMachine = () =>
      page.evaluate(async () => {
        const place = { machine: 'builtin', space: 'ram', address: 0x0400, length: 1 } as const
        const result = await window.bridgedeck.memory.read(place)
        return result.ok ? result.data.bytes[0] : undefined
      })
    const code = await codeInMachine()
    await chooseMenuItem(running, 'editor.toSheet')
    await editor().getByRole('heading', { name: 'Screen $0400 of the sheet' }).waitFor()
    await expect.poll(() => status().textContent()).toContain('byte 0')
    await stage().focus()
    await page.keyboard.press('Space')
    await expect.poll(async () => (await kept('screen'))[0]?.codes[0]).toBe(0x51)
    expect(await codeInMachine()).toBe(code)

    await chooseMenuItem(running, 'editor.openScreen')
    await expect.poll(() => status().textContent()).toContain('$0400')
    await withoutMachine()
    await editor().getByRole('button', { name: 'To the sheet' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => status().textContent()).toContain('byte 0')
    await expect.poll(async () => (await kept('screen')).map(({ codes }) => codes[0])).toEqual([0x51, code])
  })
})
