/** Labels and source lines drive a real VICE that somebody else started. */
import { copyFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import type { RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { answerFileDialogs, chooseMenuItem, pressNative } from './support'
import { launchOnVice } from './viceWindow'

describe.skipIf(lacks('electron', 'vice', 'xvfb'))('the source of a program in VICE', () => {
  let running: RunningApp
  let page: Page
  let machine: string
  launchOnVice('code', (launched) => {
    ;({ running, page, machine } = launched)
  })

  const lines = () => page.locator('[data-panel="code"]').getByRole('listbox', { name: 'Source lines' })
  const margin = (line: number) => lines().locator(`[aria-posinset="${line}"] .checkpoint-margin`)
  const next = () => lines().locator('[data-next="true"]')
  const checkpoints = () =>
    page.evaluate(async (machine) => {
      const result = await window.bridgedeck.machine.checkpoints({ machine })
      return result.ok ? result.data.checkpoints.map(({ start, label }) => [start, label]) : result.error.message
    }, machine)
  const copy = (from: string, to: string) =>
    copyFileSync(resolve('test/fixtures/labels', from), join(running.dataFolder, to))
  const run = async (name: string) => {
    for (const ending of ['lbl', 'lst', 'prg']) copy(`${name}.${ending}`, `border.${ending}`)
    await answerFileDialogs(running, join(running.dataFolder, 'border.prg'))
    await chooseMenuItem(running, 'program.load')
  }

  it('stops it at a line, steps over a call, and follows a label that a rebuild moves', async () => {
    copy('border64tass.asm', 'border64tass.asm')
    await run('border')
    await margin(12).click()
    await expect.poll(checkpoints, { timeout: 60_000 }).toEqual([[0x813, null]])
    await expect.poll(() => next().textContent(), { timeout: 60_000 }).toContain('jsr draw')
    await pressNative(running, 'F10', 'control')
    await expect.poll(() => next().textContent(), { timeout: 60_000 }).toContain('jmp loop')
    await margin(12).click()
    await expect.poll(checkpoints, { timeout: 60_000 }).toEqual([])

    const result = await page.evaluate(
      (machine) =>
        window.bridgedeck.machine.setCheckpoint({
          machine,
          checkpoint: {
            start: 0x80f,
            end: 0x80f,
            operations: ['exec'],
            label: 'loop',
            line: null,
            stop: true,
            enabled: true,
            temporary: false,
            condition: null,
            fromHit: 1,
            log: null,
          },
        }),
      machine,
    )
    expect(result.ok).toBe(true)
    await expect.poll(checkpoints, { timeout: 60_000 }).toEqual([[0x80f, 'loop']])
    await run('moved')
    await expect.poll(checkpoints, { timeout: 60_000 }).toEqual([[0x81f, 'loop']])
    await expect.poll(() => next().textContent(), { timeout: 60_000 }).toContain('loop    inx')
  })
})
