import { formatAddress } from '@shared/c64/address'
import { counted } from '@shared/countedText'
import type { MemoryRun } from '@shared/contract/memory'
import type { Artwork } from '@shared/graphics/artwork'
import { slotRuns, spriteRuns } from '@shared/graphics/slotRuns'
import { create } from 'zustand'
import { requireFront } from '../../client/machineControl'
import { writeWithUndo } from '../../client/replaceMemory'
import { requireLive } from '../../frames/shownMoment'
import { spriteMemoryNow } from '../../frames/sprites'
import { chosen } from './sheetCommands'

export const useSlot = create<{ readonly address: number }>(() => ({ address: 0x3000 }))

export async function writeSprites(): Promise<void> {
  const { sheet, indexes } = chosen()
  const sprites = indexes.flatMap((at) => sheet.sprites[at] ?? [])
  await writeRuns(spriteRuns(sprites, useSlot.getState().address, spriteMemoryNow()), counted(sprites.length, 'sprite'))
}

export async function writeArtwork(artwork: Artwork): Promise<void> {
  const runs = slotRuns(artwork, useSlot.getState().address, spriteMemoryNow())
  await writeRuns(runs, artwork.kind === 'bitmap' ? 'the bitmap without its colours' : artwork.name)
}

async function writeRuns(runs: readonly MemoryRun[], what: string): Promise<void> {
  requireLive()
  await writeWithUndo(requireFront(), runs, `Wrote ${what} at ${formatAddress(runs[0]?.address ?? 0)}.`)
}
