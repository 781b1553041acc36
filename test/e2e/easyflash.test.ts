/** A machine that starts programs and shows nothing: what the window says of it, and that a program reaches it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startEasyFlashPeer, type EasyFlashPeer } from '../peers/easyflashProcess'
import { launchApp, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { openSerialLine } from '../support/serialLine'
import { chooseMenuItem } from './support'

const PROGRAM = Uint8Array.of(0x01, 0x08, 1, 2, 3, 4)

describe.skipIf(lacks('electron', 'xvfb', 'socat'))('an EasyFlash 3 in the window', () => {
  let folder: string
  let line: Awaited<ReturnType<typeof openSerialLine>>
  let peer: EasyFlashPeer
  let running: RunningApp

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bridgedeck-easyflash-'))
    line = await openSerialLine()
    peer = await startEasyFlashPeer(line.there)
  })
  afterEach(async () => {
    await running.close()
    await peer.stop()
    await line.close()
    await rm(folder, { recursive: true })
  })

  it('is live, says why its memory cannot be seen, and starts the program that it is given', async () => {
    const program = join(folder, 'four.prg')
    await writeFile(program, PROGRAM)
    running = await launchApp({
      environment: { HOME: folder },
      args: [`--machine=easyflash:${line.here}`, '--size=1280x800', program],
    })
    const { page } = running
    await expect
      .poll(() => page.locator('body').textContent(), { timeout: 60_000 })
      .toContain(`EasyFlash at ${line.here}`)
    await expect.poll(() => peer.log(), { timeout: 60_000 }).toContainEqual({ loaded: 0x0801, length: 4 })
    expect(await peer.peek(0x0801, 4)).toEqual(PROGRAM.subarray(2))
    for (const [view, what] of Object.entries({
      screen: 'picture',
      sprites: 'sprites',
      memory: 'memory',
      registers: 'registers',
    })) {
      await chooseMenuItem(running, `view.${view}`)
      const panel = page.locator(`[data-panel="${view}"]`)
      await panel.getByRole('heading', { name: `No ${what} from EasyFlash at ${line.here}` }).waitFor()
      expect(await panel.textContent()).toContain('cannot reach the C64’s memory')
    }
  })
})
