import { formatAddress } from '@shared/c64/address'
import { AppError, toFailure } from '@shared/contract/errors'
import type { Artwork } from '@shared/graphics/artwork'
import { artworkText } from '@shared/graphics/artworkText'
import { changesFor, type MemoryChange } from '@shared/graphics/memoryChanges'
import { frontMachine, limitOf } from '../client/machines'
import { notify } from '../client/messages'
import { showView } from '../client/navigation'
import { writeWithUndo } from '../client/replaceMemory'
import { addToSheet } from '../client/sheet'
import { graphicsImageNow } from './graphicsImage'
import { requireLive } from './shownMoment'
import { spriteMemoryNow } from './sprites'

export const ADDRESS_FIELD = 'address'

export function keepArtworks(artworks: readonly Artwork[]): void {
  addToSheet(...artworks)
  notify(`Kept in the sheet: ${artworks.map(artworkText).join(', ')}.`, null, {
    label: 'Show sheet',
    run: () => void showView('sheet'),
  })
}

/**
 * The message offers to undo it.
 * @param at where its data goes; null for where the VIC-II has it, with colours and mode
 * @throws AppError, with the field of the address where that is wrong
 */
export async function writeArtwork(artwork: Artwork, at: number | null): Promise<void> {
  const state = frontMachine()
  const limit = limitOf(state, 'writeMemory')
  if (!state || limit !== null) throw new AppError('UNSUPPORTED', limit ?? 'No machine is chosen.')
  requireLive()
  const changes = plannedChanges(artwork, at)
  const ram = spriteMemoryNow()
  const runs = changes.map((change) => ({ ...change, space: change.space === 'ram' ? ram : change.space }))
  const { machine, title } = state
  const start = formatAddress(changes[0]?.address ?? 0)
  await writeWithUndo(machine, runs, `Wrote ${artworkText(artwork)} to ${title} at ${start}.`)
}

function plannedChanges(artwork: Artwork, at: number | null): MemoryChange[] {
  const image = graphicsImageNow()
  if (!image) throw new AppError('BUSY', 'The machine’s memory is not known yet. Try again in a moment.')
  try {
    return changesFor(artwork, image, at ?? undefined)
  } catch (error) {
    const { code, message } = toFailure(error)
    throw new AppError(code, message, {
      hint: at === null ? 'Type the address where its data goes.' : 'Type another address.',
      details: { field: ADDRESS_FIELD },
    })
  }
}
