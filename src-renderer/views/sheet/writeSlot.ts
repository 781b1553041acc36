import { formatAddress } from '@shared/c64/address'
import { counted } from '@shared/countedText'
import type { MemoryRun } from '@shared/contract/memory'
import type { Artwork } from '@shared/graphics/artwork'
import { slotRuns, spriteRuns } from '@shared/graphics/slotRuns'
import { create } from 'zustand'
import { call } from '../../client/call'
import { requireFront } from '../../client/machineControl'
import { frontMachine } from '../../client/machines'
import { attempt, notify } from '../../client/messages'
import { requireLive } from '../../frames/playback'
import { chosen } from './sheetCommands'

/** Where in the machine artwork of the sheet is written. */
export const useSlot = create<{ readonly address: number }>(() => ({ address: 0x3000 }))

const space = (): 'ram' | 'cpu' => ((frontMachine()?.capabilities.ramUnderRom ?? null) === null ? 'ram' : 'cpu')

export async function writeSprites(): Promise<void> {
  const { sheet, indexes } = chosen()
  const sprites = indexes.flatMap((at) => sheet.sprites[at] ?? [])
  await writeRuns(spriteRuns(sprites, useSlot.getState().address, space()), counted(sprites.length, 'sprite'))
}

export async function writeArtwork(artwork: Artwork): Promise<void> {
  const runs = slotRuns(artwork, useSlot.getState().address, space())
  await writeRuns(runs, artwork.kind === 'bitmap' ? 'the bitmap without its colours' : artwork.name)
}

async function writeRuns(runs: readonly MemoryRun[], what: string): Promise<void> {
  requireLive()
  const machine = requireFront()
  const before: MemoryRun[] = []
  for (const { space, address, bytes } of runs) {
    const read = await call('memory.read', { machine, space, address, length: bytes.length })
    before.push({ space, address, bytes: read.bytes })
  }
  await call('memory.writeRuns', { machine, runs: [...runs] })
  notify(`Wrote ${what} at ${formatAddress(runs[0]?.address ?? 0)}.`, null, {
    label: 'Undo',
    run: () => attempt(() => call('memory.writeRuns', { machine, runs: before })),
  })
}
