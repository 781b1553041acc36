/** What becomes of artwork that came from a file: kept in the sheet, written to the machine, edited. */
import { formatAddress } from '@shared/c64/address'
import { counted } from '@shared/countedText'
import { AppError, toFailure } from '@shared/contract/errors'
import { CHARACTER_BYTES, type Artwork } from '@shared/graphics/artwork'
import { artworkText } from '@shared/graphics/artworkText'
import { changesFor, type MemoryChange } from '@shared/graphics/memoryChanges'
import { openInEditor } from '../client/edited'
import { frontMachine, limitOf } from '../client/machines'
import { notify } from '../client/messages'
import { showView } from '../client/navigation'
import { writeWithUndo } from '../client/replaceMemory'
import { addToSheet, spritesOfSheet, useSheet } from '../client/sheet'
import { graphicsImageNow } from './graphicsImage'
import { requireLive } from './playback'
import { spriteMemoryNow } from './sprites'

/** The address that a person typed is wrong for this artwork. */
export const ADDRESS_FIELD = 'address'

const SHOWN_CHARACTERS = 256

export function keepArtworks(artworks: readonly Artwork[]): void {
  addToSheet(...artworks)
  notify(`Kept in the sheet: ${artworks.map(artworkText).join(', ')}.`, null, {
    label: 'Show sheet',
    run: () => void showView('sheet'),
  })
}

/**
 * Writes it to the machine in front; the message offers to undo that.
 * @param at where its data goes; null for where the VIC-II has it, with colours and mode
 * @throws AppError, with the field of the address where that is wrong
 */
export async function writeArtwork(artwork: Artwork, at: number | null): Promise<readonly MemoryChange[]> {
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
  return changes
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

/** Sprites join the sheet and are edited there; everything else is edited in the machine, and written there before. */
export async function editArtwork(artwork: Artwork, at: number | null): Promise<void> {
  if (artwork.kind === 'sprites') {
    editInSheet(artwork)
    return
  }
  const changes = await writeArtwork(artwork, at)
  if (artwork.kind !== 'characters') {
    openInEditor({ kind: artwork.kind })
    return
  }
  const count = Math.min(SHOWN_CHARACTERS, artwork.bytes.length / CHARACTER_BYTES)
  openInEditor({
    kind: 'characters',
    address: changes[0]?.address ?? 0,
    codes: Array.from({ length: count }, (_, code) => code),
    ...{ columns: Math.min(16, count), colour: artwork.colour },
  })
}

function editInSheet(artwork: Extract<Artwork, { kind: 'sprites' }>): void {
  addToSheet(artwork)
  const count = artwork.sprites.length
  const [look] = artwork.sprites
  const all = spritesOfSheet(useSheet.getState().artworks)?.sheet.sprites.length ?? 0
  if (!look || all < count) return
  notify(`Kept in the sheet: ${counted(count, 'sprite')}.`)
  openInEditor({
    ...{ kind: 'sprites', columns: Math.min(8, count), areOverlays: false, look },
    places: { in: 'sheet', indexes: Array.from({ length: count }, (_, n) => all - count + n) },
  })
}
