/** The first start: five hints over the demo, once. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, describe, expect, it } from 'vitest'
import { untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { SharedApp } from '../support/sharedApp'
import { axeProblems, chooseMenuItem } from './support'

const shared = new SharedApp({ firstStart: true })
afterAll(() => shared.close())

let running: RunningApp

const open = async () => show(await shared.open('--size=1280x800'))
const startAgain = async () => show(await shared.startAgain('--size=1280x800'))

async function show(opened: RunningApp): Promise<Page> {
  running = opened
  await untilLive(running.page)
  return running.page
}

describe.skipIf(lacks('electron', 'xvfb'))('the tour', () => {
  it('begins by itself at the first start, beside what it is about, and leaves the keyboard with the C64', async () => {
    const page = await open()
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
    const first = await open()
    await first.getByRole('button', { name: 'Skip the tour' }).click()
    const remembered = async () => {
      const result = await first.evaluate(() => window.bridgedeck.window.info({}))
      return result.ok ? result.data.window.viewState : null
    }
    await expect.poll(remembered).toContain('tour.seen')

    const second = await startAgain()
    await second.locator('[data-panel="memory"] .hex-row').first().waitFor()
    expect(await second.locator('.popover.tour').count()).toBe(0)
    await chooseMenuItem(running, 'view.help')
    await second.getByRole('button', { name: 'Take the tour' }).click()
    await second.locator('.popover.tour').getByText('1 of 5').waitFor()
    expect(await second.locator('[data-workspace="machine"][data-current="true"]').count()).toBe(1)
  })

  it('ends where its demo is not seen, and waits for a person who is elsewhere', async () => {
    const first = await open()
    const go = (name: string) => running.page.locator('.activity-bar').getByRole('button', { name }).click()
    const remembered = async () => {
      const result = await first.evaluate(() => window.bridgedeck.window.info({}))
      return result.ok ? (result.data.window.layout ?? '') : ''
    }
    await first.locator('.popover.tour').waitFor()
    await go('Tasks')
    await first.locator('.popover.tour').waitFor({ state: 'detached' })
    await expect.poll(remembered).toContain('tasks')
    await shared.end()

    const stored = join(shared.dataFolder, 'window.json')
    await writeFile(stored, JSON.stringify({ ...JSON.parse(await readFile(stored, 'utf8')), viewState: null }))
    const second = await startAgain()
    await second.locator('[data-workspace="tasks"][data-current="true"]').waitFor()
    expect(await second.locator('.popover.tour').count()).toBe(0)
    await go('Machine')
    await second.locator('.popover.tour').getByText('1 of 5').waitFor()
  })
})
