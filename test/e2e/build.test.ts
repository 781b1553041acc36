/** The build of a program in the window, on the built-in C64, by keyboard alone. */
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import type { RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { answerFileDialogs, axeProblems, openForEach, pressNative, type Question } from './support'

let folder: string
let running: RunningApp
let page: Page

openForEach(['--size=1280x800', '--view=code'], (launched) => {
  running = launched
  page = launched.page
  folder = join(launched.dataFolder, 'game')
  mkdirSync(folder)
  copyFileSync(resolve('test/fixtures/labels/borderCa65.s'), join(folder, 'border.s'))
  copyFileSync(resolve('test/fixtures/labels/border.prg'), join(folder, 'made.bin'))
})

const part = () => page.locator('[data-panel="code"]').getByRole('region', { name: 'Build' })
const setUp = () => part().getByRole('form', { name: 'Set up the build' })
const problems = () => part().getByRole('listbox', { name: 'Problems of the build' }).getByRole('option')
const line = (number: number) =>
  page.getByRole('listbox', { name: 'Source lines' }).locator(`[aria-posinset="${number}"]`)

/** The native dialog answers with this button; @returns what it asked */
const answerQuestion = ({ app }: RunningApp, response: number) =>
  app.evaluate(({ dialog }, response) => {
    const asked: unknown[] = []
    Object.assign(globalThis, { asked })
    dialog.showMessageBox = ((_window: unknown, question: unknown) => {
      asked.push(question)
      return Promise.resolve({ response, checkboxChecked: false })
    }) as unknown as typeof dialog.showMessageBox
  }, response)
const asked = ({ app }: RunningApp) =>
  app.evaluate(() => (globalThis as unknown as { asked: unknown[] }).asked) as Promise<Question[]>

/** Opens the form, chooses the source file, and types the command. */
const fillIn = async (command: string) => {
  await answerFileDialogs(running, join(folder, 'border.s'))
  await pressNative(running, 'B', 'control', 'shift')
  await setUp().getByRole('button', { name: 'Source file…' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => setUp().getByLabel('Command').inputValue()).toContain('cl65 -t c64 -g')
  await setUp().getByLabel('Command').fill(command)
  await setUp().getByLabel('Program').fill('border.prg')
  await setUp().getByLabel('Command').focus()
}

describe.skipIf(lacks('electron', 'xvfb'))('the build of a program', () => {
  it('runs only what was approved, lists errors, leads to their lines, and runs the mended program', async () => {
    await fillIn(`[ -e mended ] && cp made.bin border.prg || { echo "border.s(15): Error: no"; exit 1; }`)
    await answerQuestion(running, 0)
    await page.keyboard.press('Enter')
    await expect.poll(() => asked(running)).toHaveLength(1)
    const [question] = await asked(running)
    expect(question?.detail).toContain('[ -e mended ] && cp made.bin border.prg ||')
    expect(question?.detail).toContain(folder)
    expect(await axeProblems(page, '[data-panel="code"]')).toEqual([])
    await setUp().waitFor()
    expect(await problems().count()).toBe(0)

    await answerQuestion(running, 1)
    await page.keyboard.press('Enter')
    await expect.poll(() => problems().allTextContents()).toEqual(['border.s:15: error: no'])
    await part().getByText('Failed. 1 problem.').waitFor()
    expect(await setUp().count()).toBe(0)
    await part().getByRole('listbox', { name: 'Problems of the build' }).focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => line(15).getAttribute('aria-selected')).toBe('true')
    expect(await line(15).textContent()).toContain('stx border')
    expect(await axeProblems(page, '[data-panel="code"]')).toEqual([])

    writeFileSync(join(folder, 'mended'), '')
    await pressNative(running, 'B', 'control', 'shift')
    await part().getByText('border.prg is running.').waitFor()
    expect(await problems().count()).toBe(0)
    expect(await asked(running)).toHaveLength(1)
  })

  it('is forgotten, and asked for again', async () => {
    await fillIn('true')
    await answerQuestion(running, 1)
    await page.keyboard.press('Enter')
    await part().getByText('The build left no border.prg').waitFor()
    await part().getByRole('button', { name: 'Set up…' }).click()
    const kept = setUp().getByRole('list', { name: 'Approved commands' })
    await kept.getByText('true', { exact: true }).waitFor()
    expect(await axeProblems(page, '[data-panel="code"]')).toEqual([])
    await kept.getByRole('button', { name: /^Forget the command of .*border\.s$/ }).focus()
    await page.keyboard.press('Enter')
    await kept.waitFor({ state: 'detached' })
    await setUp().getByRole('button', { name: 'Cancel' }).click()
    await setUp().waitFor({ state: 'detached' })
    await pressNative(running, 'B', 'control', 'shift')
    await setUp().waitFor()
  })

  it('is stopped', async () => {
    await fillIn('echo begun | tee begun; sleep 600')
    await answerQuestion(running, 1)
    await page.keyboard.press('Enter')
    await part().getByText('Building: begun').waitFor()
    expect(existsSync(join(folder, 'begun'))).toBe(true)
    await part().getByRole('button', { name: 'Stop the build' }).focus()
    await page.keyboard.press('Enter')
    await part().getByText('Stopped.').waitFor()
  })
})
