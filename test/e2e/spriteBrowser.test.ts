/** The sprite browser over the built-in C64, by keyboard alone. */
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { lacks } from '../support/parts'
import { axeProblems, launchForEach } from './support'

let page: Page

launchForEach({ args: ['--size=1280x800', '--view=graphics'] }, (launched) => {
  page = launched.page
})

const browser = () => page.locator('[data-panel="spriteBrowser"]')
const grid = () => browser().getByRole('listbox')
const status = () => browser().locator('.sprite-browser-status').textContent()
const write = (address: number, ...bytes: number[]) =>
  page.evaluate(
    ([address, bytes]) =>
      window.bridgedeck.memory.write({ machine: 'builtin', space: 'cpu', address, bytes: Uint8Array.from(bytes) }),
    [address, bytes] as const,
  )
/** Sprite 0 shows $2000. */
const showSprite = async () => {
  await write(0x2000, ...Array.from({ length: 63 }, (_, at) => (at % 3 === 1 ? 0xff : at < 30 ? 0x18 : 0x3c)))
  await write(0x07f8, 0x80)
  await write(0xd015, 1)
  await write(0xd01c, 1)
  await write(0xd027, 7)
}

describe.skipIf(lacks('electron', 'xvfb'))('the sprite browser', () => {
  it('shows what sprites use at its address, and goes there by keys', async () => {
    await showSprite()
    await grid().focus()
    await page.keyboard.press('Control+End')
    await expect.poll(status).toContain('$FFC0  block 1023  pointer $FF (255) in bank 3')
    await page.keyboard.press('Control+Home')
    await expect.poll(status).toContain('$0000  block 0')
    await browser().getByRole('radio', { name: 'Used' }).click()
    await expect.poll(status).toContain('$2000  block 128  pointer $80 (128) in bank 0')
    await expect.poll(status).toContain('sprite 0 now')
    expect(await axeProblems(page, '[data-panel="spriteBrowser"]')).toEqual([])
  })
})
