/** Bars of the window that have less room than they need, and the list of messages. */
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

const zoom = (factor: number) =>
  running.app.evaluate(
    ({ BrowserWindow }, value) => BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(value),
    factor,
  )
const isInView = (name: string) =>
  page
    .locator(`:is(button, [role=radio]):text-is("${name}"), [aria-label="${name}"]`)
    .first()
    .evaluate((button) => {
      const { x, y, width, height } = button.getBoundingClientRect()
      return button.contains(document.elementFromPoint(x + width / 2, y + height / 2))
    })

describe.skipIf(lacks('electron', 'xvfb'))('a bar at 200 %', () => {
  it('shows the tools that do not fit by a button, and by the keyboard, and Esc folds them', async () => {
    await zoom(2)
    const more = page.locator('.machine-bar').getByRole('button', { name: 'More tools' })
    await more.waitFor()
    expect(await isInView('NTSC')).toBe(false)
    await more.click()
    await expect.poll(() => isInView('NTSC')).toBe(true)
    expect(await axeProblems(page, '[data-panel="machine-bar"]')).toEqual([])
    await page.keyboard.press('Escape')
    await expect.poll(() => isInView('NTSC')).toBe(false)
    await page.getByRole('radio', { name: 'NTSC' }).focus()
    await expect.poll(() => isInView('NTSC')).toBe(true)
    expect(await isInView('Messages')).toBe(true)
    await zoom(1)
    await more.waitFor({ state: 'hidden' })
  })
})

describe.skipIf(lacks('electron', 'xvfb'))('the messages', () => {
  it('are listed newest first, with the number of errors that others have hidden', async () => {
    for (const id of ['goForward', 'goBack', 'goForward'] as const) await chooseMenuItem(running, `view.${id}`)
    await chooseMenuItem(running, 'view.messages')
    const list = page.getByRole('dialog').getByRole('listitem')
    await expect
      .poll(async () => (await list.allTextContents()).map((text) => text.replace(/^[\d:]+/, '')))
      .toEqual(['There is no later place to go to. (2 times)', 'There is no earlier place to go back to.'])
    expect(await page.getByRole('log', { name: 'Messages' }).locator('.toast').count()).toBe(0)
    expect(await axeProblems(page, '.message-list')).toEqual([])
    await page.keyboard.press('Escape')
    await list.first().waitFor({ state: 'hidden' })
  })
})

describe.skipIf(lacks('electron', 'xvfb'))('the activity bar', () => {
  it('has the workspaces’ names by choice', async () => {
    const bar = page.locator('.activity-bar')
    expect(await bar.innerText()).not.toContain('Projects')
    await chooseMenuItem(running, 'view.railNames')
    await expect.poll(() => bar.innerText()).toContain('Projects')
    expect(await axeProblems(page, '.activity-bar')).toEqual([])
  })
})
