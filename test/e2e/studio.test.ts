/** The picture studio: a picture becomes artwork, is shown on the machine and taken back. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encode } from 'fast-png'
import type { Page } from 'playwright'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { palettes } from '@shared/c64/palettes'
import { untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { SharedApp } from '../support/sharedApp'
import { answerFileDialogs, axeProblems, chooseMenuItem, dropUntil } from './support'

const shared = new SharedApp()
let folder: string
let running: RunningApp
let page: Page

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridgedeck-studio-'))
  running = await shared.open('--size=1280x800', '--view=studio')
  page = running.page
  await untilLive(page)
})
afterEach(() => rm(folder, { recursive: true, force: true }))
afterAll(() => shared.close())

const RED = 2
const GREEN = 5

/** Red on the left, green on the right. */
async function writePicture(): Promise<string> {
  const data = new Uint8Array(64 * 40 * 3)
  for (let pixel = 0; pixel < 64 * 40; pixel++) {
    const colour = palettes.pepto[pixel % 64 < 32 ? RED : GREEN] ?? 0
    data.set([colour >> 16, (colour >> 8) & 0xff, colour & 0xff], pixel * 3)
  }
  const file = join(folder, 'flag.png')
  await writeFile(file, encode({ width: 64, height: 40, data, channels: 3 }))
  return file
}

const studio = () => page.locator('[data-panel="studio"]')

async function openPicture(): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await studio().getByRole('button', { name: 'Open a picture…' }).click()
  await (await chooser).setFiles(await writePicture())
  await studio().getByRole('region', { name: 'Result' }).getByText('64 x 40').waitFor()
}

/** Colours in the left and in the right half of what the machine shows. */
const machinePicture = () =>
  page.evaluate(async () => {
    const result = await window.bridgedeck.memory.picture({ machine: 'builtin' }, crypto.randomUUID())
    if (!result.ok) throw new Error(result.error.message)
    const { width, height, pixels } = result.data
    const pairAt = (x: number) => pixels[((height >> 1) * width + x) >> 1]
    return [pairAt(128), pairAt(256)]
  })

const programCounter = () =>
  page.evaluate(async () => {
    const result = await window.bridgedeck.memory.registers({ machine: 'builtin' }, crypto.randomUUID())
    return result.ok ? result.data.registers.find(({ name }) => name === 'PC')?.value : undefined
  })

const memoryOfPreview = () =>
  page.evaluate(async () => {
    const result = await window.bridgedeck.memory.read({
      machine: 'builtin',
      space: 'ram',
      address: 0x6000,
      length: 0x1f40,
    })
    return result.ok ? result.data.bytes.join() : ''
  })

