/** Running the built-in C64 to somewhere in the registers view, by keyboard and by the menu of a line. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { SharedApp } from '../support/sharedApp'
import { axeProblems, chooseMenuItem } from './support'

const shared = new SharedApp()
let folder: string
let running: RunningApp
let page: Page

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridgedeck-running-'))
  running = await shared.open('--size=1280x800', '--view=registers')
  page = running.page
  await untilLive(page)
  await chooseMenuItem(running, 'machine.pause')
  await nextLine().waitFor()
})
afterEach(() => rm(folder, { recursive: true, force: true }))
afterAll(() => shared.close())

const registers = () => page.locator('[data-panel="registers"]')
const steps = () => page.getByRole('toolbar', { name: 'Run and step' })
const nextLine = () => registers().locator('.code li.next')

/** As the registers view shows it while the machine is paused. */
const register = async (name: string): Promise<number> => {
  const result = await page.evaluate(() => window.bridgedeck.memory.registers({ machine: 'builtin' }))
  return result.ok ? (result.data.registers.find((each) => each.name === name)?.value ?? -1) : -1
}
const execution = () =>
  page.evaluate(async () => {
    const result = await window.bridgedeck.machine.list({})
    return result.ok ? result.data.machines[0]?.execution : undefined
  })

const slow = () =>
  page.evaluate(async () => {
    const result = await window.bridgedeck.machine.list({})
    return result.ok ? result.data.machines[0]?.slow : undefined
  })

describe.skipIf(lacks('electron', 'xvfb'))('running to somewhere in the window', () => {
  it('comes to the next frame, raster line and IRQ by buttons and menu', async () => {
    await steps().getByRole('button', { name: 'Next frame' }).click()
    await expect.poll(() => register('LIN')).toBe(0)
    await expect.poll(execution).toBe('paused')
    await steps().getByRole('button', { name: 'Next line' }).click()
    await expect.poll(() => register('LIN')).toBe(1)
    await expect.poll(execution).toBe('paused')
    await chooseMenuItem(running, 'machine.runToIrq')
    await nextLine().getByRole('button', { name: 'FF48' }).waitFor()
    await expect.poll(execution).toBe('paused')
    for (const part of ['[data-panel="registers"]', '.step-bar']) expect(await axeProblems(page, part)).toEqual([])
  })

  it('goes on in slow motion with the listing, by button, menu and choice, until it is paused or runs at full speed', async () => {
    await steps().getByLabel('Speed of slow motion').selectOption('50 raster lines a second')
    await steps().getByRole('button', { name: 'Slow motion' }).click()
    await expect.poll(execution).toBe('running')
    const line = await register('LIN')
    await expect.poll(() => register('LIN')).not.toBe(line)
    await nextLine().waitFor()
    for (const part of ['[data-panel="registers"]', '.step-bar']) expect(await axeProblems(page, part)).toEqual([])
    await steps().getByLabel('Speed of slow motion').selectOption('10 raster lines a second')
    await expect.poll(slow).toEqual({ unit: 'line', perSecond: 10 })
    await steps().getByRole('button', { name: 'Pause' }).click()
    await expect.poll(execution).toBe('paused')
    await steps().getByRole('button', { name: 'Slow motion' }).waitFor()
    await chooseMenuItem(running, 'machine.slowMotion')
    await steps().getByRole('button', { name: 'Full speed' }).click()
    await registers().getByText('Pause to see the code at the PC').waitFor()
    await expect.poll(execution).toBe('running')
  })

  it('comes to the cursor of the memory view', async () => {
    await chooseMenuItem(running, 'machine.runToIrq')
    await nextLine().getByRole('button', { name: 'FF48' }).waitFor()
    await registers().locator('.code li:not(.code-label)', { hasText: 'FF4A' }).getByRole('button').click()
    await steps().getByRole('button', { name: 'Run to the cursor' }).click()
    await expect.poll(execution).toBe('paused')
    await expect.poll(() => register('PC')).toBe(0xff4a)
  })

  it('comes to a line of the listing by its menu', async () => {
    await chooseMenuItem(running, 'machine.runToIrq')
    await nextLine().getByRole('button', { name: 'FF48' }).waitFor()
    const line = registers().locator('.code li:not(.code-label)', { hasText: 'FF4A' })
    await line.getByRole('button').focus()
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menuitem', { name: 'Run to here' }).click()
    await nextLine().getByRole('button', { name: 'FF4A' }).waitFor()
    await expect.poll(execution).toBe('paused')
  })
})
