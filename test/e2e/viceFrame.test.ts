/** The sprites and splits of a frame of a real VICE, in the window. */
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { multiplexer, plexData, PLEX_DATA, START } from '../support/multiplexer'
import { lacks } from '../support/parts'
import { launchOnVice } from './viceWindow'

describe.skipIf(lacks('electron', 'vice', 'xvfb'))('a frame of VICE, in the window', () => {
  let page: Page
  let machine: string
  launchOnVice('sprites', (launched) => {
    ;({ page, machine } = launched)
  })

  it('has the 24 sprites of a multiplexer, and says what reading it cost', async () => {
    await page.evaluate(
      async ([machine, pieces, pc]) => {
        const { memory } = window.bridgedeck
        for (const [address, bytes] of pieces)
          await memory.write({ machine, space: 'cpu', address, bytes: Uint8Array.from(bytes) })
        await memory.setRegister({ machine, name: 'PC', value: pc })
      },
      [
        machine,
        [
          [PLEX_DATA, plexData()],
          [START, multiplexer()],
        ] as const,
        START,
      ] as const,
    )
    const sprites = page.locator('[data-panel="sprites"]')
    await sprites.getByRole('radio', { name: 'Over a frame' }).click()
    await expect
      .poll(async () => {
        await sprites.getByRole('button', { name: 'Read a frame' }).click()
        await sprites.getByText(/The machine was held \d+ times, \d+ ms altogether/).waitFor()
        return sprites.getByRole('listitem').count()
      })
      .toBe(24)
  })
})
