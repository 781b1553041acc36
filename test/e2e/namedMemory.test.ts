/** Memory by name in the window, by keyboard alone: the zero page, a program's variables, and the listing at the PC. */
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

const memory = () => page.locator('[data-panel="memory"]')
const names = () => memory().getByRole('listbox', { name: /^Names 2, CPU/ })
const row = (name: string) => names().getByRole('option', { name })
const chosen = () => names().locator('[aria-selected=true]')
const focusedLabel = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')

const read = (address: number, length: number) =>
  page.evaluate(
    async ([address, length]) => {
      const result = await window.bridgedeck.memory.read({ machine: 'builtin', space: 'cpu', address, length })
      return result.ok ? [...result.data.bytes] : result.error.message
    },
    [address, length] as const,
  )
const write = (address: number, ...bytes: number[]) =>
  page.evaluate(
    ([address, bytes]) =>
      window.bridgedeck.memory.write({ machine: 'builtin', space: 'ram', address, bytes: Uint8Array.from(bytes) }),
    [address, bytes] as const,
  )
const pause = async () => {
  await chooseMenuItem(running, 'machine.pause')
  await page.locator('[data-panel="status-bar"] .state-words', { hasText: 'Paused' }).first().waitFor()
}
const openZeroPage = async () => {
  await pressNative(running, 'V', 'control', 'alt')
  await expect.poll(focusedLabel).toMatch(/^Names 2, CPU/)
}

describe.skipIf(lacks('electron', 'xvfb'))('the zero page by name', () => {
  it('shows each byte or word with its name, and where a pointer leads', async () => {
    await pause()
    await write(0x2b, 0x01, 0x08)
    await write(0x39, 0x0a, 0x00)
    await openZeroPage()
    await row('0000 2F D6510').waitFor()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    await expect.poll(focusedLabel).toBe('Filter names')
    await page.keyboard.type('txttab')
    await row('002B 01 08 TXTTAB → $0801 BASIC').waitFor()
    await memory().getByLabel('Filter names').fill('curlin')
    await row('0039 0A 00 CURLIN $000A').waitFor()
    await expect.poll(() => names().getByRole('option').count()).toBe(1)
    expect(await axeProblems(page, '[data-panel="memory"]')).toEqual([])
    await pressNative(running, 'V', 'control', 'alt')
    expect(await memory().locator('.side-pane').count()).toBe(1)
  })

  it('is edited in place, undone, and leads to what a pointer holds', async () => {
    await pause()
    await write(0x2b, 0x01, 0x08)
    await write(0xfb, 0, 0)
    await openZeroPage()
    await memory().getByLabel('Filter names').focus()
    await page.keyboard.type('txt')
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => chosen().textContent()).toContain('TXTTAB')
    await page.keyboard.type('c')
    await expect.poll(focusedLabel).toBe('Value at $002B')
    await page.keyboard.type('00100')
    await page.keyboard.press('Enter')
    await memory().getByRole('alert').getByText('too large for TXTTAB').waitFor()
    expect(await axeProblems(page, '[data-panel="memory"]')).toEqual([])
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Enter')
    await expect.poll(() => read(0x2b, 2)).toEqual([0x01, 0xc0])
    await row('TXTTAB → $C001').waitFor()
    await expect.poll(focusedLabel).toMatch(/^Names 2, CPU/)
    await page.keyboard.press('Enter')
    await expect.poll(() => memory().locator('.memory-status').textContent()).toContain('$C001')
    await page.keyboard.press('Control+z')
    await expect.poll(() => read(0x2b, 2)).toEqual([0x01, 0x08])
    await memory().getByLabel('Filter names').fill('')
    await memory().getByLabel('Filter names').press('Enter')
    await page.keyboard.press('Home')
    await expect.poll(() => chosen().textContent()).toContain('D6510')
    await page.keyboard.type('1')
    await expect.poll(focusedLabel).toBe('Value at $0000')
    await memory().getByLabel('Filter names').click()
    await memory().getByLabel('Value at $0000').waitFor({ state: 'detached' })
    expect(await focusedLabel()).toBe('Filter names')
    await memory().getByLabel('Filter names').press('Enter')
    await page.keyboard.type('1')
    await expect.poll(focusedLabel).toBe('Value at $0000')
    await names().hover()
    await page.mouse.wheel(0, 200)
    await expect.poll(focusedLabel).toMatch(/^Names 2, CPU/)
  })

  it('marks what changed, and has the menu of a byte', async () => {
    await openZeroPage()
    const tinted = () =>
      names()
        .locator('.named-bytes > span')
        .evaluateAll(
          (bytes) => bytes.filter((byte) => byte instanceof HTMLElement && byte.style.background !== '').length,
        )
    // The demo counts its frames there.
    await memory().getByLabel('Filter names').fill('$0022')
    await expect.poll(tinted).toBeGreaterThan(0)
    await pause()
    // Marks stand still with the machine.
    await expect.poll(tinted).toBeGreaterThan(0)
    await memory().getByLabel('Filter names').fill('txttab')
    await write(0x2b, 0x01, 0x08)
    await row('TXTTAB → $0801').waitFor()
    await memory().getByLabel('Filter names').press('Enter')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => chosen().textContent()).toContain('TXTTAB')
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menu', { name: '$002B TXTTAB' }).waitFor()
    await page.getByRole('menuitem', { name: 'Stop when written' }).press('Enter')
    const checkpoints = () =>
      page.evaluate(async () => {
        const result = await window.bridgedeck.machine.checkpoints({ machine: 'builtin' })
        return result.ok ? result.data.checkpoints.map(({ start, operations }) => [start, ...operations]) : []
      })
    await expect.poll(checkpoints).toEqual([[0x2b, 'store']])
  })

  it('has the program’s labels before the names that every C64 has, and the pointers that its code used', async () => {
    await pause()
    // LDY #0; LDA ($FB),Y; JMP $C002
    await write(0xc000, 0xa0, 0x00, 0xb1, 0xfb, 0x4c, 0x02, 0xc0)
    await write(0xfb, 0x34, 0x12)
    await page.evaluate(() => window.bridgedeck.memory.setRegister({ machine: 'builtin', name: 'PC', value: 0xc000 }))
    await openZeroPage()
    await memory().getByLabel('Filter names').fill('$00fb')
    await row('00FB 34').waitFor()
    await page.evaluate(() => window.bridgedeck.machine.step({ machine: 'builtin', count: 3, over: false }))
    await row('00FB 34 12 FREEZP → $1234').waitFor()
    const path = join(folder, 'game.lbl')
    writeFileSync(path, 'al C:00fb .sprites\nal C:1234 .shapes\n')
    await answerFileDialogs(running, path)
    await chooseMenuItem(running, 'labels.load')
    await row('00FB 34 12 sprites → $1234 shapes').waitFor()
  })
})

