import { AppError } from '@shared/contract/errors'
import type { SpriteArt } from '@shared/graphics/artwork'
import { spriteAt } from '@shared/graphics/grab'
import { create } from 'zustand'
import { chosenNow } from '../../client/chosen'
import { openInEditor } from '../../client/edited'
import { frontMachine } from '../../client/machines'
import { notify } from '../../client/messages'
import { showView } from '../../client/navigation'
import { addToSheet } from '../../client/sheet'
import { graphicsImageNow } from '../../frames/graphicsImage'
import { spriteUses } from '../../frames/spriteUses'
import { lookFor, sharedColoursNow } from './browserOptions'

interface SelectedBlocks {
  /** In the order of the grid; of cells with several sprites all of them. */
  readonly addresses: readonly number[]
  /** Sprites a row. */
  readonly columns: number
  readonly areOverlays: boolean
}

/** What is chosen in the browser. */
export const useSelectedBlocks = create<SelectedBlocks>(() => ({ addresses: [], columns: 1, areOverlays: false }))

function imageOrRefuse() {
  const image = graphicsImageNow((frontMachine()?.capabilities.ramUnderRom ?? null) === null ? 'ram' : 'cpu')
  const { addresses } = useSelectedBlocks.getState()
  if (!image || addresses.length === 0)
    throw new AppError('CONFLICT', 'No sprite is selected.', { hint: 'Select blocks in the Sprite browser.' })
  return image
}

/** Copies what is chosen, as it is now. */
export function keepSelected(): void {
  const image = imageOrRefuse()
  const { addresses, areOverlays } = useSelectedBlocks.getState()
  const shared = sharedColoursNow(image)
  const asSeen = chosenNow('spriteBrowser.memory') === 'vic'
  const sprites = addresses.map((address, n): SpriteArt => {
    const look = lookFor(spriteUses.all.get(address)?.look, shared.background)
    return { ...spriteAt(image, address, look, asSeen), overlay: areOverlays && n % 2 === 1 }
  })
  addToSheet({ kind: 'sprites', name: 'Sheet', sprites, animations: [], ...shared })
  notify(`Kept ${sprites.length === 1 ? 'a sprite' : `${sprites.length} sprites`} in the sheet.`, null, {
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
