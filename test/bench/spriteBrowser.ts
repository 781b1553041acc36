/** 64 KiB as 1,024 sprites, all of them changed in each frame: compared, measured and painted as the sprite browser does, without the window. */
import { SPRITE_HEIGHT, SPRITE_WIDTH } from '@shared/c64/sprites'
import { paintBlock } from '@shared/graphics/blockPainter'
import { BrowsedBlocks } from '@shared/graphics/browsedBlocks'
import { percentile, type Row } from './row'

const FRAMES = 500
const COLUMNS = 32
const TARGET_MS = 4

export default function spriteBrowser(): Promise<Row[]> {
  const memory = Uint8Array.from({ length: 0x10000 }, (_, at) => (Math.imul(at, 0x9e3779b1) >>> 24) & 0xff)
  const blocks = new BrowsedBlocks({ start: 0, end: 0x10000, stride: 64 })
  const width = COLUMNS * SPRITE_WIDTH
  const words = new Uint32Array(width * SPRITE_HEIGHT * (blocks.count / COLUMNS))
  const source = { memoryOf: () => memory, offsetOf: (address: number) => address }
  const dirty = new Uint8Array(256).fill(1)
  const times = Array.from({ length: FRAMES }, (_, frame) => {
    for (let at = 0; at < memory.length; at += 64) memory[at] = frame
    const started = performance.now()
    blocks.update(source, dirty)
    for (let block = 0; block < blocks.count; block++) {
      if (!blocks.hasChanged(block)) continue
      const at = Math.floor(block / COLUMNS) * SPRITE_HEIGHT * width + (block % COLUMNS) * SPRITE_WIDTH
      paintBlock({ words, width }, at, memory, blocks.addressOf(block), [1, 2, 3, 4])
    }
    return performance.now() - started
  })
  const value = percentile(times, 0.5)
  return Promise.resolve([
    {
      ...{ name: 'sprite browser 1,024 blocks redrawn', value, unit: 'ms', target: `under ${TARGET_MS} ms` },
      met: value < TARGET_MS,
      note: `p95 ${percentile(times, 0.95).toFixed(1)} ms; without putting it on the canvas`,
    },
  ])
}
