/** The labels of a program in the window, on the built-in C64, by keyboard alone. */
import { copyFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import type { RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { answerFileDialogs, axeProblems, chooseMenuItem, openForEach, pressNative } from './support'

let folder: string
let running: RunningApp
let page: Page

openForEach(['--size=1280x800', '--view=memory'], (launched) => {
  running = launched
  page = launched.page
  folder = launched.dataFolder
})

const copy = (from: string, to: string) => copyFileSync(resolve('test/fixtures/labels', from), join(folder, to))
const memory = () => page.locator('[data-panel="memory"]')
const panel = () => memory().getByRole('region', { name: 'Search memory' })
const files = () => panel().getByRole('list', { name: 'Files of labels' }).getByRole('listitem')
const labels = () => panel().getByRole('listbox', { name: 'Labels' }).getByRole('option')
const status = () => memory().locator('.memory-status').textContent()

const registers = () => page.locator('[data-panel="registers"]')
const code = () => registers().getByRole('list', { name: 'Code at the PC' })
const checkpoints = () => registers().locator('.checkpoints li')

const openLabels = async () => {
  await pressNative(running, 'T', 'control')
  await expect
    .poll(() =>
      panel()
        .getByLabel('Find a label')
        .evaluate((field) => field === document.activeElement),
    )
    .toBe(true)
}
const runProgram = async () => {
  copy('border.prg', 'border.prg')
  copy('border.lbl', 'border.lbl')
  await answerFileDialogs(running, join(folder, 'border.prg'))
  await chooseMenuItem(running, 'program.load')
}

describe.skipIf(lacks('electron', 'xvfb'))('the labels of a program', () => {
  it('come with it, are found by a part of their name, and lead to their address', async () => {
    await runProgram()
    await openLabels()
    await panel().getByText('7 labels').first().waitFor()
    expect(await files().textContent()).toMatch(/border\.lbl.*7 labels, beside the program/)
    await page.keyboard.type('ra')
    await expect.poll(() => labels().allTextContents()).toEqual([expect.stringMatching(/^\$0819draw/)])
    expect(await axeProblems(page, '[data-panel="memory"]')).toEqual([])
    await page.keyboard.press('Enter')
    await expect.poll(status).toContain('$0819')
    await openLabels()
    await page.keyboard.type('loop')
    for (
      let steps = 0;
      steps < 10 && !(await labels().first().getAttribute('aria-selected'))?.includes('true');
      steps++
    ) {
      await page.keyboard.press('Tab')
      await page.keyboard.press('ArrowDown')
    }
    await expect.poll(status).toContain('$080F')
  })

  it('are loaded from a file, read again when it is rebuilt, and cleared', async () => {
    const path = join(folder, 'other.lbl')
    writeFileSync(path, 'al C:c000 .start\nal C:c003\n')
    await answerFileDialogs(running, path)
    await chooseMenuItem(running, 'labels.load')
    await page.locator('.toast').filter({ hasText: 'Loaded 1 label from other.lbl.' }).waitFor()
    await openLabels()
    await expect.poll(() => labels().allTextContents()).toEqual([expect.stringMatching(/^\$C000start/)])
    expect(await files().textContent()).toContain('line 2')
    writeFileSync(path, 'al C:c100 .start\nal C:c103 .next\n')
    await expect
      .poll(() => labels().allTextContents())
      .toEqual([expect.stringMatching(/^\$C103next/), expect.stringMatching(/^\$C100start/)])
    await files().getByRole('button', { name: 'Clear the labels of other.lbl' }).focus()
    await page.keyboard.press('Enter')
    await panel().getByText('No labels are loaded.').waitFor()
    expect(await files().count()).toBe(0)
  })

  it('stand in the disassembly, and checkpoints set by them follow a rebuild', async () => {
    await runProgram()
    await chooseMenuItem(running, 'view.registers')
    await registers().getByLabel('Stop when').focus()
    await page.keyboard.type('draw')
    await registers().getByText('= draw').waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => code().locator('[aria-current]').textContent()).toContain('LDY #$28')
    expect(await code().locator('.code-label').allTextContents()).toEqual(
      expect.arrayContaining(['main:', 'loop:', 'draw:', 'table:']),
    )
    const lines = (await code().getByRole('listitem').allTextContents()).join(' ')
    expect(lines).toMatch(/JSR draw\$0819.*JMP loop\$080F.*LDA table,Y\$0825/)
    expect(await axeProblems(page, '[data-panel="registers"]')).toEqual([])
    expect(await checkpoints().first().textContent()).toMatch(/\$0819draw/)
    copy('moved.lbl', 'border.lbl')
    copy('moved.prg', 'border.prg')
    await expect.poll(() => checkpoints().first().textContent(), { timeout: 30_000 }).toMatch(/\$0829draw/)
  })

  it('are understood by Go to address, and found by the command palette', async () => {
    await runProgram()
    await openLabels()
    await panel().getByText('7 labels').first().waitFor()
    await pressNative(running, 'G', 'control')
    const field = memory().getByLabel('Go to address')
    await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.type('table')
    await page.keyboard.press('Enter')
    await expect.poll(status).toMatch(/\$0825.*table: Label of the program/)
    await pressNative(running, 'P', 'control', 'shift')
    await page.getByRole('dialog', { name: 'Command palette' }).waitFor()
    await page.keyboard.type('draw')
    await page.getByRole('option', { name: /draw \$0819/ }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(status).toMatch(/\$0819.*draw: Label of the program/)
  })
})
