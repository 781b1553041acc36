/** Sprites and splits of a whole frame in the window, by keyboard, on the built-in C64. */
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { palettes } from '@shared/c64/palettes'
import { unpackPixels } from '@shared/c64/picture'
import { multiplexer, plexData, PLEX_DATA, plexSprites, splitData, splitScreen, START } from '../support/multiplexer'
import { untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { SharedApp } from '../support/sharedApp'
import { shownPixels } from '../support/shownPicture'
import { axeProblems, chooseMenuItem } from './support'

describe.skipIf(lacks('electron', 'xvfb'))('a frame of the built-in C64', () => {
  const shared = new SharedApp()
  let running: RunningApp
  let page: Page
  beforeAll(async () => {
    running = await shared.open('--size=1280x800', '--view=sprites')
    page = running.page
    await untilLive(page)
  })
  afterAll(() => shared.close())
  const panel = (view: 'sprites' | 'pictures') => page.locator(`[data-panel="${view}"]`)

  /** Writes memory and lets the program at $C000 begin. */
  const run = (code: readonly number[], data: readonly { address: number; bytes: readonly number[] }[]) =>
    page.evaluate(
      async ([pieces, pc]) => {
        const { memory } = window.bridgedeck
        const answers = []
        for (const { address, bytes } of pieces)
          answers.push(await memory.write({ machine: 'builtin', space: 'cpu', address, bytes: Uint8Array.from(bytes) }))
        answers.push(await memory.setRegister({ machine: 'builtin', name: 'PC', value: pc }))
        for (const answer of answers) if (!answer.ok) throw new Error(answer.error.message)
      },
      [[...data, { address: START, bytes: code }], START] as const,
    )

  describe('the view Sprites', () => {
    it('says that the eight may not be all, finds the 24 of a multiplexer, and reads them again, by keyboard', async () => {
      await run(multiplexer(), [{ address: PLEX_DATA, bytes: plexData() }])
      await panel('sprites').getByText('which are all that one image of memory tells').waitFor()
      await panel('sprites').getByRole('radio', { name: 'Now' }).focus()
      await page.keyboard.press('ArrowRight')
      const overFrame = panel('sprites').getByRole('radio', { name: 'Over a frame' })
      await expect.poll(() => overFrame.evaluate((radio) => radio === document.activeElement)).toBe(true)
      await page.keyboard.press('Space')
      const cards = panel('sprites').getByRole('list', { name: 'Sprites of the frame' }).getByRole('listitem')
      await expect.poll(() => cards.count()).toBe(24)
      await panel('sprites').getByText('24 sprites shown over a frame.').waitFor()
      const sorted = [...plexSprites].sort((a, b) => a.y - b.y || a.n - b.n)
      for (const [index, { n, x, y }] of sorted.entries()) {
        const card = cards.nth(index)
        expect(await card.getAttribute('aria-label')).toBe(`Sprite ${n}, lines ${y + 1} to ${y + 21}`)
        expect(await card.textContent()).toContain(`x ${x}  y ${y}`)
      }
      await run([...multiplexer(), 0], [])
      await panel('sprites').getByRole('button', { name: 'Read a frame' }).focus()
      await page.keyboard.press('Enter')
      await expect.poll(() => cards.count()).toBe(24)
      expect(await axeProblems(page)).toEqual([])
    })

    it('says what each of the eight collides with now', async () => {
      await panel('sprites').getByRole('radio', { name: 'Now' }).click()
      const idle = [0x4c, START & 0xff, START >> 8]
      const together = Uint8Array.from({ length: 16 }, (_, at) => (at % 2 === 0 ? 100 : at < 4 ? 150 : 60 + 10 * at))
      await run(idle, [])
      await run(idle, [
        { address: 0xd000, bytes: [...together, 0] },
        { address: 0xd015, bytes: [3] },
      ])
      const first = panel('sprites').getByRole('listitem', { name: 'Sprite 0', exact: true })
      await first.getByText('collides with sprite 1').waitFor()
      await panel('sprites')
        .getByText(/Latched since the program last read them: \$D01E .*0 1/)
        .waitFor()
    })
  })

  describe('the view Screens and bitmaps', () => {
    it('draws a split screen as the machine does, with its bands', async () => {
      await run(splitScreen(), [{ address: 0xd015, bytes: [0] }, ...Object.values(splitData)])
      await chooseMenuItem(running, 'view.pictures')
      await panel('pictures').getByText('Frame draws it from line to line').waitFor()
      await panel('pictures').getByRole('radio', { name: 'Frame' }).click()
      const bands = panel('pictures').getByRole('group', { name: 'Bands of the frame' })
      await bands.getByText(/multicolour bitmap, screen \$5C00, bitmap \$6000/).waitFor()
      await bands.getByText(/^text, screen \$0400, characters \$1000 \(ROM\), background blue/).waitFor()
      const { pixels } = await page.evaluate(async () => {
        const result = await window.bridgedeck.memory.picture({ machine: 'builtin' })
        if (!result.ok) throw new Error(result.error.message)
        return { pixels: [...result.data.pixels] }
      })
      const machine = [...unpackPixels(Uint8Array.from(pixels))].map((colour) => palettes.pepto[colour])
      const shown = await shownPixels(page)
      // Where the program waits for a line in a loop, it changes the registers a line earlier or later.
      expect(shown.filter((pixel, at) => pixel !== machine[at]).length).toBeLessThanOrEqual(2 * 384 * 2)
      expect(await axeProblems(page)).toEqual([])
      await panel('pictures').getByRole('radio', { name: 'Picture', exact: true }).click()
      await panel('pictures')
        .getByText(/splits at lines .*17\d/)
        .waitFor()
    })
  })
})
