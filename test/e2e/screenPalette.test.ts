/** A palette out of a file, and pixels as wide as a television shows them. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { SharedApp } from '../support/sharedApp'
import { answerFileDialogs, axeProblems, chooseMenuItem } from './support'

const shared = new SharedApp()
afterAll(() => shared.close())

const args = ['--size=1280x800', '--machine=builtin']
let folder: string
let running: RunningApp
let page: Page

async function show(opened: RunningApp): Promise<void> {
  running = opened
  page = running.page
  await untilLive(page)
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridgedeck-palette-'))
  await show(await shared.open(...args))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const screen = () => page.locator('[data-panel="screen"]')
const choice = (name: string) => screen().getByRole('combobox', { name })
const chosen = (name: string) => choice(name).evaluate((select: HTMLSelectElement) => select.value)

/** Grey by grey: no palette of ours has these. */
const greys = Array.from({ length: 16 }, (_, n) => 16 * n + 3)
const file = async (name: string, lines: readonly string[]): Promise<string> => {
  const path = join(folder, name)
  await writeFile(path, lines.join('\n'))
  return path
}
const paletteFile = () =>
  file('mine.vpl', ['# Mine', ...greys.map((grey) => Array(3).fill(grey.toString(16).padStart(2, '0')).join(' '))])

/** The colours of the picture's first line, each once, as numbers. */
const shownColours = () =>
  screen()
    .locator('canvas')
    .first()
    .evaluate((element) => {
      const canvas = element as HTMLCanvasElement
      const { data = [] } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {}
      const found = new Set<number>()
      for (let at = 0; at < data.length; at += 4)
        found.add(((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0))
      return [...found]
    })
const allAreGrey = async () => {
  const shown = await shownColours()
  return shown.length > 1 && shown.every((rgb) => greys.some((grey) => rgb === grey * 0x010101))
}

describe.skipIf(lacks('electron', 'xvfb'))('a palette', () => {
  it('is loaded from a file, shown, and there again after a restart without the file', async () => {
    expect(await choice('Palette').getByRole('option', { name: 'From a file' }).isDisabled()).toBe(true)
    const path = await paletteFile()
    await answerFileDialogs(running, path)
    await chooseMenuItem(running, 'palette.load')
    await expect.poll(() => chosen('Palette')).toBe('loaded')
    await expect.poll(allAreGrey).toBe(true)
    await choice('Palette').selectOption('colodore')
    await expect.poll(allAreGrey).toBe(false)
    await choice('Palette').selectOption('loaded')
    await expect.poll(allAreGrey).toBe(true)
    expect(await axeProblems(page)).toEqual([])

    await shared.end()
    await rm(path)
    await show(await shared.startAgain(...args))
    expect(await chosen('Palette')).toBe('loaded')
    await expect.poll(allAreGrey).toBe(true)
  })

  it('that is damaged is refused with its line, and nothing changes', async () => {
    await answerFileDialogs(running, await file('bad.vpl', ['# Bad', '00 00 00', 'white']))
    await chooseMenuItem(running, 'palette.load')
    await page
      .getByText(/bad\.vpl:3: .*“white”/)
      .first()
      .waitFor()
    expect(await chosen('Palette')).toBe('pepto')
  })

  it('stays as it was when the dialog is cancelled', async () => {
    await answerFileDialogs(running, undefined)
    await chooseMenuItem(running, 'palette.load')
    expect(await chosen('Palette')).toBe('pepto')
  })
})

describe.skipIf(lacks('electron', 'xvfb'))('the pixels of the screen', () => {
  it('are square, or as wide as the machine’s video standard shows them', async () => {
    await screen().getByRole('button', { name: 'Borders', exact: true }).click()
    const ratio = async () => {
      const box = await screen().locator('.screen-picture').boundingBox()
      return (box?.width ?? 0) / (box?.height ?? 1)
    }
    await expect.poll(ratio).toBeCloseTo(1.6, 2)
    await choice('Shape of pixels').focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => chosen('Shape of pixels')).toBe('machine')
    await expect.poll(ratio).toBeCloseTo(1.6 * 0.9365, 2)
    await chooseMenuItem(running, 'machine.ntsc')
    await expect.poll(ratio).toBeCloseTo(1.6 * 0.75, 2)
  })
})
