import { AppError } from '../contract/errors'
import { formatAddress } from '../c64/address'
import type { MemoryRun } from '../contract/memory'
import type { Artwork, SpriteArt } from './artwork'

const SPRITE_STEP = 64
const COLOUR_RAM = 0xd800

export const spriteRuns = (sprites: readonly SpriteArt[], address: number, space: 'ram' | 'cpu'): MemoryRun[] =>
  withinMemory(sprites.map(({ bytes }, index) => ({ space, address: address + index * SPRITE_STEP, bytes })))

export function slotRuns(artwork: Artwork, address: number, space: 'ram' | 'cpu'): MemoryRun[] {
  if (artwork.kind === 'sprites') return spriteRuns(artwork.sprites, address, space)
  if (artwork.kind === 'characters') return withinMemory([{ space, address, bytes: artwork.bytes }])
  if (artwork.kind === 'bitmap') return withinMemory([{ space, address, bytes: artwork.bitmap }])
  const colours: MemoryRun = { space: 'colorRam', address: COLOUR_RAM, bytes: artwork.colours.slice(0, 0x400) }
  return withinMemory([{ space, address, bytes: artwork.codes }, colours])
}

function withinMemory(runs: MemoryRun[]): MemoryRun[] {
  const last = runs.find(({ address, bytes }) => address + bytes.length > 0x10000)
  if (last) throw new AppError('INVALID', `From ${formatAddress(runs[0]?.address ?? 0)} on this goes past $FFFF.`)
  return runs
}
