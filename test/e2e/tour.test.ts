/** The first start: five hints over the demo, once. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { launchApp, untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { axeProblems, chooseMenuItem } from './support'

let folder: string
let running: RunningApp

const launch = async () => {
  running = await launchApp({ firstStart: true, dataFolder: join(folder, 'data'), args: ['--size=1280x800'] })
  await untilLive(running.page)
  return running.page
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridgedeck-tour-'))
})
afterEach(async () => {
  await running.close()
  await rm(folder, { recursive: true, force: true })
})

describe.skipIf(lacks('electron', 'xvfb'))('the tour', () => {
  it('begins by itself at the first start, beside what it is about, and leaves the keyboard with the C64', async () => {
    const page = await launch()
    const tour = page.locator('.popover.tour')
    await tour.getByText('1 of 5').waitFor()
    const keysGoTo = () =>
      page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-panel]')?.dataset['panel'])
    await expect.poll(keysGoTo).toBe('screen')
    expect(await axeProblems(page)).toEqual([])
    const about: (string | undefined)[] = []
    for (let step = 1; step <= 5; step++) {
      await tour.getByText(`${step} of 5`).waitFor()
      await page.locator('[data-tour]').waitFor()
      about.push(
        await page.evaluate(
          () => document.querySelector('[data-tour]')?.closest<HTMLElement>('[data-panel]')?.dataset['panel'],
        ),
      )
      await tour.getByRole('button', { name: step === 5 ? 'Done' : 'Next' }).click()
    }
    expect(about).toEqual(['screen', 'screen', 'memory', 'machine-bar', 'activity-bar'])
    await tour.waitFor({ state: 'detached' })
    expect(await keysGoTo()).toBe('screen')
    await chooseMenuItem(running, 'help.tour')
    await tour.getByText('1 of 5').waitFor()
    await expect
      .poll(async () => {
        await chooseMenuItem(running, 'view.nextPanel')
        return keysGoTo()
      })
      .toBe('tour')
    await page.keyboard.press('Escape')
    await tour.waitFor({ state: 'detached' })
  })

  it('can be skipped, does not come again, and is found again in Help', async () => {
    const first = await launch()
    await first.getByRole('button', { name: 'Skip the tour' }).click()
    const remembered = async () => {
      const result = await first.evaluate(() => window.bridgedeck.window.info({}))
      return result.ok ? result.data.window.viewState : null
    }
    await expect.poll(remembered).toContain('tour.seen')
    await running.close()

    const second = await launch()
    await second.locator('[data-panel="memory"] .hex-row').first().waitFor()
    expect(await second.locator('.popover.tour').count()).toBe(0)
    await chooseMenuItem(running, 'view.help')
    await second.getByRole('button', { name: 'Take the tour' }).click()
    await second.locator('.popover.tour').getByText('1 of 5').waitFor()
    expect(await second.locator('[data-workspace="machine"][data-current="true"]').count()).toBe(1)
  })

  it('ends where its demo is not seen, and waits for a person who is elsewhere', async () => {
    const first = await launch()
    const go = (name: string) => running.page.locator('.activity-bar').getByRole('button', { name }).click()
    const remembered = async () => {
      const result = await first.evaluate(() => window.bridgedeck.window.info({}))
      return result.ok ? (result.data.window.layout ?? '') : ''
    }
    await first.locator('.popover.tour').waitFor()
    await go('Tasks')
    await first.locator('.popover.tour').waitFor({ state: 'detached' })
    await expect.poll(remembered).toContain('tasks')
    await running.close()

    const stored = join(folder, 'data', 'window.json')
    await writeFile(stored, JSON.stringify({ ...JSON.parse(await readFile(stored, 'utf8')), viewState: null }))
    const second = await launch()
    await second.locator('[data-workspace="tasks"][data-current="true"]').waitFor()
    expect(await second.locator('.popover.tour').count()).toBe(0)
    await go('Machine')
    await second.locator('.popover.tour').getByText('1 of 5').waitFor()
  })
})
