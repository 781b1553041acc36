/** The source lines of a program in the window, on the built-in C64, by keyboard alone. */
import { copyFileSync, cpSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import type { RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { answerFileDialogs, axeProblems, chooseMenuItem, openForEach, pressNative } from './support'

let folder: string
let running: RunningApp
let page: Page

openForEach(['--size=1280x800', '--view=code'], (launched) => {
  running = launched
  page = launched.page
  folder = launched.dataFolder
})

const view = () => page.locator('[data-panel="code"]')
const lines = () => view().getByRole('listbox', { name: 'Source lines' })
const line = (number: number) => lines().locator(`[aria-posinset="${number}"]`)
const next = () => lines().locator('[data-next="true"]')
const checkpoints = async () => {
  const result = await page.evaluate(() => window.bridgedeck.machine.checkpoints({ machine: 'builtin' }))
  return result.ok ? result.data.checkpoints.map(({ start, label }) => [start, label]) : []
}

/** Both lay the program out alike: cc65’s debug file fits the program that 64tass made. */
const runProgram = async (build = 'borderCa65.dbg') => {
  const copy = (from: string, to: string) => copyFileSync(resolve('test/fixtures/labels', from), join(folder, to))
  copy('borderCa65.s', 'borderCa65.s')
  utimesSync(join(folder, 'borderCa65.s'), 1_000, 1_000)
  copy(build, 'border.dbg')
  copy('border.prg', 'border.prg')
  await answerFileDialogs(running, join(folder, 'border.prg'))
  await chooseMenuItem(running, 'program.load')
}
const chooseLine = async (number: number) => {
  await lines().focus()
  await page.keyboard.press('Home')
  for (let at = 1; at < number; at++) await page.keyboard.press('ArrowDown')
  await expect.poll(() => line(number).getAttribute('aria-selected')).toBe('true')
}

describe.skipIf(lacks('electron', 'xvfb'))('the source of a program', () => {
  it('says what is needed before there is one', async () => {
    await view().getByText('No source lines are loaded').waitFor()
    expect(await axeProblems(page, '[data-panel="code"]')).toEqual([])
  })

  it('has checkpoints set and deleted by key and click, and follows the PC', async () => {
    await runProgram()
    await line(1).waitFor()
    await chooseLine(23)
    await view().getByText('Line 23: $081E-$0820. Enter sets or removes a checkpoint.').waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(checkpoints).toEqual([[0x81e, null]])
    await next().waitFor()
    expect(await next().textContent()).toMatch(/23 {2}sta \$0400,y.*= \$\w\w/)
    await view().getByText('Paused at line 23').waitFor()
    expect(await axeProblems(page, '[data-panel="code"]')).toEqual([])
    await page.keyboard.press('Enter')
    await expect.poll(checkpoints).toEqual([])
    await pressNative(running, 'F10')
    await expect.poll(() => next().textContent()).toMatch(/24 {2}dey/)
    // It follows the line, not the label that begins there.
    await line(14).locator('.checkpoint-margin').click()
    await expect.poll(checkpoints).toEqual([[0x80f, null]])
    await line(14).locator('.checkpoint-margin').click()
    await expect.poll(checkpoints).toEqual([])
  })

  it('leads from a symbol to its line by a double click, and back', async () => {
    await runProgram()
    await line(1).waitFor()
    const chosen = () => lines().locator('[aria-selected="true"]').getAttribute('aria-posinset')
    const row = lines()
      .getByRole('option')
      .filter({ hasText: /jsr +draw/ })
    const from = await row.getAttribute('aria-posinset')
    const call = row.locator('.source-text')
    const text = (await call.textContent()) ?? ''
    const box = await call.boundingBox()
    const widthOfOne = (box?.width ?? 0) / text.length
    const at = { x: (text.indexOf('draw') + 1) * widthOfOne, y: (box?.height ?? 0) / 2 }
    await call.dblclick({ position: at })
    await expect.poll(chosen).not.toBe(from)
    expect(await lines().locator('[aria-selected="true"]').textContent()).toMatch(/20 +ldy/)
    await pressNative(running, 'Left', 'alt')
    await expect.poll(chosen).toBe(from)
    expect(await checkpoints()).toEqual([])
  })

  it('says which lines have no code, and sets no checkpoint there', async () => {
    await runProgram()
    await line(1).waitFor()
    await chooseLine(2)
    await view().getByText('Line 2 has no code: no checkpoint can be set there.').waitFor()
    await page.keyboard.press('Enter')
    await chooseLine(12)
    await page.keyboard.press('Enter')
    await expect.poll(checkpoints).toEqual([[0x80d, null]])
  })

  it.each([
    { build: 'tass.prg', main: 'tass.asm', call: 16, sub: /1\s*draw +ldy #3/, macro: /4\s*inc \\1/ },
    { build: 'acme.prg', main: 'acme.asm', call: 18, sub: /1\s*draw ldy #3/, macro: /3\s*\+flash \$d021/ },
  ])('is that of several files of $build, with their macros', async ({ build, main, call, sub, macro }) => {
    cpSync(resolve('test/fixtures/labels/lines'), folder, { recursive: true })
    await answerFileDialogs(running, join(folder, build))
    await chooseMenuItem(running, 'program.load')
    await view().getByLabel('Source file').selectOption({ label: main })
    await chooseLine(call)
    await page.keyboard.press('Enter')
    await view().getByText(`Paused at line ${call}`).waitFor()
    await pressNative(running, 'F10')
    await expect.poll(() => next().textContent()).toMatch(sub)
    await pressNative(running, 'F10')
    await pressNative(running, 'F10')
    await expect.poll(() => next().textContent()).toMatch(macro)
  })

  it('says what is wrong with a source, and shows it again once it is mended', async () => {
    await runProgram()
    await line(1).waitFor()
    const source = join(folder, 'borderCa65.s')
    const returnToWindow = () => page.evaluate(() => window.dispatchEvent(new Event('focus')))
    writeFileSync(source, '; edited\n')
    await returnToWindow()
    await view().getByText('borderCa65.s was changed after the build').waitFor()
    expect(await line(1).textContent()).toContain('; edited')
    writeFileSync(source, Uint8Array.of(1, 0, 2))
    await returnToWindow()
    await view().getByRole('alert').filter({ hasText: 'borderCa65.s is no text' }).waitFor()
    rmSync(source)
    await returnToWindow()
    await view().getByRole('alert').filter({ hasText: 'There is no file borderCa65.s beside border.dbg.' }).waitFor()
    expect(await axeProblems(page, '[data-panel="code"]')).toEqual([])
    await runProgram()
    await expect.poll(() => line(1).textContent()).toContain('Assembled and linked')
  })
})
