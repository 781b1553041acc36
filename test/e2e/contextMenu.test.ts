/** The menu of a byte, by mouse and by keyboard, wherever bytes are shown. */
import type { Page } from 'playwright'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { formatAddress, formatByte } from '@shared/c64/address'
import { startUltimate, type UltimatePeer } from '../peers/ultimateProcess'
import { untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { SharedApp } from '../support/sharedApp'
import { axeProblems, chooseMenuItem } from './support'

const shared = new SharedApp()
afterAll(() => shared.close())

let running: RunningApp
let page: Page
let ultimate: UltimatePeer | undefined

afterEach(async () => {
  await ultimate?.stop()
  ultimate = undefined
})

async function launch(machine = 'builtin'): Promise<void> {
  running = await shared.open('--size=1280x800', `--machine=${machine}`)
  page = running.page
  await untilLive(page, machine)
}

const panel = (name: string) => page.locator(`[data-panel="${name}"]`)
const menu = () => page.getByRole('menu')
const item = (name: string) => menu().getByRole('menuitem', { name })

/** Pairs of an address and a value; returns once the window has them. */
async function poke(...pairs: number[]): Promise<void> {
  await page.evaluate(async (pairs) => {
    for (let index = 0; index < pairs.length; index += 2)
      await window.bridgedeck.memory.write({
        machine: 'builtin',
        space: 'cpu',
        address: pairs[index] ?? 0,
        bytes: Uint8Array.of(pairs[index + 1] ?? 0),
      })
  }, pairs)
  await goTo(formatAddress(pairs.at(-2) ?? 0))
  await expect
    .poll(() => panel('memory').locator('.memory-status').textContent())
    .toContain(formatByte(pairs.at(-1) ?? 0))
}

/** Before, it now and then reads the character ROM, which is where I/O is. */
const untilDemoHasSprites = () =>
  expect
    .poll(() =>
      page.evaluate(async () => {
        const where = { machine: 'builtin', space: 'io', address: 0xd015, length: 1 } as const
        const enabled = await window.bridgedeck.memory.read(where)
        return enabled.ok ? enabled.data.bytes[0] : 0
      }),
    )
    .not.toBe(0)

async function goTo(address: string): Promise<void> {
  await panel('memory').getByLabel('Go to address').fill(address)
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('grid')
}

describe.skipIf(lacks('electron', 'xvfb'))('the menu of a byte', () => {
  it('opens at the cursor by the Menu key and by Shift+F10, and gives the keyboard back', async () => {
    await launch()
    await goTo('$D020')
    await page.keyboard.press('Shift+F10')
    await menu().getByText('$D020').first().waitFor()
    expect(await axeProblems(page, '[role=menu]')).toEqual([])
    await page.keyboard.press('Escape')
    await menu().waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('grid')
    await page.keyboard.press('ContextMenu')
    await item('Copy $D020').waitFor()
    await page.keyboard.press('Escape')
  })

  it('stops the machine when the byte is written, and lists the checkpoint', async () => {
    await launch()
    await goTo('$D020')
    await page.keyboard.press('ContextMenu')
    await item('Stop when written').click()
    await menu().waitFor({ state: 'detached' })
    await chooseMenuItem(running, 'view.registers')
    await panel('registers')
      .locator('.checkpoints li', { hasText: '$D020' })
      .filter({ hasText: 'is written' })
      .waitFor()
  })

  it('names the instruction that wrote, in a message that leads to it and where the state is', async () => {
    await launch()
    await goTo('$0022') // the demo's frame counter
    await page.keyboard.press('ContextMenu')
    await item('Stop when written').click()
    const messages = page.getByRole('log', { name: 'Messages' })
    await messages.getByText(/^Stopped at \$[\dA-F]{4} because \$0022 was written by \$[\dA-F]{4} INC \$22/).waitFor()
    await page.getByRole('button', { name: /^Stopped at \$[\dA-F]{4} because \$0022 was written/ }).waitFor()
    await messages.getByRole('button', { name: 'Show', exact: true }).click()
    const row = panel('registers').locator('.checkpoints li[aria-current]')
    await row.getByText('1 hit').waitFor()
    const writer = row.getByRole('button', { name: /INC \$22$/ })
    const address = (await writer.textContent())?.slice(1, 5) ?? ''
    const listing = panel('registers').getByRole('list', { name: 'Code at the PC' })
    const lines = listing.locator('li')
    await listing.locator('[aria-current=step]').waitFor()
    const [next, wrote] = await lines.evaluateAll(
      (all, start) => [
        all.findIndex((line) => line.getAttribute('aria-current') === 'step'),
        all.findIndex((line) => line.textContent.startsWith(start)),
      ],
      address,
    )
    expect(wrote).toBe(next - 1)
    await writer.click()
    await panel('memory').getByText(`$${address}`).first().waitFor()
  })

  it('is there for registers, checkpoints and sprites by mouse, and copies', async () => {
    await launch()
    await chooseMenuItem(running, 'view.registers')
    const border = panel('registers').locator('tr', { hasText: '$D020' })
    await border.click({ button: 'right' })
    await item('Go to $D020').waitFor()
    await item('Copy $D020').click()
    await expect.poll(() => running.app.evaluate(({ clipboard }) => clipboard.readText())).toBe('$D020')
    await chooseMenuItem(running, 'view.sprites')
    await panel('sprites').getByLabel('Sprite 0', { exact: true }).click({ button: 'right' })
    await item('Plot in Timeline').waitFor()
  })

  it('is there for the bytes under the pointer on the screen, and for the chosen one by keyboard', async () => {
    await launch()
    await untilDemoHasSprites()
    await page.evaluate(() => window.bridgedeck.machine.pause({ machine: 'builtin' }))
    // Nothing scrolls, and the screen is at $0400.
    await poke(0xd011, 0x1b, 0xd016, 0xc8, 0xdd00, 0x97, 0xd018, 0x15)
    await panel('screen').getByRole('button', { name: 'Borders' }).click()
    const picture = panel('screen').locator('.screen-picture')
    await expect.poll(async () => (await picture.boundingBox())?.width).toBe(640)
    /** The line 3 of row 2, column 5. */
    const place = { position: { x: (5 * 8 + 4) * 2, y: (2 * 8 + 3) * 2 + 1 } }
    const openAt = () => picture.click({ button: 'right', ...place, force: true })
    await openAt()
    await menu().getByText('Row 2, column 5').waitFor()
    await item('Colour $D855').waitFor()
    expect(await item('Bitmap').count()).toBe(0)
    expect(await axeProblems(page, '[role=menu]')).toEqual([])
    await item('Show $0455 in memory').click()
    const status = panel('memory').locator('.memory-status')
    await expect.poll(() => status.textContent()).toContain('$0455')

    await poke(0xd011, 0x3b, 0xd018, 0x19)
    await openAt()
    await item('Bitmap $22AB').hover()
    await page.getByRole('menuitem', { name: 'Copy $22AB' }).click()
    await expect.poll(() => running.app.evaluate(({ clipboard }) => clipboard.readText())).toBe('$22AB')

    await goTo('$D87B')
    await panel('screen').getByRole('application').focus()
    await page.keyboard.press('ContextMenu')
    await menu().getByText('Row 3, column 3').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('application')
  })

  it('says why a machine cannot stop', async () => {
    ultimate = await startUltimate()
    await launch(`ultimate:127.0.0.1:${ultimate.ports.rest}`)
    await goTo('$D020')
    await page.keyboard.press('ContextMenu')
    const why = item('Stop when written')
    await expect.poll(() => why.getAttribute('aria-disabled')).toBe('true')
    expect((await why.textContent())?.length).toBeGreaterThan('Stop when written'.length)
    await why.click({ force: true })
    await menu().waitFor()
  })

  it('watches a byte in a task', async () => {
    await launch()
    await goTo('$00A2')
    await page.keyboard.press('ContextMenu')
    await item('Watch for 1 min').click()
    await page.getByRole('button', { name: 'Show task' }).click()
    await panel('tasks').getByText('sample').first().waitFor()
    await panel('tasks').getByRole('button', { name: 'Stop all' }).click()
    // The window asks before it closes over a task that runs.
    await page.getByText('Stopped 1 task.').waitFor()
  })
})
