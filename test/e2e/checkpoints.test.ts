/** Checkpoints in the margin of code and in their list, on the built-in C64. */
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import type { RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { axeProblems, chooseMenuItem, openForEach, pressNative } from './support'

let running: RunningApp
let page: Page

openForEach(['--size=1280x800', '--view=registers'], (launched) => {
  running = launched
  page = launched.page
})

const registers = () => page.locator('[data-panel="registers"]')
const code = () => registers().getByRole('list', { name: 'Code at the PC' })
const lines = () => code().locator('li:has(.code-address)')
const next = () => code().locator('[aria-current=step]')
const marks = () => code().locator('.checkpoint-margin:not([data-mark=free])')
const item = (label: string) => page.getByRole('menuitem', { name: label })
const checkpoints = async () => {
  const result = await page.evaluate(() => window.bridgedeck.machine.checkpoints({ machine: 'builtin' }))
  return result.ok ? result.data.checkpoints : []
}
const places = async () =>
  (await checkpoints()).map(({ start, operations, enabled }) => [start, ...operations, enabled])
const pause = async () => {
  await chooseMenuItem(running, 'machine.pause')
  await next().waitFor()
  return Number.parseInt((await next().locator('.code-address').textContent()) ?? '', 16)
}

describe.skipIf(lacks('electron', 'xvfb'))('an address in the code', () => {
  it('is gone to by a double click, and Alt+Left and Alt+Right lead back and forth', async () => {
    const pc = await pause()
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    const jumping = lines()
      .filter({ hasText: /(?:JSR|JMP|BNE|BEQ|BCC|BCS|BPL|BMI) \$[\dA-F]{4}/ })
      .first()
    const text = (await jumping.locator('.code-text').textContent()) ?? ''
    const target = text.slice(text.indexOf('$') + 1).slice(0, 4)
    expect(Number.parseInt(target, 16)).not.toBe(pc)
    await jumping.locator('.code-text').dblclick()
    await expect.poll(focused).toBe(target)
    await pressNative(running, 'Left', 'alt')
    await next().waitFor()
    await pressNative(running, 'Right', 'alt')
    await expect.poll(focused).toBe(target)
    await pressNative(running, 'F9')
    await expect.poll(places).toEqual([[Number.parseInt(target, 16), 'exec', true]])
    await page.keyboard.press('Enter')
    await page.locator('[data-panel="memory"]').getByText(`$${target}`).first().waitFor()
    await pressNative(running, 'Left', 'alt')
    await code().waitFor()
  })
})

describe.skipIf(lacks('electron', 'xvfb'))('the list of checkpoints', () => {
  it('has condition, hits and message edited in place by keyboard, with what is wrong beside the field', async () => {
    await pause()
    await pressNative(running, 'F9')
    await expect.poll(async () => (await places()).length).toBe(1)
    const [set] = await checkpoints()
    const start = set?.start ?? 0
    await lines().nth(1).click({ button: 'right' })
    await page.keyboard.press('Escape')
    await next().click({ button: 'right' })
    await item('Edit checkpoint…').click()
    const form = registers().getByRole('form', { name: /^Edit the checkpoint at/ })
    await form.waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('form')?.ariaLabel)).toMatch(/^Edit/)
    await page.keyboard.type('A == ')
    await form.getByLabel('from hit').fill('0')
    await page.keyboard.press('Enter')
    await form.getByRole('alert').filter({ hasText: 'column 5' }).waitFor()
    await form.getByRole('alert').filter({ hasText: 'is no number of hits' }).waitFor()
    expect(await form.getByLabel('if', { exact: true }).inputValue()).toBe('A == ')
    expect(await axeProblems(page, '.checkpoints')).toEqual([])
    await form.getByLabel('if', { exact: true }).fill('A == $05')
    await form.getByLabel('from hit').fill('3')
    await page.keyboard.press('Enter')
    await form.waitFor({ state: 'detached' })
    expect(await checkpoints()).toMatchObject([{ start, condition: 'A == $05', fromHit: 3, log: null, stop: true }])
    await expect.poll(() => next().locator('.checkpoint-margin').getAttribute('data-mark')).toBe('conditional')
    // The keyboard is where it was opened; Escape drops what was typed.
    await expect.poll(() => page.evaluate(() => document.activeElement?.ariaLabel)).toMatch(/^Edit the checkpoint/)
    await page.keyboard.press('Enter')
    await form.getByLabel('log', { exact: true }).fill('A is {A}')
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await form.getByLabel('log', { exact: true }).fill('A is {A}')
    await page.keyboard.press('Enter')
    await form.waitFor({ state: 'detached' })
    expect(await checkpoints()).toMatchObject([{ condition: 'A == $05', fromHit: 3, log: 'A is {A}', stop: false }])
    await registers()
      .getByRole('checkbox', { name: /is on$/ })
      .focus()
    await page.keyboard.press('Space')
    await expect.poll(places).toEqual([[start, 'exec', false]])
  })
})

describe.skipIf(lacks('electron', 'xvfb'))('the margin of code', () => {
  it('has checkpoints set and removed by F9, at the line that runs next or the one that is chosen by arrow key', async () => {
    const pc = await pause()
    await pressNative(running, 'F9')
    await expect.poll(places).toEqual([[pc, 'exec', true]])
    await expect.poll(() => next().locator('.checkpoint-margin').getAttribute('title')).toBe('Stops here: 0 hits')
    await next().locator('.code-address').focus()
    await page.keyboard.press('ArrowDown')
    const chosen = code().locator('[data-chosen=true]')
    const address = Number.parseInt((await chosen.locator('.code-address').textContent()) ?? '', 16)
    expect(address).toBeGreaterThan(pc)
    await pressNative(running, 'F9')
    await expect.poll(places).toEqual([
      [pc, 'exec', true],
      [address, 'exec', true],
    ])
    await expect.poll(() => marks().count()).toBe(2)
    expect(await axeProblems(page, '[data-panel="registers"]')).toEqual([])
    await pressNative(running, 'F9')
    await expect.poll(places).toEqual([[pc, 'exec', true]])
  })

  it('has them set and removed by a click, and disabled and removed by its menu', async () => {
    await pause()
    const line = lines().nth(2)
    await line.locator('.checkpoint-margin').click()
    await expect.poll(() => line.locator('.checkpoint-margin').getAttribute('data-mark')).toBe('plain')
    await line.click({ button: 'right' })
    await item('Disable checkpoint').click()
    await expect.poll(() => line.locator('.checkpoint-margin').getAttribute('data-on')).toBe('false')
    await line.locator('.checkpoint-margin').click({ button: 'right' })
    await item('Enable checkpoint').click()
    await expect.poll(() => line.locator('.checkpoint-margin').getAttribute('data-on')).toBe('true')
    await line.click({ button: 'right' })
    await item('Remove checkpoint').click()
    await expect.poll(places).toEqual([])
    await line.locator('.checkpoint-margin').click()
    await expect.poll(() => marks().count()).toBe(1)
    await line.locator('.checkpoint-margin').click()
    await expect.poll(places).toEqual([])
  })
})
