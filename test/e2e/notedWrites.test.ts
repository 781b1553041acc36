/** Who wrote a byte of a VICE and of an Ultimate, in the registers view. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startUltimate } from '../peers/ultimateProcess'
import { launchApp, untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { startVice, type RunningVice } from '../vice/support'
import { axeProblems, chooseMenuItem } from './support'

let folder: string
let running: RunningApp

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridgedeck-noted-'))
  running = await launchApp({ dataFolder: join(folder, 'data'), args: ['--size=1280x800', '--view=registers'] })
})
afterEach(async () => {
  await running.close()
  await rm(folder, { recursive: true, force: true })
})

/** The part of the registers view about the byte, once this machine is in front. */
async function connectTo(machine: string) {
  const { page } = running
  await untilLive(page)
  await chooseMenuItem(running, 'machine.choose')
  await page.locator('#connect-address').fill(machine)
  await page.keyboard.press('Enter')
  await untilLive(page, machine)
  return { page, history: page.locator('[data-panel="registers"] .byte-history') }
}

describe.skipIf(lacks('electron', 'xvfb', 'vice'))('who wrote a byte of a VICE', () => {
  let vice: RunningVice
  beforeEach(async () => {
    vice = await startVice()
  })
  afterEach(() => vice.stop())

  it('is noted from a click on, each write with its instruction, until another click', async () => {
    const machine = `vice:${vice.port}`
    const { page, history } = await connectTo(machine)
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
    await history.getByRole('button', { name: 'End the notes' }).click()
    await history.getByText('Who wrote it is not known').waitFor()
  })
})

describe.skipIf(lacks('electron', 'xvfb'))('who wrote a byte of an Ultimate', () => {
  it('is noted from its bus stream, with what that misses, until another click ends the stream', async () => {
    const peer = await startUltimate({ busyBus: true })
    try {
      const { page, history } = await connectTo(`ultimate:127.0.0.1:${peer.ports.rest}`)
      await history.getByText('Noted on the bus stream of the Ultimate').waitFor()
      const note = history.getByRole('button', { name: 'Note its writes' })
      await note.focus()
      await page.keyboard.press('Enter')
      await history.getByText(/Written \d+ times on the bus stream of the Ultimate \(\d+ packets? lost\)/).waitFor()
      await history.getByRole('row').filter({ hasText: '$C00C' }).first().waitFor()
      expect(await axeProblems(page, '[data-panel="registers"]')).toEqual([])
      await history.getByRole('button', { name: 'End the notes' }).click()
      await history.getByText('Who wrote it is not known').waitFor()
      await expect.poll(async () => (await peer.state()).streams.debug.on).toBe(false)
    } finally {
      await peer.stop()
    }
  })
})
