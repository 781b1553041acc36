/** Where the time of the built-in C64 goes, in the registers view. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { SharedApp } from '../support/sharedApp'
import { answerFileDialogs, axeProblems } from './support'

const shared = new SharedApp()
let folder: string
let running: RunningApp
let page: Page

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridgedeck-timing-'))
  running = await shared.open('--size=1280x800', '--view=registers')
  page = running.page
  await untilLive(page)
})
afterEach(() => rm(folder, { recursive: true, force: true }))
afterAll(() => shared.close())

const section = (name: string) => page.getByRole('region', { name, exact: true })

describe.skipIf(lacks('electron', 'xvfb'))('where the time goes, in the window', () => {
  it('shows the interrupts of a frame as a strip and as a list, from line to line', async () => {
    const interrupts = section('Interrupts')
    const row = interrupts.getByRole('row').filter({ hasText: 'IRQ' })
    const press = () => interrupts.getByRole('button', { name: 'Show one frame' }).click()
    // Now and then a frame has none: the KERNAL's timer is not that of the raster.
    await expect
      .poll(async () => {
        await press()
        await interrupts.getByRole('button', { name: 'Show one frame' }).waitFor()
        await interrupts.getByText(/in interrupts|No interrupt/).waitFor()
        return row.count()
      })
      .toBeGreaterThan(0)
    expect(await row.first().textContent()).toMatch(/\d+–\d+IRQ/)
    expect(await interrupts.locator('.interrupt-strip > .irq').count()).toBe(await row.count())
    expect(await axeProblems(page, '[data-panel="registers"]')).toEqual([])
  })

  it('profiles, sorts by a column, and can be cancelled', async () => {
    const profile = section('Profile')
    await profile.getByRole('button', { name: 'Run', exact: true }).click()
    await profile.getByRole('table', { name: 'Routines and labels' }).waitFor()
    const names = () => profile.locator('tbody tr td:first-child').allTextContents()
    await profile.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
    const sorted = (await names()).map((name) => name.replace(/ in (IRQ|NMI|BRK)$/, ''))
    expect(sorted).toEqual(sorted.toSorted())
    expect(await axeProblems(page, '[data-panel="registers"]')).toEqual([])
    const file = join(folder, 'flame.html')
    await answerFileDialogs(running, file)
    await profile.getByRole('button', { name: 'Save flame graph…' }).click()
    await page.locator('.toast', { hasText: 'flame.html saved.' }).waitFor()
    expect(await readFile(file, 'utf8')).toMatch(/^<!doctype html>[\s\S]*main program/)
    await profile.getByLabel('Frames').fill('3000')
    await profile.getByLabel('Frames').press('Enter')
    await profile.getByRole('button', { name: 'Run', exact: true }).click()
    await profile.getByRole('button', { name: 'Cancel' }).click()
    await profile.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'detached' })
  })
})
