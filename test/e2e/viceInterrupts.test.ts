/** The interrupts of a real VICE in the registers view. */
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { lacks } from '../support/parts'
import { axeProblems } from './support'
import { launchOnVice } from './viceWindow'

describe.skipIf(lacks('electron', 'vice', 'xvfb'))('the interrupts of VICE, in the window', () => {
  let page: Page
  launchOnVice('registers', (launched) => {
    ;({ page } = launched)
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
