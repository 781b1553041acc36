/** The sprite browser over the demo program of the built-in C64, and the sheet. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Artwork } from '@shared/graphics/artwork'
import { decodeSheet } from '@shared/graphics/sheetFile'
import { untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { SharedApp } from '../support/sharedApp'
import { axeProblems } from './support'

const shared = new SharedApp()
afterAll(() => shared.close())

const args = ['--size=1920x1200', '--view=graphics']
let page: Page

async function show(running: RunningApp): Promise<void> {
  page = running.page
  await untilLive(page)
}
beforeEach(async () => show(await shared.open(...args)))

const browser = () => page.locator('[data-panel="spriteBrowser"]')
const sheet = () => page.locator('[data-panel="sheet"]')
const grid = () => browser().getByRole('listbox')
const status = () => browser().locator('.sprite-browser-status').textContent()

describe.skipIf(lacks('electron', 'xvfb'))('the sprite browser', () => {
  it('shows the demo’s sprites at their address, found by keys', async () => {
    await grid().focus()
    await page.keyboard.press('Control+End')
    await expect.poll(status).toContain('$FFC0  block 1023  pointer $FF (255) in bank 3')
    await page.keyboard.press('Control+Home')
    await expect.poll(status).toContain('$0000  block 0')
    await browser().getByRole('radio', { name: 'Used' }).click()
    await expect.poll(status).toContain('$0840  block 33  pointer $21 (33) in bank 0')
    expect(await axeProblems(page, '[data-panel="spriteBrowser"]')).toEqual([])
  })

  it('keeps sprites in the sheet, which are there after a restart', async () => {
    await browser().getByRole('radio', { name: 'Used' }).click()
    await expect.poll(status).toContain('$0840')
    await grid().focus()
    await page.keyboard.press('k')
    await sheet().getByText('1 of 1', { exact: true }).waitFor()
    await sheet().getByLabel('Name').fill('boat')
    await page.keyboard.press('Enter')
    await expect.poll(() => keptSheet().then(namesOf)).toEqual(['boat'])
    await show(await shared.startAgain(...args))
    await expect.poll(() => sheet().getByLabel('Name').inputValue()).toBe('boat')
    expect(await axeProblems(page, '[data-panel="sheet"]')).toEqual([])
  })

  it('names a sprite, also where another one is clicked before Enter, and acts on the one that is marked', async () => {
    await grid().focus()
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('k')
    await sheet().getByText('1 of 2', { exact: true }).waitFor()
    await sheet().getByLabel('Name').fill('boat')
    await sheet()
      .getByRole('listbox')
      .click({ position: { x: 60, y: 20 } })
    await sheet().getByText('2 of 2', { exact: true }).waitFor()
    await expect.poll(() => keptSheet().then(namesOf)).toEqual(['boat', expect.not.stringMatching('boat')])
    await page.keyboard.press('Delete')
    await sheet().getByText('1 of 1', { exact: true }).waitFor()
    await page.keyboard.press('Delete')
    await sheet().getByText('Nothing kept yet').waitFor()
  })

  it('shows a machine that stands still in the colours that are chosen, and takes K with Caps Lock', async () => {
    await page.evaluate(() => window.bridgedeck.machine.pause({ machine: 'builtin' }))
    await grid().focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(status).toContain('$0040')
    await browser().getByRole('button', { name: 'More' }).click()
    const coloursOf = () =>
      grid()
        .locator('canvas')
        .first()
        .evaluate((canvas) => {
          if (!(canvas instanceof HTMLCanvasElement)) return []
          return [...(canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [])].join()
        })
    const before = await coloursOf()
    await page.getByLabel('Background').selectOption('red')
    await expect.poll(coloursOf).not.toBe(before)
    await page.keyboard.press('Escape')
    await grid().focus()
    await page.keyboard.press('K')
    await sheet().getByText('1 of 1', { exact: true }).waitFor()
    await sheet().getByRole('listbox').focus()
    await page.keyboard.press('Control+Z')
    await sheet().getByText('Nothing kept yet').waitFor()
  })

  it('writes sprites of the sheet to a slot of the machine, and puts back what was there', async () => {
    await browser().getByRole('radio', { name: 'Used' }).click()
    await expect.poll(status).toContain('$0840')
    await grid().focus()
    await page.keyboard.press('k')
    await sheet().getByText('1 of 1', { exact: true }).waitFor()
    const slot = sheet().getByRole('textbox', { name: 'Slot' })
    await slot.fill('$c000')
    await slot.press('Enter')
    const before = await bytesAt(0xc000, 64)
    await sheet().getByRole('button', { name: 'Write', exact: true }).click()
    const art = await bytesAt(0x0840, 63)
    await expect.poll(() => bytesAt(0xc000, 64)).toEqual([...art, before[63] ?? 0])
    await page
      .locator('.toast')
      .filter({ hasText: 'Wrote 1 sprite at $C000' })
      .getByRole('button', { name: 'Undo' })
      .click()
    await expect.poll(() => bytesAt(0xc000, 64)).toEqual(before)
  })

  it('grabs the animation of a sprite whose pointer the program changes', async () => {
    const program = join(shared.dataFolder, 'pointer.prg')
    await writeFile(program, changesPointer)
    await show(await shared.startAgain(...args, program))
    await page.evaluate(() => {
      const bytes = new Uint8Array(63).fill(0xaa)
      return window.bridgedeck.memory.write({ machine: 'builtin', space: 'cpu', address: 0x2040, bytes })
    })
    await expect.poll(status).toContain('$0000')
    await browser().getByRole('button', { name: 'Grab animation' }).click()
    const changes = async () => Number(/(\d+) changes/.exec(await browser().innerText())?.[1])
    await expect.poll(changes, { timeout: 60_000 }).toBeGreaterThan(8)
    await browser().getByRole('button', { name: 'Grab animation' }).click()
    await expect.poll(() => sheet().locator('.sheet-frames li').count()).toBe(2)
    await sheet().getByText('1 of 2', { exact: true }).waitFor()
    const names = () =>
      sheet()
        .locator('.sheet-frames')
        .getByLabel('Name')
        .evaluateAll((fields) => fields.map((field) => field instanceof HTMLInputElement && field.value))
    await sheet().getByRole('button', { name: 'Frame 1', exact: true }).focus()
    const [first, second] = await names()
    await page.keyboard.press('Alt+ArrowRight')
    await expect.poll(names).toEqual([second, first])
    await sheet().locator('.sheet-frames li').first().dragTo(sheet().locator('.sheet-frames li').last())
    await expect.poll(names).toEqual([first, second])
    await sheet().locator('.sheet-frames').getByLabel('Name').first().fill('step')
    await page.keyboard.press('Enter')
    await expect.poll(() => keptSheet().then(namesOf)).toContain('step')
    await sheet().getByRole('button', { name: 'Undo' }).click()
    await expect.poll(names).toEqual([first, second])
    expect(await axeProblems(page, '[data-panel="sheet"]')).toEqual([])
  })
})

const bytesAt = (address: number, length: number): Promise<number[]> =>
  page.evaluate(
    async ([address, length]) => {
      const read = await window.bridgedeck.memory.read({ machine: 'builtin', space: 'ram', address, length })
      return read.ok ? [...read.data.bytes] : []
    },
    [address, length] as const,
  )

const namesOf = (artworks: readonly Artwork[]) =>
  artworks.flatMap((artwork) => (artwork.kind === 'sprites' ? artwork.sprites.map(({ name }) => name) : []))

async function keptSheet(): Promise<readonly Artwork[]> {
  const bytes = await page.evaluate(async () => {
    const kept = await window.bridgedeck.graphics.sheet({})
    return kept.ok ? [...(kept.data.bytes ?? [])] : []
  })
  return decodeSheet(Uint8Array.from(bytes)).artworks
}

/**
 *   10 SYS 2061
 *   $080D  SEI; LDA #1; STA $D015; LDA #$80; STA $07F8
 *   $0818  LDX #8                                        ; frames
 *   $081A  wait for raster lines $80 and $81; DEX; BNE $081A
 *   $082B  LDA $07F8; EOR #1; STA $07F8; JMP $0818
 */
const changesPointer = Uint8Array.from([
  0x01, 0x08, 0x0b, 0x08, 0x0a, 0x00, 0x9e, 0x32, 0x30, 0x36, 0x31, 0x00, 0x00, 0x00, 0x78, 0xa9, 0x01, 0x8d, 0x15,
  0xd0, 0xa9, 0x80, 0x8d, 0xf8, 0x07, 0xa2, 0x08, 0xad, 0x12, 0xd0, 0xc9, 0x80, 0xd0, 0xf9, 0xad, 0x12, 0xd0, 0xc9,
  0x81, 0xd0, 0xf9, 0xca, 0xd0, 0xef, 0xad, 0xf8, 0x07, 0x49, 0x01, 0x8d, 0xf8, 0x07, 0x4c, 0x18, 0x08,
])
