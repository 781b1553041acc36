/** The editor draws into a real VICE that somebody else started. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import type { Space } from '@shared/contract/memory'
import { spritePad5 } from '@shared/graphics/formats/spritePad'
import { untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { answerFileDialogs, chooseMenuItem, pressNative } from './support'
import { launchOnVice, type ViceWindow } from './viceWindow'

describe.skipIf(lacks('electron', 'vice', 'xvfb'))('a sprite of VICE in the editor', () => {
  let running: RunningApp
  let page: Page
  let machine: string
  let vice: ViceWindow
  launchOnVice('editor', (launched) => {
    ;({ running, page, machine } = launched)
    vice = launched
  })

  const view = () => page.locator('[data-panel="editor"]')
  const write = (space: Space, address: number, ...bytes: number[]) =>
    page.evaluate(
      ([machine, space, address, bytes]) =>
        window.bridgedeck.memory.write({ machine, space, address, bytes: Uint8Array.from(bytes) }),
      [machine, space, address, bytes] as const,
    )
  const read = async (address: number, length: number) => {
    const result = await page.evaluate(
      ([machine, address, length]) => window.bridgedeck.memory.read({ machine, space: 'ram', address, length }),
      [machine, address, length] as const,
    )
    return result.ok ? [...result.data.bytes] : []
  }

  /** Shows this sprite of VICE in the editor, with the cursor at its first pixel. */
  async function open(bytes: readonly number[]): Promise<void> {
    await write('ram', 0x2000, ...bytes)
    await write('ram', 0x07f8, 0x80)
    await write('io', 0xd015, 1)
    const sampling = await page.evaluate(
      (machine) => window.bridgedeck.machine.setSampling({ machine, mode: 'free', rate: 10 }),
      machine,
    )
    expect(sampling.ok).toBe(true)
    await expect
      .poll(
        async () => {
          await chooseMenuItem(running, 'editor.openSprite')
          return view().getByRole('heading', { name: 'Sprite $2000' }).count()
        },
        { timeout: 60_000 },
      )
      .toBe(1)
    await view().getByRole('application').focus()
    for (let step = 0; step < 24; step++) await page.keyboard.press('ArrowLeft')
    for (let step = 0; step < 21; step++) await page.keyboard.press('ArrowUp')
    const first = `$2000 = $${(bytes[0] ?? 0).toString(16).toUpperCase().padStart(2, '0')}`
    await expect.poll(status, { timeout: 60_000 }).toContain(first)
  }
  const status = () => view().locator('.editor-status').textContent()
  const button = (name: string) => view().getByRole('button', { name, exact: true })

  /** The bytes of the sprite in a file that the editor exports. */
  async function exportedSprite(): Promise<number[]> {
    const path = join(running.dataFolder, 'sprite.spd')
    await answerFileDialogs(running, path)
    await view().getByRole('application').focus()
    await pressNative(running, 'e', 'control')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('option', { name: 'SpritePad Pro 5' }).click()
    await dialog.getByText('SpritePad Pro 5, ').waitFor()
    await page.keyboard.press('Control+Enter')
    await dialog.waitFor({ state: 'detached' })
    const [sheet] = spritePad5.read?.(new Uint8Array(await readFile(path))).artworks ?? []
    return sheet?.kind === 'sprites' ? [...(sheet.sprites[0]?.bytes ?? [])] : []
  }

  it('is changed by each stroke, and comes back to the byte', async () => {
    const before = Array.from({ length: 63 }, (_, at) => (at * 29) & 0xff)
    await open(before)
    await page.keyboard.press('b')
    await page.keyboard.press('Space')
    for (let step = 0; step < 7; step++) await page.keyboard.press('ArrowRight')
    for (let step = 0; step < 2; step++) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    const drawn = before.with(0, 0xff).with(3, 0xff).with(6, 0xff)
    await expect.poll(() => read(0x2000, 63), { timeout: 60_000 }).toEqual(drawn)
    await page.keyboard.press('Control+z')
    await expect.poll(() => read(0x2000, 63), { timeout: 60_000 }).toEqual(before)
  })

  it('keeps a stroke that a VICE that hangs did not take, to be written again', async () => {
    await open(Array<number>(63).fill(0))
    const draw = async () => {
      const resume = await vice.hang()
      await view().getByRole('application').focus()
      await page.keyboard.press('p')
      await page.keyboard.press('Space')
      await view()
        .getByText(/^Not written: 1 byte/)
        .waitFor()
      await resume()
    }
    await draw()
    expect(await status()).toContain('$2000 = $80')
    await untilLive(page, machine)
    expect(await exportedSprite()).toEqual([0x80, ...Array<number>(62).fill(0)])
    await button('Write again').click()
    await view()
      .getByText(/^Not written/)
      .waitFor({ state: 'detached' })
    await expect.poll(() => read(0x2000, 1), { timeout: 60_000 }).toEqual([0x80])
    await page.keyboard.press('Control+z')
    await expect.poll(() => read(0x2000, 1), { timeout: 60_000 }).toEqual([0])
  })

  it('takes back what a VICE that ended did not take, once it is there again', async () => {
    await open(Array<number>(63).fill(0))
    const unwritten = view().getByText(/^Not written: 1 byte/)
    await vice.hang()
    await view().getByRole('application').focus()
    await page.keyboard.press('Space')
    await unwritten.waitFor()
    await vice.stop()
    await expect.poll(() => button('Write again').getAttribute('aria-disabled')).toBe('true')
    // The window would take the monitor's only connection before the new VICE shows its prompt.
    await page.evaluate((machine) => window.bridgedeck.machine.disconnect({ machine }), machine)
    await vice.start()
    await page.evaluate((machine) => window.bridgedeck.machine.connect({ machine }), machine)
    await untilLive(page, machine)
    await button('Take back').click()
    await unwritten.waitFor({ state: 'detached' })
    await expect.poll(() => button('Undo').getAttribute('aria-disabled')).toBe('true')
  })
})