describe.skipIf(lacks('electron', 'xvfb'))('the listing at the PC', () => {
  const registers = () => page.locator('[data-panel="registers"]')
  const line = (address: string) =>
    registers()
      .getByRole('listitem')
      .filter({ hasText: new RegExp(`^${address}`) })
      .first()
  const step = (count: number) =>
    page.evaluate((count) => window.bridgedeck.machine.step({ machine: 'builtin', count, over: false }), count)

  it('tells code from data by what ran, has arrows, and keeps its lines while the PC moves through them', async () => {
    await chooseMenuItem(running, 'view.registers')
    await pause()
    // LDX #2; DEX; BNE $C002; JMP $C010; "DATA WITHIN"; at $C010 INX; JMP $C010
    await write(0xc000, 0xa2, 2, 0xca, 0xd0, 0xfd, 0x4c, 0x10, 0xc0)
    await write(0xc008, 0x44, 0x41, 0x54, 0x41, 0x20, 0x59, 0x45, 0x53)
    await write(0xc010, 0xe8, 0x4c, 0x10, 0xc0, 0x60)
    await page.evaluate(async () => {
      await window.bridgedeck.memory.setRegister({ machine: 'builtin', name: 'FL', value: 0x24 })
      await window.bridgedeck.memory.setRegister({ machine: 'builtin', name: 'PC', value: 0xc000 })
    })
    await line('C000').and(registers().locator('.next')).waitFor()
    await step(1)
    await line('C002').and(registers().locator('.next')).waitFor()
    await expect.poll(() => line('C000').getAttribute('title')).toBe('Seen run')
    const before = await line('C000').boundingBox()
    await step(1)
    await line('C003').and(registers().locator('.next')).waitFor()
    await expect.poll(() => line('C000').boundingBox()).toEqual(before)
    await step(4)
    await line('C010').and(registers().locator('.next')).waitFor()
    await line('C008').getByText('.text "DATA YES"').waitFor()
    await expect.poll(() => line('C002').getAttribute('title')).toBe('Seen run')
    await expect.poll(() => line('C008').getAttribute('title')).toContain('Not seen run')
    await expect.poll(() => registers().locator('.jump-arrows g').count()).toBeGreaterThan(0)
    expect(await axeProblems(page, '[data-panel="registers"]')).toEqual([])
  })
})

describe.skipIf(lacks('electron', 'xvfb'))('the layout of memory', () => {
  it('has the program that was loaded, with what changed of it, and the segments of its debug file', async () => {
    copyFileSync(resolve('test/fixtures/labels/borderCa65.dbg'), join(folder, 'border.dbg'))
    copyFileSync(resolve('test/fixtures/labels/border.prg'), join(folder, 'border.prg'))
    await answerFileDialogs(running, join(folder, 'border.prg'))
    await chooseMenuItem(running, 'program.load')
    await pressNative(running, 'F', 'control')
    const panel = memory().getByRole('region', { name: 'Search memory' })
    await panel.getByRole('radio', { name: 'Layout' }).press('Space')
    const part = (name: string) => panel.getByRole('listbox', { name: 'Memory layout' }).getByRole('option', { name })
    await part('border.prg').getByText('loaded, unchanged').waitFor()
    await part('CODE').getByText('segment in border.dbg').waitFor()
    expect(await axeProblems(page, '[data-panel="memory"]')).toEqual([])
    const [end = 0] = await read(0x0801, 1)
    await write(0x0801, Number(end) ^ 0xff)
    await part('border.prg').getByText('1 of').waitFor()
    await chooseMenuItem(running, 'machine.reset')
    await part('border.prg').waitFor({ state: 'detached' })
  })
})
