/** Memory by name, and what was loaded, on a real VICE that somebody else started; by keyboard alone. */
import { copyFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import type { RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { answerFileDialogs, chooseMenuItem, pressNative } from './support'
import { launchOnVice } from './viceWindow'

describe.skipIf(lacks('electron', 'vice', 'xvfb'))('memory by name in VICE', () => {
  let running: RunningApp
  let page: Page
  let machine: string
  launchOnVice('memory', (launched) => {
    ;({ running, page, machine } = launched)
  })
  const memory = () => page.locator('[data-panel="memory"]')
  const names = () => memory().getByRole('listbox', { name: /^Names 2, CPU/ })
  const read = (address: number, length: number) =>
    page.evaluate(
      async ([machine, address, length]) => {
        const result = await window.bridgedeck.memory.read({ machine, space: 'cpu', address, length })
        return result.ok ? [...result.data.bytes] : result.error.message
      },
      [machine, address, length] as const,
    )

  it('shows the zero page, changes a value in place, and tells what was loaded', async () => {
    for (const file of ['border.prg', 'border.lbl'])
      copyFileSync(resolve('test/fixtures/labels', file), join(running.dataFolder, file))
    await answerFileDialogs(running, join(running.dataFolder, 'border.prg'))
    await chooseMenuItem(running, 'program.load')
    await page.evaluate((machine) => window.bridgedeck.machine.setSampling({ machine, mode: 'free', rate: 5 }), machine)
    await pressNative(running, 'V', 'control', 'alt')
    await names().getByRole('option', { name: '0000 2F D6510' }).waitFor()
    await memory().getByLabel('Filter names').fill('freezp')
    await memory().getByLabel('Filter names').press('Enter')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => names().locator('[aria-selected=true]').textContent()).toContain('FREEZP')
    await page.keyboard.type('5')
    await memory().getByLabel('Value at $00FB').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('a')
    await page.keyboard.press('Enter')
    await expect.poll(() => read(0xfb, 1)).toEqual([0x5a])
    await names().getByRole('option', { name: '00FB 5A FREEZP' }).waitFor()
    await pressNative(running, 'F', 'control')
    const panel = memory().getByRole('region', { name: 'Search memory' })
    await panel.getByRole('radio', { name: 'Layout' }).press('Space')
    const loaded = panel.getByRole('listbox', { name: 'Memory layout' }).getByRole('option', { name: 'border.prg' })
    await loaded.getByText('loaded, unchanged').waitFor()
  })
})
