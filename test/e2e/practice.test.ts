/** The walk-through of docs/find-the-bug.md in the window: each bug is found in the steps that the page numbers. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import type { RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { answerFileDialogs, chooseMenuItem, openForEach } from './support'

let running: RunningApp
let page: Page

openForEach(['--size=1280x800', '--view=memory'], (launched) => {
  running = launched
  page = launched.page
})

const panel = (name: string) => page.locator(`[data-panel="${name}"]`)
const stop = () => page.getByRole('button', { name: /^Stopped at/ })

/** The numbered steps under a heading of the page. */
function stepsOf(heading: string): number {
  const text = readFileSync('docs/find-the-bug.md', 'utf8')
  const section = text.split(/^## /m).find((part) => part.startsWith(heading)) ?? ''
  return section.match(/^\d+\. /gm)?.length ?? 0
}

async function load(program: string): Promise<void> {
  await answerFileDialogs(running, resolve(`out/resources/c64/practice/${program}.prg`))
  await chooseMenuItem(running, 'program.load')
}

/** READY. in screen codes. */
const READY = [18, 5, 1, 4, 25, 46]
const secondRow = () =>
  page.evaluate(async () => {
    const read = await window.bridgedeck.memory.read({ machine: 'builtin', space: 'ram', address: 0x0428, length: 6 })
    return read.ok ? [...read.data.bytes] : null
  })

async function follow(heading: string, steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  expect(steps.length).toBe(stepsOf(heading))
  for (const step of steps) await step()
}

describe.skipIf(lacks('electron', 'xvfb'))('the walk-through', () => {
  it('finds who writes to a byte that nobody may change', () =>
    follow('The lives that change', [
      () => load('wild-write'),
      async () => {
        // The labels come a moment after the program.
        const goTo = async () => {
          await panel('memory')
            .getByRole('textbox', { name: /^Go to/ })
            .fill('lives')
          await page.keyboard.press('Enter')
          return panel('memory').locator('.memory-status').textContent()
        }
        await expect.poll(goTo).toContain('lives')
      },
      async () => {
        await page.keyboard.press('Shift+F10')
        await page.getByRole('menuitem', { name: 'Show what wrote it' }).click()
        await panel('registers')
          .locator('.byte-history')
          .getByText(/STA trail,X/)
          .first()
          .waitFor()
      },
    ]))

  it('finds an interrupt that holds up the next one', () =>
    follow('The bar that is too high', [
      () => load('late-split'),
      async () => {
        await chooseMenuItem(running, 'view.registers')
        const interrupts = page.getByRole('region', { name: 'Interrupts', exact: true })
        const red = interrupts.getByRole('row').filter({ hasText: 'redHandler' })
        // The program may just have begun: a later frame has both.
        await expect
          .poll(async () => {
            await interrupts.getByRole('button', { name: 'Show one frame' }).click()
            await interrupts.getByRole('row').nth(1).waitFor()
            return red.allTextContents()
          })
          .toEqual([expect.stringMatching(/^80–1[5-8]\d/) as string])
        const blue = interrupts.getByRole('row').filter({ hasText: 'blueHandler' })
        await expect.poll(() => blue.textContent()).toMatch(/^1[5-8]\d–/)
      },
      async () => {
        const profile = page.getByRole('region', { name: 'Profile', exact: true })
        await profile.getByRole('button', { name: 'Run', exact: true }).click()
        await profile.getByRole('row').filter({ hasText: 'moveWave' }).waitFor()
      },
    ]))

  it('finds where a program left its code', () =>
    follow('The counter that ends', [
      async () => {
        await load('lost-return')
        await expect.poll(secondRow).toEqual(READY)
      },
      async () => {
        await chooseMenuItem(running, 'view.registers')
        await panel('registers').getByLabel('Stop when').fill('$0900-$9fff')
        await page.keyboard.press('Enter')
        await panel('registers').getByLabel('Checkpoint at $0900-$9FFF is on').waitFor()
      },
      async () => {
        await load('lost-return')
        await stop().waitFor()
      },
      async () => {
        await chooseMenuItem(running, 'machine.stepBack')
        const next = panel('registers').locator('.code li.next').first()
        await expect.poll(() => next.textContent()).toContain('RTS')
        await expect.poll(() => panel('registers').locator('.code').textContent()).toContain('checkRound')
      },
    ]))

  it('finds a write that does not reach the chip', () =>
    follow('The border that stays', [
      () => load('wrong-bank'),
      async () => {
        await chooseMenuItem(running, 'view.registers')
        await panel('registers').getByLabel('Stop when').fill('$d020')
        await panel('registers').getByLabel('is written').check()
        await panel('registers').getByLabel('runs').uncheck()
        await page.keyboard.press('Enter')
        await stop().waitFor()
        await expect.poll(() => stop().textContent()).toMatch(/RAM under I\/O\) was written by .* STA/)
      },
      async () => {
        const port = panel('registers').locator('.cpu-register').filter({ hasText: /^01/ }).getByRole('textbox')
        await expect.poll(() => port.inputValue()).toBe('34')
      },
    ]))
})