describe.skipIf(lacks('electron', 'xvfb'))('the picture studio', () => {
  it('turns a picture into a bitmap, shows it on the machine and takes it back', async () => {
    expect(await axeProblems(page)).toEqual([])
    await openPicture()
    const figures = studio().getByRole('region', { name: 'Result' })
    await expect.poll(() => figures.textContent()).toMatch(/Colours2.*Cells that lost colours0 of 1000/)
    await expect.poll(() => figures.textContent()).toMatch(/A preview writes \$6000–\$7F3F, \$5C00–\$5FE7, colour RAM/)
    expect(await axeProblems(page)).toEqual([])

    await studio().getByRole('button', { name: 'Preview on the machine' }).click()
    await expect.poll(machinePicture).toEqual([RED * 0x11, GREEN * 0x11])
    await studio().getByRole('button', { name: 'Take back' }).click()
    await expect.poll(machinePicture).not.toEqual([RED * 0x11, GREEN * 0x11])
    await expect.poll(programCounter).not.toBe(0x5fe9)
  })

  it('takes back what stood there, though the preview was asked for twice', async () => {
    await openPicture()
    await studio().getByText('A preview writes $6000').waitFor()
    const before = await memoryOfPreview()
    await Promise.all([chooseMenuItem(running, 'photo.preview'), chooseMenuItem(running, 'photo.preview')])
    await expect.poll(machinePicture).toEqual([RED * 0x11, GREEN * 0x11])
    await studio().getByRole('button', { name: 'Preview again' }).waitFor()
    await studio().getByRole('button', { name: 'Take back' }).click()
    await studio().getByRole('button', { name: 'Preview on the machine' }).waitFor()
    expect(await memoryOfPreview()).toBe(before)
    await expect.poll(programCounter).not.toBe(0x5fe9)
  })

  it('leaves what another program wrote since the preview, and lets it run', async () => {
    await openPicture()
    await studio().getByRole('button', { name: 'Preview on the machine' }).click()
    await expect.poll(machinePicture).toEqual([RED * 0x11, GREEN * 0x11])
    await page.evaluate(() => window.bridgedeck.machine.reset({ machine: 'builtin', kind: 'soft' }))
    await expect.poll(machinePicture).not.toEqual([RED * 0x11, GREEN * 0x11])
    await page.evaluate(() =>
      window.bridgedeck.memory.write({
        machine: 'builtin',
        space: 'ram',
        address: 0x6000,
        bytes: Uint8Array.of(0x12, 0x34),
      }),
    )
    await studio().getByRole('button', { name: 'Take back' }).click()
    await page.getByText('The machine was reset, or runs another program').first().waitFor()
    expect((await memoryOfPreview()).slice(0, 5)).toBe('18,52')
    const state = () =>
      page.evaluate(async () => {
        const listed = await window.bridgedeck.machine.list({})
        return listed.ok ? listed.data.machines.find(({ machine }) => machine === 'builtin')?.execution : ''
      })
    await expect.poll(state).toBe('running')
  })

  it('saves the picture as Koala in one step, and as another format once that is chosen', async () => {
    await openPicture()
    const saved = (name: string) => readFile(join(folder, name))
    await answerFileDialogs(running, join(folder, 'flag.koa'))
    await studio().getByRole('button', { name: 'Save as Koala Painter…' }).click()
    await page.locator('.toast').filter({ hasText: 'flag.koa saved' }).waitFor()
    expect((await saved('flag.koa')).length).toBe(10_003)
    await studio().getByRole('combobox', { name: 'Save as' }).selectOption('png')
    await answerFileDialogs(running, join(folder, 'flag.c64.png'))
    await studio().getByRole('button', { name: 'Save as PNG picture…' }).click()
    await page.locator('.toast').filter({ hasText: 'flag.c64.png saved' }).waitFor()
    expect((await saved('flag.c64.png')).subarray(1, 4).toString()).toBe('PNG')
  })

  it('converts again when an option changes, by keyboard alone', async () => {
    await openPicture()
    const target = studio().getByRole('combobox', { name: 'Convert to' })
    await target.focus()
    await page.keyboard.type('Sprites')
    const figures = studio().getByRole('region', { name: 'Result' })
    await expect.poll(() => figures.textContent()).toMatch(/of 8/)
    await studio().getByRole('button', { name: 'Keep in the sheet' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('.toast').filter({ hasText: 'flag is in the sheet' }).waitFor()
  })

  it('opens a picture that is dropped on the window', async () => {
    const file = await writePicture()
    await dropUntil(page, [file], studio().getByText('64 x 40'))
    await page.locator('.drop-overlay').waitFor({ state: 'detached' })
  })

  it('says where a damaged picture is damaged', async () => {
    const file = join(folder, 'broken.png')
    await writeFile(file, encode({ width: 8, height: 8, data: new Uint8Array(64), channels: 1 }).subarray(0, 50))
    const chooser = page.waitForEvent('filechooser')
    await studio().getByRole('button', { name: 'Open…' }).click()
    await (await chooser).setFiles(file)
    await studio().getByRole('alert').filter({ hasText: 'at byte 33' }).waitFor()
  })
})
