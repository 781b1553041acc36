/** Going back in time on the built-in C64, and who wrote a byte, as a person does it in the window. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import type { RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { answerFileDialogs, axeProblems, chooseMenuItem, openForEach } from './support'

let running: RunningApp
let page: Page

openForEach(['--size=1280x800', '--view=registers'], (launched) => {
  running = launched
  page = launched.page
})

const panel = (name: string) => page.locator(`[data-panel="${name}"]`)
const registers = () => panel('registers')
const steps = () => page.getByRole('toolbar', { name: 'Run and step' })
const moment = () => steps().locator('.time-slider-moment')
const nextLine = async () => (await registers().locator('.code li.next').first().textContent()) ?? ''
const pastNow = () =>
  page.evaluate(async () => {
    const result = await window.bridgedeck.machine.list({})
    return result.ok ? (result.data.machines[0]?.past?.now ?? null) : null
  })

const place = { machine: 'builtin', space: 'ram', address: 0xc123 } as const
const writeMark = (byte: number) =>
  page.evaluate(([place, byte]) => window.bridgedeck.memory.write({ ...place, bytes: Uint8Array.of(byte) }), [
    place,
    byte,
  ] as const)
const readMark = () =>
  page.evaluate(async (place) => {
    const result = await window.bridgedeck.memory.read({ ...place, length: 1 })
    return result.ok ? result.data.bytes[0] : null
  }, place)

/** Whether all of it can be seen without scrolling. */
const isInView = (element: Locator) =>
  element.evaluate((node) => {
    const { top, bottom } = node.getBoundingClientRect()
    return top >= 0 && bottom <= window.innerHeight
  })

async function pauseAfterASecond(): Promise<void> {
  const begun = (await pastNow()) ?? 0
  await expect.poll(pastNow).toBeGreaterThan(begun + 985_248)
  await chooseMenuItem(running, 'machine.pause')
  await expect.poll(() => moment().textContent()).toBe('now')
}

describe.skipIf(lacks('electron', 'xvfb'))('going back in the window', () => {
  it('steps back to the instruction before, and forward to the one that ran next', async () => {
    await pauseAfterASecond()
    const line = await nextLine()
    await steps().getByRole('button', { name: 'Step back' }).click()
    await expect.poll(nextLine).not.toBe(line)
    await expect.poll(() => moment().textContent()).toMatch(/^\d+ cycles back$/)
    await chooseMenuItem(running, 'machine.step')
    await expect.poll(nextLine).toBe(line)
    await expect.poll(() => moment().textContent()).toBe('now')
  })

  it('goes to another moment by the slider’s keys, takes another way when a byte is changed there, and comes back', async () => {
    await pauseAfterASecond()
    const slider = steps().getByRole('slider', { name: 'Moment of the machine’s time' })
    await slider.focus()
    await page.keyboard.press('Home')
    await expect.poll(() => moment().textContent()).toMatch(/ s back$/)
    await steps().getByRole('button', { name: 'To now' }).click()
    await expect.poll(() => moment().textContent()).toBe('now')
    await slider.focus()
    await page.keyboard.press('Home')
    await expect.poll(() => moment().textContent()).toMatch(/ s back$/)
    const first = await pastNow()
    await page.evaluate(() =>
      window.bridgedeck.memory.write({ machine: 'builtin', space: 'ram', address: 0x0400, bytes: Uint8Array.of(1) }),
    )
    await expect.poll(() => moment().textContent()).toBe('now')
    await steps().getByRole('button', { name: 'Undo change' }).click()
    await expect.poll(pastNow).toBeGreaterThan((first ?? 0) + 985_248)
    await expect.poll(() => moment().textContent()).toBe('now')
  })

  it('shows who wrote the byte under the cursor, and goes back to the write', async () => {
    await registers().locator('.chip tr', { hasText: '$D020' }).first().click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Show what wrote it' }).click()
    const history = registers().locator('.byte-history')
    await history.getByText('$D020 = 53280 = VIC.BORDER').waitFor()
    await expect.poll(() => isInView(history)).toBe(true)
    await history.getByText(/VIC-II register: Border colour \([a-z ]+\)/).waitFor()
    await expect.poll(() => history.textContent()).toMatch(/Written.*STA VIC\.BORDER/)
    await pauseAfterASecond()
    await history.getByRole('button', { name: 'Go back to its last write' }).click()
    await expect.poll(nextLine).toMatch(/STA \$D020/)
    expect(await axeProblems(page, '[data-panel="registers"]')).toEqual([])
  })

  it('saves what happened as a bug report, which another C64 lives through when it is loaded', async () => {
    await writeMark(0x5a)
    await pauseAfterASecond()
    const file = join(running.dataFolder, 'found.bridgedeck-state')
    await answerFileDialogs(running, file)
    await chooseMenuItem(running, 'state.saveReport')
    await page.getByText('found.bridgedeck-state saved.').waitFor()
    expect(readFileSync(file).subarray(0, 8).toString()).toBe('BDC64PST')
    const before = await pastNow()
    await chooseMenuItem(running, 'machine.powerCycle')
    await chooseMenuItem(running, 'state.load')
    await page.getByText('found.bridgedeck-state is loaded.').waitFor()
    await expect.poll(pastNow).toBeGreaterThanOrEqual(before ?? Number.POSITIVE_INFINITY)
    await expect.poll(readMark).toBe(0x5a)
  })

  it('says how far the replay of a long report is, and leaves the machine as it is when that is cancelled', async () => {
    await page.evaluate(() => window.bridgedeck.machine.setWarp({ machine: 'builtin', warp: true }))
    // On any computer a replay takes about as long as its warp took.
    await page.waitForTimeout(6_000)
    await page.evaluate(() => window.bridgedeck.machine.setWarp({ machine: 'builtin', warp: false }))
    await chooseMenuItem(running, 'machine.pause')
    await expect.poll(() => moment().textContent()).toBe('now')
    await answerFileDialogs(running, join(running.dataFolder, 'long.bridgedeck-state'))
    await steps().getByRole('button', { name: 'More' }).click()
    await page.getByLabel('How much a bug report tells').selectOption('s300')
    await page.keyboard.press('Escape')
    await chooseMenuItem(running, 'state.saveReport')
    await page.getByText('long.bridgedeck-state saved.').waitFor()
    await writeMark(0x77)
    await chooseMenuItem(running, 'state.load')
    const strip = page.getByText(/Replaying: \d+ %/)
    await strip.waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await strip.waitFor({ state: 'detached' })
    expect(await readMark()).toBe(0x77)
    expect(await page.getByText('long.bridgedeck-state is loaded.').count()).toBe(0)
  })
})
