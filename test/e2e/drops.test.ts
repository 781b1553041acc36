/** Files over the window and dropped on it: what will happen is shown before, and what cannot is said. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { diskImage } from '../support/diskImage'
import { untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { writeMachineState } from '../support/pictureData'
import { SharedApp } from '../support/sharedApp'
import { dumpSnapshot } from '../support/dumpSnapshot'
import { startVice } from '../vice/support'
import { axeProblems, dropUntil } from './support'

const shared = new SharedApp()
let folder: string
let running: RunningApp
let page: Page

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridgedeck-drops-'))
  running = await shared.open('--size=1280x800')
  page = running.page
  await untilLive(page)
})
afterEach(() => rm(folder, { recursive: true, force: true }))
afterAll(() => shared.close())

describe.skipIf(lacks('electron', 'xvfb'))('a drop', () => {
  it('is told while it is dragged: what each kind of file does on this machine, and why not', async () => {
    await page.evaluate(() => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['x'], 'demo.prg'))
      window.dispatchEvent(new DragEvent('dragenter', { dataTransfer }))
    })
    const kinds = page.locator('.drop-kinds')
    await expect
      .poll(() => kinds.textContent())
      .toMatch(/Drop on Built-in C64.*PRG.*Runs it.*SID.*makes no sound.*Folder/)
    expect(await axeProblems(page)).toEqual([])
    await page.evaluate(() => window.dispatchEvent(new DragEvent('dragleave', { relatedTarget: null })))
    await kinds.waitFor({ state: 'detached' })
  })

  const toast = (message: RegExp) => page.locator('.toast').filter({ hasText: message })

  const sheet = () => page.getByRole('dialog')
  const button = (name: string) => sheet().getByRole('button', { name })
  const front = () => page.locator('.machine-bar').textContent()

  /** STA $C100 with $2A, over and over, at $C000. */
  const writesC100 = [0x00, 0xc0, 0xa9, 0x2a, 0x8d, 0x00, 0xc1, 0x4c, 0x00, 0xc0]
  const disk = async (): Promise<string> => {
    const file = join(folder, 'game.d64')
    const others = ['LOADER', 'GAME'].map((name) => ({ name, bytes: [0x00, 0xc0, 0x4c, 0x00, 0xc0] }))
    await writeFile(file, diskImage([...others, { name: 'LEVEL', bytes: writesC100 }]))
    return file
  }
  const byteAt = (address: number) =>
    page.evaluate(async (address) => {
      const read = await window.bridgedeck.memory.read({ machine: 'builtin', space: 'ram', address, length: 1 })
      return read.ok ? read.data.bytes[0] : read.error.message
    }, address)

  it('of a disk image on the built-in C64 says why, and runs the program of it that is chosen', async () => {
    await dropUntil(page, [await disk()], sheet().getByText(/no disk drive/))
    expect(await sheet().getByRole('option').allTextContents()).toEqual([
      expect.stringMatching(/^LOADER\$C000, 3 bytes/),
      expect.stringMatching(/^GAME/),
      expect.stringMatching(/^LEVEL/),
    ])
    expect(await axeProblems(page)).toEqual([])
    await sheet().getByRole('option', { name: 'LEVEL' }).click()
    await button('Run this program here').click()
    await toast(/LEVEL \(game\.d64\) is running/).waitFor()
    await expect.poll(() => byteAt(0xc100)).toBe(0x2a)
    expect(await sheet().count()).toBe(0)
  })

  it('of a damaged image, a cartridge and a tune says why as well', async () => {
    for (const [name, why] of [
      ['cut.d64', /no disk drive/],
      ['game.crt', /no cartridge port/],
      ['tune.sid', /makes no sound/],
    ] as const) {
      const file = join(folder, name)
      await writeFile(file, 'x')
      await dropUntil(page, [file], sheet().getByText(why))
      if (name === 'cut.d64')
        await sheet()
          .getByText(/cut\.d64: This is no disk image/)
          .waitFor()
      await page.keyboard.press('Escape')
      await expect.poll(() => sheet().count()).toBe(0)
    }
  })

  it('of a program that needs BASIC offers the ROMs', async () => {
    const file = join(folder, 'loop.prg')
    // 10 FOR
    await writeFile(file, Uint8Array.of(0x01, 0x08, 0x07, 0x08, 0x0a, 0x00, 0x81, 0x00, 0x00, 0x00))
    await dropUntil(page, [file], sheet().getByText(/needs BASIC \(FOR in line 10\)/))
    await button('Choose ROMs…').click()
    await page.locator('#setting-kernalRom').getByText('KERNAL ROM').waitFor()
    expect(await sheet().count()).toBe(0)
  })

  it.skipIf(lacks('vice'))('of a snapshot of VICE starts VICE and runs it there, in one click', async () => {
    const file = join(folder, 'saved.vsf')
    const vice = await startVice()
    await dumpSnapshot(vice.port, file)
    await vice.stop()
    await dropUntil(page, [file], sheet().getByText(/loads no snapshots/))
    await button('Run in VICE').click()
    await toast(/saved\.vsf is running/).waitFor({ timeout: 30_000 })
    await expect.poll(front).toMatch(/VICE/)
    expect(await sheet().count()).toBe(0)
  })

  it.skipIf(lacks('vice'))('that VICE refuses too goes back to the machine from before, with the reason', async () => {
    await dropUntil(page, [await disk()], sheet().getByText(/no disk drive/))
    await button('Run in VICE').click()
    await sheet()
      .getByText(/needs the Commodore ROMs, and this VICE has none/)
      .first()
      .waitFor({ timeout: 30_000 })
    await expect.poll(front).toMatch(/Built-in C64/)
  })

  it('of nothing: a BASIC listing typed without BASIC is told before, with what to do', async () => {
    await page.evaluate(() => window.bridgedeck.machine.reset({ machine: 'builtin', kind: 'power' }))
    const screen = () =>
      page.evaluate(async () => {
        const read = await window.bridgedeck.memory.read({
          machine: 'builtin',
          space: 'ram',
          address: 0x400,
          length: 1000,
        })
        return read.ok ? String.fromCharCode(...read.data.bytes.map((code) => (code < 0x20 ? code + 0x40 : code))) : ''
      })
    await expect.poll(screen).toContain('READY.')
    await running.app.evaluate(({ clipboard }) => clipboard.writeText('10 for i=1 to 10\n20 next\nrun'))
    await page.getByRole('button', { name: 'Type the clipboard' }).click()
    await sheet()
      .getByText(/no BASIC for line 10/)
      .waitFor()
    await button('Choose ROMs…').waitFor()
    expect(await axeProblems(page)).toEqual([])
    await button('Type it anyway').click()
    await expect.poll(() => sheet().count()).toBe(0)
    await expect.poll(screen).toContain('10 FOR I=1 TO 10')
    // Typed by hand, it is told once the line ends.
    await page.locator('[data-panel="screen"] canvas').first().click()
    await page.keyboard.type('goto 10\n', { delay: 60 })
    await sheet()
      .getByText(/no BASIC for GOTO/)
      .waitFor()
    await page.keyboard.press('Escape')
  })

  it('of several files restores the saved state, and says what is left', async () => {
    const text = join(folder, 'readme.txt')
    await writeFile(text, 'x')
    await dropUntil(page, [text, await writeMachineState(folder)], toast(/demo\.bridgedeck-state is loaded/))
    await page.locator('.toast').filter({ hasText: 'readme.txt was not opened' }).first().waitFor()
  })

  it('of a file of labels loads it', async () => {
    await dropUntil(page, [resolve('test/fixtures/labels/border.lbl')], toast(/Loaded 7 labels from border\.lbl/))
  })

  it('of a file of graphics shows what is in it', async () => {
    const file = join(folder, 'dot.spd')
    await writeFile(file, Uint8Array.of(6, 11, 12, ...new Uint8Array(64).fill(0xff)))
    await dropUntil(page, [file], page.getByRole('dialog').getByText('dot.spd'))
    // A drop that was repeated may be taken late, and show the file once more.
    const dialogs = async () => {
      await page.keyboard.press('Escape')
      return page.getByRole('dialog').count()
    }
    await expect.poll(dialogs).toBe(0)
  })
})
