/** The keys that run and step the machine, as the person chooses them. */
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import type { RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { axeProblems, chooseMenuItem, openForEach, pressNative } from './support'

let running: RunningApp
let page: Page

openForEach(['--size=1280x800', '--view=settings'], (launched) => {
  running = launched
  page = launched.page
})

const accelerators = () =>
  running.app.evaluate(({ Menu }) =>
    ['machine.pause', 'machine.step', 'machine.stepOver', 'machine.stepBack'].map(
      (id) => Menu.getApplicationMenu()?.getMenuItemById(id)?.accelerator,
    ),
  )
const isPaused = async () => {
  const result = await page.evaluate(() => window.bridgedeck.machine.list({}))
  return result.ok && result.data.machines.find(({ machine }) => machine === 'builtin')?.execution === 'paused'
}

describe.skipIf(lacks('electron', 'xvfb'))('the keys for running', () => {
  it('are those of RetroDebugger once they are chosen: in the menu, on buttons, in the help and in the palette', async () => {
    expect(await accelerators()).toEqual(['F8', 'F10', 'CmdOrCtrl+F10', 'CmdOrCtrl+Shift+F10'])
    const keys = page.locator('#setting-runningKeys')
    await keys.getByRole('radio', { name: 'RetroDebugger' }).focus()
    await page.keyboard.press('Space')
    await keys.getByText('F11 pauses and resumes, F10 steps').waitFor()
    await expect.poll(accelerators).toEqual(['F11', 'F10', 'CmdOrCtrl+F10', 'Alt+F10'])
    expect(await axeProblems(page, '[data-panel="settings"]')).toEqual([])

    await pressNative(running, 'F11')
    await expect.poll(isPaused).toBe(true)
    await chooseMenuItem(running, 'view.help')
    const row = page.locator('[data-panel="help"]').getByRole('row').filter({ hasText: 'Pause or resume' })
    await expect.poll(() => row.textContent()).toContain('F11')
    await chooseMenuItem(running, 'view.palette')
    await page.getByRole('dialog', { name: 'Command palette' }).waitFor()
    await page.keyboard.type('Pause or resume')
    await page.getByRole('option').filter({ hasText: 'Pause or resume' }).getByText('F11').waitFor()
    await page.keyboard.press('Escape')
    await pressNative(running, 'F8')
    await pressNative(running, 'F11')
    await expect.poll(isPaused).toBe(false)
  })
})
