/** The interrupts of a real VICE in the registers view. */
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchApp, untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { startVice, type RunningVice } from '../vice/support'
import { axeProblems } from './support'

describe.skipIf(lacks('electron', 'vice', 'xvfb'))('the interrupts of VICE, in the window', () => {
  let vice: RunningVice
  let running: RunningApp
  let page: Page
  beforeAll(async () => {
    vice = await startVice()
    const machine = `vice:${vice.port}`
    running = await launchApp({ args: ['--size=1280x800', `--machine=${machine}`, '--view=registers'] })
    page = running.page
    await untilLive(page, machine)
  })
  afterAll(async () => {
    await running.close()
    await vice.stop()
  })

  it('are shown for a frame, and a profile is refused with the reason', async () => {
    const interrupts = page.getByRole('region', { name: 'Interrupts', exact: true })
    const row = interrupts.getByRole('row').filter({ hasText: 'IRQ' })
    await expect
      .poll(async () => {
        await interrupts.getByRole('button', { name: 'Show one frame' }).click()
        await interrupts.getByRole('button', { name: 'Show one frame' }).waitFor()
        await interrupts.getByText(/in interrupts|No interrupt/).waitFor()
        return row.count()
      })
      .toBeGreaterThan(0)
    expect(await row.first().textContent()).toMatch(/\d+–\d+IRQ.*unknown/)
    const profile = page.getByRole('region', { name: 'Profile', exact: true })
    expect(await profile.textContent()).toContain('at each instruction')
    expect(await axeProblems(page, '[data-panel="registers"]')).toEqual([])
  })
})
