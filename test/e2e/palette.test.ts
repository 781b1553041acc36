/** The command palette in the real window: what it finds, and where choosing leads. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { SharedApp } from '../support/sharedApp'
import { fillHome } from '../support/taskHome'
import { chooseMenuItem } from './support'

const TASKS = 30

const shared = new SharedApp()
afterAll(() => shared.close())

let running: RunningApp
let page: Page

beforeEach(async () => {
  running = await shared.openOver(writeTasks, '--size=1280x800')
  page = running.page
  await untilLive(page)
})

async function writeTasks(): Promise<void> {
  const home = join(shared.home, '.c64bridge')
  await mkdir(home)
  fillHome(home, TASKS)
}

const palette = () => page.getByRole('dialog', { name: 'Command palette' })
const chosen = () => palette().locator('[cmdk-item][data-selected="true"]')
const panel = (name: string) => page.locator(`[data-panel="${name}"]`)

async function find(text: string): Promise<void> {
  await chooseMenuItem(running, 'view.palette')
  await palette().waitFor()
  await page.keyboard.type(text)
}

/** Waits until what is typed has this first, and chooses it. */
async function choose(text: string, first: RegExp): Promise<void> {
  await find(text)
  await chosen().filter({ hasText: first }).waitFor()
  await page.keyboard.press('Enter')
  await palette().waitFor({ state: 'detached' })
}

describe.skipIf(lacks('electron', 'xvfb'))('the command palette', () => {
  it('leads to a task, which is chosen in its view', async () => {
    await choose('task 0017', /^Task0017_read/)
    await panel('tasks').getByRole('option', { selected: true }).filter({ hasText: '0017_read' }).waitFor()
    await panel('tasks').getByRole('heading', { name: '0017_read' }).waitFor()
  })

  it('leads to a setting, whose first control takes the keyboard', async () => {
    await choose('notif', /^SettingWindow: Notifications/)
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest('.settings-row')?.id))
      .toBe('setting-notifications')
  })

  it('leads to a label’s address in memory', async () => {
    await choose('vic.border', /^LabelVIC\.BORDER/)
    await panel('memory')
      .locator('.memory-status')
      .getByText(/^\$D020/)
      .waitFor()
  })

  it('chooses what a view shows, which is marked from then on', async () => {
    await choose('memory rom', /^ViewMemory: ROM/)
    await panel('memory').getByRole('radio', { name: 'ROM', checked: true }).waitFor()
    await find('memory rom')
    await chosen()
      .filter({ hasText: /current/ })
      .waitFor()
    await page.keyboard.press('Escape')
    await find('plan graph')
    const graph = palette().getByRole('option', { name: /Plan: Graph/ })
    await expect.poll(() => graph.getAttribute('aria-disabled')).toBe('true')
  })

  it('shows what was chosen last first, with the shortcuts of commands', async () => {
    await choose('theme dark', /Dark theme/)
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')
    await choose('pause', /^MachinePause or resumeF8/)
    await find('')
    await expect.poll(() => palette().locator('[cmdk-item]').first().textContent()).toContain('Pause or resume')
    await expect.poll(() => palette().locator('[cmdk-item]').nth(1).textContent()).toContain('Dark theme')
  })

  it('says so where nothing matches, and how many matches are not shown', async () => {
    await find('read')
    await expect.poll(() => palette().locator('[cmdk-item]').count()).toBeGreaterThanOrEqual(TASKS)
    await page.keyboard.type(' no such thing')
    await palette().getByText('No matches.').waitFor()
  })
})
