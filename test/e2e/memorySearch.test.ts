/** Searching memory in the window, on the built-in C64, by keyboard alone. */
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import type { RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { axeProblems, chooseMenuItem, openForEach } from './support'

let running: RunningApp
let page: Page

openForEach(['--size=1280x800', '--view=memory'], (launched) => {
  running = launched
  page = launched.page
})

const memory = () => page.locator('[data-panel="memory"]')
const search = () => memory().getByRole('region', { name: 'Search memory' })
const found = () => search().getByRole('listbox', { name: 'Places found' }).getByRole('option')
const field = () => search().getByLabel('Search for', { exact: true })
const openSearch = async () => {
  await chooseMenuItem(running, 'memory.search')
  await expect.poll(() => field().evaluate((element) => element === document.activeElement)).toBe(true)
}
const write = (address: number, ...bytes: number[]) =>
  page.evaluate(
    ([address, bytes]) =>
      window.bridgedeck.memory.write({ machine: 'builtin', space: 'ram', address, bytes: Uint8Array.from(bytes) }),
    [address, bytes] as const,
  )

const range = () => search().getByLabel('in', { exact: true })

async function searchFor(kind: string, query: string): Promise<void> {
  await search().getByLabel('What to search for').selectOption(kind)
  await field().fill(query)
  await page.keyboard.press('Enter')
}

describe.skipIf(lacks('electron', 'xvfb'))('searching memory', () => {
  it('lists what is found, goes there with the arrow keys, and closes with Escape', async () => {
    await write(0xc000, 0xa9, 0x07, 0x8d, 0x20, 0xd0)
    await write(0xc100, 0xa9, 0x0b, 0x8d, 0x20, 0xd0)
    await openSearch()
    await page.keyboard.type('a9 ?? 8d 20 d0')
    await range().fill('c000-cfff')
    await page.keyboard.press('Enter')
    await search().getByText('2 found').waitFor()
    expect(await found().allTextContents()).toEqual(['$C000A9 07 8D 20 D0', '$C100A9 0B 8D 20 D0'])
    await search().getByRole('listbox', { name: 'Places found' }).focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => memory().locator('.memory-status').textContent()).toContain('$C000')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => memory().locator('.memory-status').textContent()).toContain('$C100')
    expect(await axeProblems(page, '[data-panel="memory"]')).toEqual([])
    await page.keyboard.press('Escape')
    await expect.poll(() => search().count()).toBe(0)
    await openSearch()
    expect(await field().inputValue()).toBe('a9 ?? 8d 20 d0')
  })

  it('tells what lies where, and goes there', async () => {
    await openSearch()
    await search().getByRole('radio', { name: 'Layout' }).click()
    const parts = search().getByRole('listbox', { name: 'Memory layout' }).getByRole('option')
    await expect
      .poll(async () => (await parts.allTextContents()).some((text) => /^\$0400-\$07E7Screen1000 bytes/.test(text)))
      .toBe(true)
    await parts.filter({ hasText: 'KERNAL ROM' }).click()
    await expect.poll(() => memory().locator('.memory-status').textContent()).toContain('$E000')
    expect(await axeProblems(page, '[data-panel="memory"]')).toEqual([])
  })

  it('finds text, pointers and instructions, and says what does not read', async () => {
    await openSearch()
    await write(0xc000, 0x12, 0x05, 0x14, 0x12, 0x0f, 0x2e, 0x02, 0x19)
    await searchFor('text', 'retro.by')
    await expect.poll(() => found().allTextContents()).toEqual(['$C00012 05 14 12 0F 2E 02 19screen codes'])
    await write(0xc100, 0x4c, 0x00, 0xc0)
    // The picture that the demo draws has such bytes by chance, and more than are in sight.
    await range().fill('c000-cfff')
    await searchFor('pointer', '$c000')
    await expect.poll(() => found().allTextContents()).toEqual(['$C10100 C0operand of JMP $C000'])
    await range().fill('')
    await searchFor('instruction', 'sta $d0??')
    await expect.poll(() => found().first().textContent()).toContain('STA $D0')
    await searchFor('bytes', 'a9 ?')
    await search().getByRole('alert').getByText('A byte takes two digits').waitFor()
  })
})

describe.skipIf(lacks('electron', 'xvfb'))('searching a value', () => {
  const candidates = () => search().getByRole('listbox', { name: 'Candidates' }).getByRole('option')
  const read = (address: number) =>
    page.evaluate(async (address) => {
      const result = await window.bridgedeck.memory.read({ machine: 'builtin', space: 'ram', address, length: 1 })
      return result.ok ? result.data.bytes[0] : undefined
    }, address)

  it('finds the address by how its value changes, and freezes it', async () => {
    await write(0x02a7, 3)
    await openSearch()
    await search().getByRole('radio', { name: 'Value' }).click()
    await search().getByRole('button', { name: 'Start' }).click()
    const condition = search().getByLabel('Keep where')
    for (const [value, typed] of [
      [3, '= 3'],
      [2, 'down 1'],
      [9, '= 9'],
      [7, 'down 2'],
    ] as const) {
      await write(0x02a7, value)
      await condition.fill(typed)
      await page.keyboard.press('Enter')
      await search().getByText(typed, { exact: false }).first().waitFor()
      await expect.poll(() => search().getByRole('status').textContent()).toContain(`${typed}:`)
    }
    await expect.poll(() => candidates().allTextContents()).toEqual([expect.stringMatching(/^\$02A7/)])
    // What is frozen is the value that is shown.
    await candidates().getByText('7 → 7', { exact: true }).waitFor()
    await candidates().click()
    await search().getByRole('listbox', { name: 'Candidates' }).focus()
    await page.keyboard.press('f')
    await candidates().getByText('frozen at 7').waitFor()
    await write(0x02a7, 1)
    await expect.poll(() => read(0x02a7)).toBe(7)
    expect(await axeProblems(page, '[data-panel="memory"]')).toEqual([])
    await page.keyboard.press('f')
    await expect.poll(() => candidates().textContent()).not.toContain('frozen')
    await search().getByRole('button', { name: 'Undo step' }).click()
    await expect.poll(() => search().getByRole('status').textContent()).toContain('= 9:')
  })
})
