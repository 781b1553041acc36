/** Files over the window and dropped on it: what will happen is shown before, and what cannot is said. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { writeMachineState } from '../support/pictureData'
import { SharedApp } from '../support/sharedApp'
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
      .toMatch(/Drop on Built-in C64.*PRG.*Runs it.*SID.*PRG and P00 files only.*Folder/)
    expect(await axeProblems(page)).toEqual([])
    await page.evaluate(() => window.dispatchEvent(new DragEvent('dragleave', { relatedTarget: null })))
    await kinds.waitFor({ state: 'detached' })
  })

  const toast = (message: RegExp) => page.locator('.toast').filter({ hasText: message })

  it('is refused with the reason where the machine does not take the file', async () => {
    const file = join(folder, 'game.vsf')
    await writeFile(file, 'x')
    await dropUntil(page, [file], toast(/game\.vsf.*PRG and P00/))
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
