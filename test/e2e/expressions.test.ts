/** Checkpoints and watches in the registers view of the built-in C64, by keyboard. */
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { lacks } from '../support/parts'
import { axeProblems, openForEach } from './support'

let page: Page

openForEach(['--size=1280x800', '--view=registers'], (running) => {
  page = running.page
})

const panel = (name: string) => page.locator(`[data-panel="${name}"]`)

describe.skipIf(lacks('electron', 'xvfb'))('the registers view', () => {
  it('takes a condition, a hit and a message for checkpoints by keyboard, and shows what they log', async () => {
    const registers = panel('registers')
    await registers.getByLabel('Stop when').fill('$0022') // the demo's frame counter
    await registers.getByLabel('runs').uncheck()
    await registers.getByLabel('is written').check()
    await registers.getByLabel('if', { exact: true }).fill('@$22 & 15 == ')
    await page.keyboard.press('Enter')
    await registers.getByRole('alert').getByText('column 13').waitFor()
    await registers.getByLabel('if', { exact: true }).fill('@$22 & 15 == 0')
    await registers.getByLabel('from hit').fill('2')
    await registers.getByLabel('log', { exact: true }).fill('frame {@$22, decimal}')
    await page.keyboard.press('Enter')
    await registers.getByLabel('Checkpoint at $0022 is on').waitFor()
    await registers.locator('.checkpoints li', { hasText: 'logs frame {@$22, decimal}' }).waitFor()
    const log = registers.getByRole('list', { name: /^Log of the checkpoints/ })
    await log
      .getByText(/frame (?:0|16|32|48|64|80|96|112|128|144|160|176|192|208|224|240)$/)
      .first()
      .waitFor()
    expect(await axeProblems(page, '.checkpoints')).toEqual([])

    await registers.getByRole('button', { name: 'Remove the checkpoint at $0022' }).click()
    await registers.getByLabel('Stop when').fill('$0022')
    await registers.getByLabel('is written').check()
    await registers.getByLabel('runs').uncheck()
    await registers.getByLabel('if', { exact: true }).fill('@$22 == 0')
    await page.keyboard.press('Enter')
    await page
      .getByRole('button', { name: /^Stopped at \$[\dA-F]{4} because \$0022 was written .* while @\$22 == 0$/ })
      .waitFor()
  })

  it('has watches that are added by keyboard, shown in a format with their last values, and pause when they become true', async () => {
    const watches = panel('registers').getByRole('region', { name: 'Watches' })
    const field = watches.getByRole('textbox', { name: 'Watch' })
    await field.fill('@$22 ==')
    await page.keyboard.press('Enter')
    await watches.getByRole('alert').getByText('column 8').waitFor()
    await field.fill('@$22 & 15') // the demo's frame counter
    await page.keyboard.press('Enter')
    await watches.getByLabel('Format of @$22 & 15').selectOption('binary')
    await watches
      .getByLabel('Value of @$22 & 15')
      .getByText(/^%0000[01]{4}$/)
      .waitFor()
    await watches
      .getByTitle('Values before, newest first')
      .getByText(/%0000[01]{4} %0000[01]{4}/)
      .waitFor()
    await field.fill('@$22 >= $80')
    await page.keyboard.press('Enter')
    await watches.getByLabel('When @$22 >= $80 becomes true').selectOption('pause')
    await page.getByRole('log', { name: 'Messages' }).getByText('Paused: @$22 >= $80 became true.').waitFor()
    expect(await axeProblems(page, '.watches')).toEqual([])
  })
})
