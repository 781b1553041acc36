/** The screen's own tools: how its picture looks and how large it is. */
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import type { RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { axeProblems, chooseMenuItem, openForEach } from './support'

let running: RunningApp
let page: Page

openForEach(['--size=1280x800'], (launched) => {
  running = launched
  page = launched.page
})

const screen = () => page.locator('[data-panel="screen"]')
const tool = (name: string) => screen().getByRole('button', { name, exact: true })
const picture = () => screen().locator('.screen-picture')
const sizeOf = async () => {
  const box = await picture().boundingBox()
  return [box?.width ?? 0, box?.height ?? 0]
}

describe.skipIf(lacks('electron', 'xvfb'))('the screen', () => {
  it('shows whole pixels at first, and fills its panel when that is switched off', async () => {
    expect(await tool('Whole pixels').getAttribute('aria-pressed')).toBe('true')
    const [width = 0, height = 0] = await sizeOf()
    expect([width % 2, height % 2]).toEqual([0, 0])
    expect(width).toBeGreaterThanOrEqual(640)
    await tool('Borders').click()
    await expect.poll(sizeOf).toEqual([640, 400])
    await tool('Whole pixels').click()
    await expect.poll(async () => (await sizeOf())[0]).toBeGreaterThan(640)
    expect(await tool('Borders').getAttribute('aria-pressed')).toBe('false')
  })

  it('names its tools in tooltips with their shortcuts', async () => {
    await tool('Full screen').hover()
    await expect.poll(() => page.locator('.tooltip').first().textContent()).toContain('Shift+F11')
    const words = await screen().locator('.screen-tools button').allTextContents()
    expect(words.filter((text) => text !== '')).toEqual([])
  })

  it('looks like a television only when that is asked for', async () => {
    const glass = screen().locator('.crt-glass')
    const filter = () =>
      screen()
        .locator('canvas')
        .first()
        .evaluate((canvas) => getComputedStyle(canvas).filter)
    expect([await glass.count(), await filter()]).toEqual([0, 'none'])
    await tool('CRT look').click()
    await glass.waitFor()
    expect(await filter()).not.toBe('none')
  })

  it('marks where the raster beam of a paused machine is, until that is switched off', async () => {
    const line = screen().locator('.beam-line')
    expect(await line.count()).toBe(0)
    await page.evaluate(() => {
      const anywhere = { start: 0, end: 0xffff, operations: ['exec' as const], label: null, line: null }
      const once = { stop: true, enabled: true, temporary: true, condition: 'RL == 100', fromHit: 1, log: null }
      return window.bridgedeck.machine.setCheckpoint({ machine: 'builtin', checkpoint: { ...anywhere, ...once } })
    })
    await line.waitFor()
    const share = async (): Promise<number> => {
      const [mark, whole] = [await line.boundingBox(), await picture().boundingBox()]
      return ((mark?.y ?? 0) - (whole?.y ?? 0)) / (whole?.height ?? 1)
    }
    const [first, lines] = await picture().evaluate((element) =>
      ['--first-line', '--lines'].map((name) => Number(getComputedStyle(element).getPropertyValue(name))),
    )
    // Raster line 100 is line 84 of the picture.
    expect(await share()).toBeCloseTo((84.5 - (first ?? 0)) / (lines ?? 1), 2)
    await chooseMenuItem(running, 'screen.beam')
    await line.waitFor({ state: 'detached' })
  })

  it('shows the sprites below the picture, and marks the one that is clicked in memory, registers and panel', async () => {
    const strip = () => screen().getByRole('group', { name: 'Sprites' })
    const sprite = (n: number) => strip().getByRole('button', { name: `Sprite ${n}`, exact: true })
    const painted = () =>
      sprite(2)
        .locator('canvas')
        .evaluate((canvas) =>
          (canvas as HTMLCanvasElement)
            .getContext('2d')
            ?.getImageData(0, 0, 24, 21)
            .data.some((byte) => byte !== 0),
        )
    await expect.poll(painted).toBe(true)
    const before = await picture().boundingBox()
    await sprite(2).click()
    expect(await sprite(2).getAttribute('aria-pressed')).toBe('true')
    expect(await picture().boundingBox()).toEqual(before)
    const status = page.locator('[data-panel="memory"] .memory-status')
    await expect.poll(() => status.textContent()).toMatch(/\$0[89A][0-9A-F]{2}/)

    await chooseMenuItem(running, 'view.registers')
    const marked = page.locator('[data-panel="registers"] tr[aria-current]')
    await expect.poll(() => marked.count()).toBe(9)
    expect(await marked.first().textContent()).toContain('$D004')

    await chooseMenuItem(running, 'view.sprites')
    const chosen = page.locator('[data-panel="sprites"]').getByRole('button', { name: 'Select sprite 2' })
    await expect.poll(() => chosen.getAttribute('aria-pressed')).toBe('true')
    await page.locator('[data-panel="sprites"]').getByRole('button', { name: 'Select sprite 5' }).click()
    await expect.poll(() => sprite(5).getAttribute('aria-pressed')).toBe('true')
    expect(await sprite(2).getAttribute('aria-pressed')).toBe('false')
    expect(await axeProblems(page)).toEqual([])

    await tool('Sprites below the screen').click()
    await strip().waitFor({ state: 'detached' })
  })

  it('fills the window alone in full screen, and gives it back by the same command or when one goes elsewhere', async () => {
    const all = () => page.evaluate(() => ({ x: 0, y: 0, width: innerWidth, height: innerHeight }))
    await tool('Full screen').click()
    await expect
      .poll(async () => JSON.stringify(await screen().boundingBox()) === JSON.stringify(await all()))
      .toBe(true)
    await screen().getByRole('toolbar').waitFor({ state: 'hidden' })
    await chooseMenuItem(running, 'screen.full')
    await screen().getByRole('toolbar').waitFor()
    await expect.poll(async () => (await screen().boundingBox())?.x).toBeGreaterThan(0)
    await chooseMenuItem(running, 'screen.full')
    await screen().getByRole('toolbar').waitFor({ state: 'hidden' })
    await chooseMenuItem(running, 'view.tasks')
    await page.locator('[data-workspace="tasks"][data-current="true"]').waitFor()
    await chooseMenuItem(running, 'view.machine')
    await screen().getByRole('toolbar').waitFor()
  })
})
