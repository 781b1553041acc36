/** The gallery of what tasks have written. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { launchApp, untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { axeProblems } from './support'

let folder: string
let running: RunningApp
let page: Page

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridgedeck-gallery-'))
  running = await launchApp({
    dataFolder: join(folder, 'data'),
    args: ['--size=1280x800', '--view=artifacts'],
    environment: { HOME: folder, C64_TASK_STATE_FILE: undefined },
  })
  page = running.page
  await untilLive(page)
})
afterEach(async () => {
  await running.close()
  await rm(folder, { recursive: true, force: true })
})

const startTask = (operation: string, args: Record<string, string>) =>
  page.evaluate(
    async ({ operation, args }) => {
      const task = { operation, machine: 'builtin', type: 'foreground' as const, args, files: {} }
      const result = await window.bridgedeck.tasks.startGranted(task, crypto.randomUUID())
      if (!result.ok) throw new Error(result.error.message)
    },
    { operation, args },
  )

const gallery = () => page.locator('[data-panel="artifacts"]')

describe.skipIf(lacks('electron', 'xvfb'))('the gallery', () => {
  it('shows the sprites that a task extracted, finds one by its name and keeps it in the sheet', async () => {
    await gallery().getByText('No files of tasks yet').waitFor()
    await startTask('extract_sprites_from_ram', { source: 'pointers' })
    await startTask('capture_screen', {})
    await gallery().getByRole('button', { name: 'screen.png' }).waitFor()
    expect(await axeProblems(page)).toEqual([])

    await gallery().getByRole('searchbox').fill('extract_sprites .png')
    await expect.poll(() => gallery().getByRole('button', { name: 'screen.png' }).count()).toBe(0)
    const sprite = gallery()
      .getByRole('button', { name: /sprite_[0-9A-F]{4}\.png/ })
      .first()
    await sprite.focus()
    await page.keyboard.press('Enter')
    await gallery().getByRole('button', { name: 'Keep in the sheet' }).click()
    await page.locator('.toast').filter({ hasText: 'is in the sheet' }).waitFor()

    await page.keyboard.press('Escape')
    await gallery().getByRole('searchbox').fill('png')
    await sprite.click()
    await gallery()
      .getByRole('button', { name: 'screen.png' })
      .click({ modifiers: ['Control'] })
    await gallery().getByRole('radio', { name: 'Difference' }).click()
    await gallery().getByText('The sizes differ').waitFor()
  })

  it('edits the characters that a task extracted in the sheet, and leaves the machine as it is', async () => {
    const read = () =>
      page.evaluate(async () => {
        const place = { machine: 'builtin', space: 'ram' as const, address: 0x8000, length: 16 }
        const result = await window.bridgedeck.memory.read(place)
        return result.ok ? [...result.data.bytes] : []
      })
    await page.evaluate(() =>
      window.bridgedeck.memory.write({
        machine: 'builtin',
        space: 'ram',
        address: 0x8000,
        bytes: Uint8Array.from({ length: 0x800 }, (_, at) => (at * 7) & 0xff),
      }),
    )
    const before = await read()
    await startTask('extract_charset', { address: '$8000' })
    await gallery()
      .getByRole('button', { name: /8000.*png/ })
      .first()
      .click()
    await gallery().getByRole('button', { name: 'Open in the editor' }).click()
    const editor = page.locator('[data-panel="editor"]')
    await editor.getByRole('heading', { name: /^Characters/ }).waitFor()
    const status = editor.locator('.editor-status')
    await expect.poll(() => status.textContent()).toContain('byte 0 = $00')
    await editor.getByRole('application').focus()
    await page.keyboard.press('Space')
    await expect.poll(() => status.textContent()).toContain('byte 0 = $80')
    expect(await read()).toEqual(before)
  })

  it('compares two pictures side by side, and with a slider', async () => {
    await startTask('capture_screen', {})
    const screens = gallery().getByRole('button', { name: 'screen.png' })
    await screens.first().waitFor()
    await startTask('capture_screen', {})
    await expect.poll(() => screens.count()).toBe(2)
    await screens.first().click()
    await screens.last().click({ modifiers: ['Control'] })
    const compared = gallery().getByRole('region', { name: 'Comparison' })
    await gallery().getByRole('radio', { name: 'Side by side' }).click()
    await expect.poll(() => compared.locator('.gallery-side img').count()).toBe(2)
    await gallery().getByRole('radio', { name: 'Slider' }).click()
    const slider = compared.getByRole('slider', { name: 'Where the second picture begins' })
    const clip = () =>
      compared
        .locator('.gallery-over img')
        .last()
        .evaluate((image: HTMLElement) => image.style.clipPath)
    await expect.poll(clip).toContain('50%')
    await slider.focus()
    await page.keyboard.press('Home')
    await expect.poll(clip).toMatch(/inset\(0(px)? 0(px)? 0(px)? 0%\)/)
    await page.keyboard.press('End')
    await expect.poll(clip).toContain('100%')
    expect(await axeProblems(page, '[data-panel="artifacts"]')).toEqual([])
  })
})
