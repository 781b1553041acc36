/** Snapshots of memory in the window, on the built-in C64, by keyboard. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import type { RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { answerFileDialogs, answerQuestions, axeProblems, chooseMenuItem, openForEach } from './support'

let running: RunningApp
let page: Page

openForEach(['--size=1280x800', '--view=memory'], (launched) => {
  running = launched
  page = launched.page
})

const memory = () => page.locator('[data-panel="memory"]')
const panel = () => memory().getByRole('region', { name: 'Search memory' })
const differences = () => panel().getByRole('listbox', { name: 'Differences' }).getByRole('option')
const write = (address: number, ...bytes: number[]) =>
  page.evaluate(
    ([address, bytes]) =>
      window.bridgedeck.memory.write({ machine: 'builtin', space: 'ram', address, bytes: Uint8Array.from(bytes) }),
    [address, bytes] as const,
  )

async function openComparison(): Promise<void> {
  await chooseMenuItem(running, 'memory.search')
  await panel().getByRole('radio', { name: 'Compare' }).click()
}

async function save(name: string): Promise<void> {
  await panel().getByLabel('Name of the snapshot').fill(name)
  await page.keyboard.press('Enter')
  await expect.poll(() => panel().getByLabel('Compare', { exact: true }).inputValue()).toBe(`snapshot ${name}`)
}

async function compare(range: string): Promise<void> {
  await panel().getByLabel('in', { exact: true }).fill(range)
  await page.keyboard.press('Enter')
}

describe.skipIf(lacks('electron', 'xvfb'))('a snapshot of memory in the window', () => {
  it('shows what differs since, in a range or region, and goes there', async () => {
    await write(0xc000, 1, 2)
    await openComparison()
    await panel().getByText('There is no snapshot yet.').waitFor()
    await save('before')
    await write(0xc001, 0x22)
    await write(0xcfff, 0x33)
    await compare('upper ram')
    await panel().getByText('2 bytes in 2 ranges').waitFor()
    expect((await differences().allTextContents())[0]).toBe('$C00102 → 22')
    await panel().getByRole('listbox', { name: 'Differences' }).focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => memory().locator('.memory-status').textContent()).toContain('$C001')
    await compare('$cf00-$cfff')
    await panel().getByText('1 byte in 1 range').waitFor()
    await compare('cfff-cf00')
    await panel().getByRole('alert').getByText('ends before it starts').waitFor()
    expect(await axeProblems(page, '[data-panel="memory"]')).toEqual([])
  })

  it('is replaced under its name, imported from a file, and deleted when the person agrees', async () => {
    await openComparison()
    await save('one')
    await panel().getByLabel('Name of the snapshot').fill('one')
    await panel().getByRole('button', { name: 'Replace' }).waitFor()
    await panel().getByLabel('Name of the snapshot').fill('')
    const file = join(running.dataFolder, 'my dump!.prg')
    writeFileSync(file, Uint8Array.of(0x00, 0xc0, 5, 6))
    await answerFileDialogs(running, file)
    const questions = await answerQuestions(running, 0)
    await panel().getByRole('button', { name: 'Import…' }).click()
    const chosen = panel().getByLabel('Compare', { exact: true })
    await expect.poll(() => chosen.inputValue()).toBe('snapshot my dump-')
    await panel().getByRole('button', { name: 'Delete…' }).click()
    await expect.poll(async () => (await questions()).length).toBe(1)
    await panel().getByRole('button', { name: 'Import…' }).click()
    await panel().getByRole('alert').getByText('There is a snapshot “my dump-” already.').waitFor()
    expect((await questions()).map(({ message }) => message)).toEqual(['Delete the snapshot “my dump-”?'])
    await answerQuestions(running, 1)
    await panel().getByRole('button', { name: 'Delete…' }).click()
    await expect.poll(() => chosen.locator('option').allTextContents()).not.toContain('my dump-')
  })
})
