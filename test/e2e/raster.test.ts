/** The raster view of the built-in C64: a frame in cycles, by mouse and by keys. */
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { lacks } from '../support/parts'
import type { RunningApp } from '../support/launchApp'
import { axeProblems, chooseMenuItem, openForEach } from './support'

let running: RunningApp
let page: Page

openForEach(['--size=1280x800'], (launched) => {
  running = launched
  page = launched.page
})

const view = () => page.locator('[data-panel="raster"]')
const fact = (name: string) =>
  view()
    .locator('.fact-list > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('dd')

describe.skipIf(lacks('electron', 'xvfb'))('the raster view', () => {
  it('shows what each cycle of a frame is used for, and leads to its instruction', async () => {
    await chooseMenuItem(running, 'view.raster')
    await view()
      .getByText(/The CPU has \d+ of 19656 cycles/)
      .waitFor()
    expect(await fact('Place').textContent()).toBe('line 51, cycle 14')
    expect(await fact('Second half').textContent()).toBe('VIC-II: video matrix')
    await view().getByText('Line 51: 20 CPU, 40 video matrix, 3 waits').waitFor()
    const strip = view().getByRole('application')
    await strip.press('ArrowDown')
    expect(await fact('Place').textContent()).toBe('line 52, cycle 14')
    expect(await fact('Second half').textContent()).toMatch(/^CPU/)
    // The demo changes colours from line to line.
    const writes = view().getByRole('group', { name: 'Written to the VIC-II' })
    const first = writes.getByRole('row').nth(1)
    await first.getByTitle('Show in the raster').click()
    expect(await fact('Write').textContent()).toMatch(/^\$D0/)
    expect(await axeProblems(page, '[data-panel="raster"]')).toEqual([])
    const address = await fact('Instruction').textContent()
    await strip.press('Enter')
    await page.locator('[data-panel="memory"] .memory-status', { hasText: address ?? '' }).waitFor()
  })
})
