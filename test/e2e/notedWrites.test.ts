/** Who wrote a byte of a VICE, in the registers view. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { launchApp, untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { startVice, type RunningVice } from '../vice/support'
import { axeProblems, chooseMenuItem } from './support'

let folder: string
let vice: RunningVice
let running: RunningApp

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridgedeck-noted-'))
  vice = await startVice()
  running = await launchApp({ dataFolder: join(folder, 'data'), args: ['--size=1280x800', '--view=registers'] })
})
afterEach(async () => {
  await running.close()
  await vice.stop()
  await rm(folder, { recursive: true, force: true })
})

describe.skipIf(lacks('electron', 'xvfb', 'vice'))('who wrote a byte of a VICE', () => {
  it('is noted from a click on, each write with its instruction, until another click', async () => {
    const { page } = running
    await untilLive(page)
    const machine = `vice:${vice.port}`
    await chooseMenuItem(running, 'machine.choose')
    await page.locator('#connect-address').fill(machine)
    await page.keyboard.press('Enter')
    await untilLive(page, machine)
    const history = page.locator('[data-panel="registers"] .byte-history')
    await history.getByText('Who wrote it is not known').waitFor()
    expect(await axeProblems(page, '[data-panel="registers"]')).toEqual([])
    await history.getByRole('button', { name: 'Note its writes' }).click()
    await history.getByText('Written 0 times').waitFor()
    const done = await page.evaluate(async (machine) => {
      // INC $0400; JMP $C000
      const bytes = Uint8Array.of(0xee, 0x00, 0x04, 0x4c, 0x00, 0xc0)
      const results = [
        await window.bridgedeck.machine.pause({ machine }),
        await window.bridgedeck.memory.write({ machine, space: 'cpu', address: 0xc000, bytes }),
        await window.bridgedeck.memory.setRegister({ machine, name: 'PC', value: 0xc000 }),
        await window.bridgedeck.machine.resume({ machine }),
      ]
      return results.filter(({ ok }) => !ok)
    }, machine)
    expect(done).toEqual([])
    await history.getByRole('row').filter({ hasText: '$C000' }).first().waitFor()
    expect(await axeProblems(page, '[data-panel="registers"]')).toEqual([])
    if (process.env.SHOT) await page.screenshot({ path: process.env.SHOT })
    await history.getByRole('button', { name: 'End the notes' }).click()
    await history.getByText('Who wrote it is not known').waitFor()
  })
})
