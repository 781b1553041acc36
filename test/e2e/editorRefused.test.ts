/** The editor where the machine takes no byte: it says why, and what was drawn is not lost. */
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startEasyFlashPeer, type EasyFlashPeer } from '../peers/easyflashProcess'
import { untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { openSerialLine } from '../support/serialLine'
import { SharedApp } from '../support/sharedApp'
import { axeProblems, chooseMenuItem } from './support'

describe.skipIf(lacks('electron', 'xvfb', 'socat'))('the editor', () => {
  let line: Awaited<ReturnType<typeof openSerialLine>>
  let peer: EasyFlashPeer
  const shared = new SharedApp()
  let running: RunningApp
  let page: Page
  beforeAll(async () => {
    line = await openSerialLine()
    peer = await startEasyFlashPeer(line.there)
    running = await shared.open('--size=1280x800', '--view=editor')
    page = running.page
    await untilLive(page)
  })
  afterAll(async () => {
    await shared.close()
    await peer.stop()
    await line.close()
  })

  const view = () => page.locator('[data-panel="editor"]')
  const status = () => view().locator('.editor-status').textContent()
  const button = (name: string) => view().getByRole('button', { name, exact: true })
  const stage = () => view().getByRole('application')
  const write = (space: 'ram' | 'io', address: number, ...bytes: number[]) =>
    page.evaluate(
      ([space, address, bytes]) =>
        window.bridgedeck.memory.write({ machine: 'builtin', space, address, bytes: Uint8Array.from(bytes) }),
      [space, address, bytes] as const,
    )
  const byteAt = async (address: number) => {
    const read = await page.evaluate(
      (address) => window.bridgedeck.memory.read({ machine: 'builtin', space: 'ram', address, length: 1 }),
      address,
    )
    return read.ok ? read.data.bytes[0] : undefined
  }

  async function connectTo(machine: string): Promise<void> {
    await chooseMenuItem(running, 'machine.choose')
    await page.locator('#connect-address').fill(machine)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }

  /** An empty sprite, with a first pixel that is drawn. */
  async function drawOne(): Promise<void> {
    await write('ram', 0x2000, ...Array<number>(63).fill(0))
    await write('io', 0xd01c, 0)
    await write('io', 0xd015, 1)
    await expect
      .poll(async () => {
        await write('ram', 0x07f8, 0x80)
        await chooseMenuItem(running, 'editor.openSprite')
        return view().getByRole('heading', { name: 'Sprite $2000' }).count()
      })
      .toBe(1)
    await stage().focus()
    for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowLeft')
    await expect.poll(status).toContain('$2000 = $00')
    await page.keyboard.press('p')
    await page.keyboard.press('Space')
    await expect.poll(() => byteAt(0x2000)).toBe(0x80)
  }

  it('says why a machine’s memory cannot be drawn in, and goes on where it can', async () => {
    await drawOne()
    await connectTo(`easyflash:${line.here}`)
    const why = /cannot reach the C64’s memory/
    await view().getByText(why).first().waitFor()
    await view().getByText('The memory of this machine cannot be seen now.').waitFor()
    expect(await view().innerText()).not.toMatch(/Waiting|\$2000 =|\$D027/)
    expect(await axeProblems(page, '[data-panel="editor"]')).toEqual([])
    await chooseMenuItem(running, 'editor.openScreen')
    await view().getByText(why).first().waitFor()
    expect(await view().innerText()).not.toContain('Waiting')
    await chooseMenuItem(running, 'editor.openSprite')
    await page.locator('.toast').filter({ hasText: why }).first().waitFor()
    await connectTo('builtin')
    await untilLive(page)
    await drawOne()
    await button('Undo').click()
    await expect.poll(() => byteAt(0x2000)).toBe(0)
  })

  it('keeps what was drawn in a machine that was disconnected, and goes on with it in the sheet', async () => {
    await drawOne()
    await expect.poll(status).toContain('$2000 = $80')
    await page.evaluate(() => window.bridgedeck.machine.disconnect({ machine: 'builtin' }))
    await view().getByText('Built-in C64 is not connected.').first().waitFor()
    await stage().focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Space')
    await page.locator('.toast').filter({ hasText: 'Built-in C64 is not connected.' }).first().waitFor()
    await button('To the sheet').click()
    await view().getByRole('heading', { name: 'Sprite 1 of the sheet' }).waitFor()
    await expect.poll(status).toContain('byte 0 = $80')
    await stage().focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Space')
    await expect.poll(status).toContain('byte 0 = $C0')
    await button('Undo').click()
    await expect.poll(status).toContain('byte 0 = $80')
  })
})
