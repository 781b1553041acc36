/** Text in the characters of a ROM that no machine shows: drawn with what stands in for it, which is said. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { palettes } from '@shared/c64/palettes'
import { startUltimate, type UltimatePeer } from '../peers/ultimateProcess'
import { launchApp, untilLive, type RunningApp } from '../support/launchApp'
import { readRoms } from '../support/ownRoms'
import { lacks } from '../support/parts'
import { shownPixels } from '../support/shownPicture'
import { chooseMenuItem, pressNative } from './support'

describe.skipIf(lacks('electron', 'xvfb'))(
  'the text screen of an Ultimate, which does not show its character ROM,',
  () => {
    let running: RunningApp
    let page: Page
    let peer: UltimatePeer
    let folder: string
    let machine: string
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'bridgedeck-rom-'))
      peer = await startUltimate()
      machine = `ultimate:127.0.0.1:${peer.ports.rest}`
      running = await launchApp({
        dataFolder: join(folder, 'data'),
        args: ['--size=1280x800', `--machine=${machine}`, '--view=pictures'],
      })
      page = running.page
      await untilLive(page, machine)
    })
    afterAll(async () => {
      await running.close()
      await peer.stop()
      await rm(folder, { recursive: true, force: true })
    })

    const OWN = 'This machine does not show its character ROM. Text is drawn with Bridgedeck’s own characters.'
    const view = (name: string) => page.locator(`[data-panel="${name}"]`)

    async function write(address: number, ...bytes: number[]): Promise<void> {
      const answer = await page.evaluate(
        ([machine, address, bytes]) =>
          window.bridgedeck.memory.write({ machine, space: 'cpu', address, bytes: Uint8Array.from(bytes) }),
        [machine, address, bytes] as const,
      )
      expect(answer).toMatchObject({ ok: true })
    }

    it('is drawn with Bridgedeck’s own characters, and says so', async () => {
      await write(0xd011, 0x1b)
      await write(0xd016, 0xc8)
      await write(0xd018, 0x15)
      await write(0xd021, 0)
      await write(0x0400, ...Array<number>(1000).fill(1))
      await write(0xd800, ...Array<number>(1000).fill(1))
      const [black = 0, white = 0] = palettes.pepto
      const shape = readRoms().character.subarray(8, 16)
      const letter = Array.from({ length: 8 }, (_, x) => (((shape[0] ?? 0) >> (7 - x)) & 1 ? white : black))
      expect(new Set(letter).size).toBe(2)
      const shown = async () => (await shownPixels(page)).slice(0, 16)
      await expect.poll(shown).toEqual([...letter, ...letter])
      await expect.poll(() => view('pictures').textContent()).toContain(OWN)
    })

    it('is exported as it is drawn, which is said there too', async () => {
      await pressNative(running, 'e', 'control')
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('option', { name: 'PNG picture' }).click()
      await expect.poll(() => dialog.textContent()).toContain(OWN)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    })

    it('gives no character set to keep, as none is the machine’s', async () => {
      await chooseMenuItem(running, 'view.characters')
      await expect.poll(() => view('characters').textContent()).toContain(OWN)
      await view('characters').getByRole('button', { name: 'Keep in sheet' }).click()
      await page.locator('.toast').filter({ hasText: 'does not show its character ROM' }).first().waitFor()
      await chooseMenuItem(running, 'view.pictures')
    })

    it('is the same in the sheet and its editor', async () => {
      await view('pictures').getByRole('button', { name: 'Keep in sheet' }).click()
      await chooseMenuItem(running, 'view.sheet')
      await expect.poll(() => view('sheet').textContent()).toContain(OWN)
      await view('sheet').getByRole('listitem').getByRole('button', { name: 'Edit', exact: true }).click()
      await expect.poll(() => view('editor').textContent()).toContain(OWN)
    })
  },
)
