/**
 * 64 KiB as 1,024 sprites, all of them changed in each frame: compared, measured and painted as the sprite browser does, and
 * drawn by the window itself, over a program that changes a byte of each.
 */
import { SPRITE_HEIGHT, SPRITE_WIDTH } from '@shared/c64/sprites'
import { paintBlock } from '@shared/graphics/blockPainter'
import { BrowsedBlocks } from '@shared/graphics/browsedBlocks'
import type { Locator, Page } from 'playwright'
import { launchApp, untilLive } from '../support/launchApp'
import { percentile, type Row } from './row'

const BLOCKS = 1024
const BLOCK_BYTES = 64
const FRAMES = 500
const COLUMNS = 32
const TARGET_MS = 4
const WATCHED_MS = 10_000

export default async function spriteBrowser(): Promise<Row[]> {
  return [paintedRow(), ...(await inTheWindow())]
}

function paintedRow(): Row {
  const memory = Uint8Array.from({ length: 0x10000 }, (_, at) => (Math.imul(at, 0x9e3779b1) >>> 24) & 0xff)
  const blocks = new BrowsedBlocks({ start: 0, end: 0x10000, stride: BLOCK_BYTES })
  const width = COLUMNS * SPRITE_WIDTH
  const words = new Uint32Array(width * SPRITE_HEIGHT * (blocks.count / COLUMNS))
  const source = { memoryOf: () => memory, offsetOf: (address: number) => address }
  const dirty = new Uint8Array(256).fill(1)
  const times = Array.from({ length: FRAMES }, (_, frame) => {
    for (let at = 0; at < memory.length; at += BLOCK_BYTES) memory[at] = frame
    const started = performance.now()
    blocks.update(source, dirty)
    for (let block = 0; block < blocks.count; block++) {
      if (!blocks.hasChanged(block)) continue
      const at = Math.floor(block / COLUMNS) * SPRITE_HEIGHT * width + (block % COLUMNS) * SPRITE_WIDTH
      paintBlock({ words, width }, at, memory, blocks.addressOf(block), [1, 2, 3, 4])
    }
    return performance.now() - started
  })
  return timeRow('sprite browser 1,024 blocks redrawn', times, 'without putting it on the canvas')
}

/** As it opens, and so small that all blocks are in sight. */
async function inTheWindow(): Promise<Row[]> {
  const { page, close } = await launchApp({ args: ['--size=1920x1200', '--view=spriteBrowser'] })
  try {
    await untilLive(page)
    await runTouchingAll(page)
    const grid = page.locator('[data-panel="spriteBrowser"]').getByRole('listbox')
    await grid.focus()
    const asItOpens = await drawnRow('the same in the window, as it opens', page, grid)
    await page.keyboard.press('-') // 1x
    return [asItOpens, await drawnRow('the same in the window, all blocks in sight', page, grid)]
  } finally {
    await close()
  }
}

/** What each frame's drawing takes of the window's thread. */
async function drawnRow(name: string, page: Page, grid: Locator): Promise<Row> {
  const times = await page.evaluate(async (watched) => {
    const request = window.requestAnimationFrame.bind(window)
    const times: number[] = []
    window.requestAnimationFrame = (draw) =>
      request((time) => {
        const started = performance.now()
        draw(time)
        times.push(performance.now() - started)
      })
    await new Promise((done) => setTimeout(done, watched))
    window.requestAnimationFrame = request
    return times
  }, WATCHED_MS)
  const rows = await grid.locator('.pixel-grid-label').count()
  const rate = (times.length * 1_000) / WATCHED_MS
  return timeRow(name, times, `${rows} rows in sight; drawn ${rate.toFixed(0)} times a second`)
}

/** A program in the built-in C64 that changes a byte of every block, but for its own, three times a frame. */
async function runTouchingAll(page: Page): Promise<void> {
  const start = 0x0800
  const [SEI, LDA, STA_ZERO_PAGE, INC, JMP] = [0x78, 0xa9, 0x85, 0xee, 0x4c]
  const loop = start + 5
  const end = loop + BLOCKS * 3 + 3
  const touched = Array.from({ length: BLOCKS }, (_, block) => block * BLOCK_BYTES + 10).filter(
    (address) => address + BLOCK_BYTES <= start || address >= end,
  )
  const increments = touched.flatMap((address) => [INC, address & 0xff, address >> 8])
  // $01 = $34 is RAM everywhere.
  const bytes = [SEI, LDA, 0x34, STA_ZERO_PAGE, 0x01, ...increments, JMP, loop & 0xff, loop >> 8]
  await page.evaluate(
    async ({ start, bytes }) => {
      const { machine, memory } = window.bridgedeck
      const results = [
        await machine.pause({ machine: 'builtin' }),
        await memory.write({ machine: 'builtin', space: 'ram', address: start, bytes: Uint8Array.from(bytes) }),
        await memory.setRegister({ machine: 'builtin', name: 'PC', value: start }),
        await machine.resume({ machine: 'builtin' }),
      ]
      for (const result of results) if (!result.ok) throw new Error(result.error.message)
    },
    { start, bytes },
  )
}

function timeRow(name: string, times: readonly number[], note: string): Row {
  const value = percentile(times, 0.5)
  return {
    name,
    value,
    unit: 'ms',
    target: `under ${TARGET_MS} ms`,
    met: value < TARGET_MS,
    note: `p95 ${percentile(times, 0.95).toFixed(1)} ms; ${note}`,
  }
}
