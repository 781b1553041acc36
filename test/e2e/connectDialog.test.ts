/** The dialog that connects machines, as a person uses it. */
import type { Locator, Page } from 'playwright'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startUltimate, type UltimatePeer } from '../peers/ultimateProcess'
import { untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { SharedApp } from '../support/sharedApp'
import { axeProblems, chooseMenuItem } from './support'

const shared = new SharedApp()
afterAll(() => shared.close())

let running: RunningApp
let page: Page
let peer: UltimatePeer

beforeEach(async () => {
  peer = await startUltimate()
})
afterEach(() => peer.stop())

const dialog = () => page.getByRole('dialog', { name: 'Connect', exact: true })
const row = (text: string) => dialog().locator('.connect-row').filter({ hasText: text })
const boxOf = (part: Locator) => part.boundingBox()

async function open(): Promise<void> {
  running = await shared.open('--size=1280x800')
  page = running.page
  await untilLive(page)
  await chooseMenuItem(running, 'machine.choose')
  await dialog().waitFor()
}

describe.skipIf(lacks('electron', 'xvfb'))('the connect dialog', () => {
  it('connects what answers at a plain address by one key, shows its name, and lists it as recent afterwards', async () => {
    await open()
    const address = `127.0.0.1:${peer.ports.rest}`
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('connect-address')
    await page.keyboard.type(address)
    await page.keyboard.press('Enter')
    await dialog().waitFor({ state: 'detached' })
    await untilLive(page, `ultimate:${address}`)
    const chooser = page.getByRole('button', { name: /^Machine: / })
    const parts = await Promise.all([chooser, chooser.locator('strong'), chooser.locator('svg')].map(boxOf))
    const [whole, name, arrow] = parts.map((box) => box ?? { x: 0, width: 0 })
    expect(name?.width).toBeGreaterThan(100)
    expect((arrow?.x ?? 0) + (arrow?.width ?? 0)).toBeLessThanOrEqual((whole?.x ?? 0) + (whole?.width ?? 0))
    await chooseMenuItem(running, 'machine.choose')
    await row(address).getByRole('button', { name: 'Disconnect' }).click()
    await expect
      .poll(() => dialog().getByRole('region', { name: 'Recent' }).textContent(), { timeout: 30_000 })
      .toContain(address)
    await row(address).getByRole('button', { name: 'Connect' }).click()
    await dialog().waitFor({ state: 'detached' })
  })

  it('says that nothing answers at an address, and what to check', async () => {
    await open()
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('connect-address')
    await page.keyboard.type('127.0.0.1:1')
    await page.keyboard.press('Enter')
    await dialog().getByRole('alert').filter({ hasText: 'No machine answers there' }).waitFor()
  })

  it('has each machine with its state and one button, a running VICE too, and the guides behind How?', async () => {
    await open()
    await expect.poll(() => row('Built-in C64').textContent()).toMatch(/Live, in front.*Disconnect/)
    await expect.poll(() => row('VICE').first().textContent()).toMatch(/Starts VICE|VICE is not installed/)
    await expect.poll(() => row('VICE that is running').textContent()).toMatch(/vice:6502.*Not connected.*Connect/)
    expect(await row('VICE that is running').getByRole('button').count()).toBe(1)
    await dialog().getByRole('button', { name: 'How?' }).click()
    await dialog().getByLabel('Kind of machine').selectOption('vice')
    await dialog().locator('.guide').filter({ hasText: '-binarymonitor' }).waitFor()
    expect(await axeProblems(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
  })
})
