/** The screen's own tools: how its picture looks and how large it is. */
import type { Page } from 'playwright'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { launchApp, untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { chooseMenuItem } from './support'

let running: RunningApp
let page: Page

beforeEach(async () => {
  running = await launchApp({ args: ['--size=1280x800'] })
  page = running.page
  await untilLive(page)
})
afterEach(() => running.close())

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
    const words = await screen().locator('.toolbar button').allTextContents()
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
