import { counted } from '@shared/countedText'
import { AppError } from '@shared/contract/errors'
import { formatAddress } from '@shared/c64/address'
import { SPRITE_BYTES, type SpriteArt, type SpriteSheet } from '@shared/graphics/artwork'
import { spriteAt } from '@shared/graphics/grab'
import { create } from 'zustand'
import type { ExportSubject } from '../../client/artworkSources'
import { chosenNow } from '../../client/chosen'
import { openInEditor } from '../../client/edited'
import { requireFront } from '../../client/machineControl'
import { notify } from '../../client/messages'
import { showView } from '../../client/navigation'
import { writeWithUndo } from '../../client/replaceMemory'
import { addToSheet } from '../../client/sheet'
import { useSpriteClipboard } from '../../client/spriteClipboard'
import { requireLive } from '../../frames/shownMoment'
import { graphicsImageNow } from '../../frames/graphicsImage'
import { spriteUses } from '../../frames/spriteUses'
import { spriteMemoryNow } from '../../frames/sprites'
import { lookFor, sharedColoursNow } from './browserOptions'

interface SelectedBlocks {
  /** In the order of the grid; of cells with several sprites all of them. */
  readonly addresses: readonly number[]
  readonly columns: number
  readonly areOverlays: boolean
}

export const useSelectedBlocks = create<SelectedBlocks>(() => ({ addresses: [], columns: 1, areOverlays: false }))

function imageOrRefuse() {
  const image = graphicsImageNow()
  const { addresses } = useSelectedBlocks.getState()
  if (!image || addresses.length === 0)
    throw new AppError('CONFLICT', 'No sprite is selected.', { hint: 'Select blocks in the Sprite browser.' })
  return image
}

function selectedArt(): Omit<SpriteSheet, 'animations'> {
  const image = imageOrRefuse()
  const { addresses, areOverlays } = useSelectedBlocks.getState()
  const shared = sharedColoursNow(image)
  const asSeen = chosenNow('spriteBrowser.memory') === 'vic'
  const sprites = addresses.map((address, n): SpriteArt => {
    const look = lookFor(spriteUses.all.get(address)?.look, shared.background)
    return { ...spriteAt(image, address, look, asSeen), overlay: areOverlays && n % 2 === 1 }
  })
  return { kind: 'sprites', name: 'Sheet', sprites, ...shared }
}

export function selectedSubjects(): ExportSubject[] {
  const { addresses } = useSelectedBlocks.getState()
  if (addresses.length === 0 || !graphicsImageNow()) return []
  const art = { ...selectedArt(), animations: [] }
  const title = counted(art.sprites.length, 'selected sprite')
  return [
    { title, name: art.sprites.length === 1 ? `sprite-${art.sprites[0]?.name ?? ''}` : 'sprites', artworks: [art] },
  ]
}

export function copySelected(): void {
  useSpriteClipboard.setState({ sprites: selectedArt().sprites })
}

/** As many as there are of both, or all of them from a single chosen block on. */
export async function pasteSelected(): Promise<void> {
  requireLive()
  imageOrRefuse()
  const { sprites } = useSpriteClipboard.getState()
  const { addresses } = useSelectedBlocks.getState()
  const [first = 0] = addresses
  const places = addresses.length === 1 ? sprites.map((_, n) => first + n * 64) : addresses
  const space = spriteMemoryNow()
  const runs = sprites.flatMap(({ bytes }, n) => {
    const address = places[n]
    return address === undefined || address + SPRITE_BYTES > 0x10000 ? [] : [{ space, address, bytes }]
  })
  if (runs.length === 0) throw new AppError('CONFLICT', 'No sprite was copied.')
  await writeWithUndo(requireFront(), runs, `Wrote ${counted(runs.length, 'sprite')} at ${formatAddress(first)}.`)
}

export function keepSelected(): void {
  const art = selectedArt()
  const { sprites } = art
  addToSheet({ ...art, animations: [] })
  notify(`Kept ${counted(sprites.length, 'sprite')} in the sheet.`, null, {
    label: 'Show sheet',
    run: () => void showView('sheet'),
  })
}

export function editSelected(): void {
  const image = imageOrRefuse()
  const { addresses, columns, areOverlays } = useSelectedBlocks.getState()
  const [first = 0] = addresses
  const look = lookFor(spriteUses.all.get(first)?.look, sharedColoursNow(image).background)
  openInEditor({ kind: 'sprites', places: { in: 'machine', addresses }, columns, areOverlays, look })
}
