import { useCallback, useImperativeHandle, useMemo, useRef, useState, type MouseEvent, type Ref } from 'react'
import { parseHexBytes, type AddressRange } from '@shared/c64/address'
import { byteListings, bytesAs, listingTitles, type ByteListing } from '@shared/c64/bytesAs'
import { AppError } from '@shared/contract/errors'
import type { Space } from '@shared/contract/memory'
import { openByteMenu } from '../../client/byteMenu'
import { call } from '../../client/call'
import type { MenuEntry } from '../../client/contextMenu'
import { namesNow } from '../../client/labels'
import { useLack } from '../../client/machines'
import { attempt, reportError } from '../../client/messages'
import { shortcutText } from '../../client/shortcuts'
import { frames } from '../../frames/frames'
import { placesNow } from '../../frames/places'
import type { Heat } from '../../widgets/heat'
import { BlockForm, blockTitles, type AskedBlock, type BlockEdit } from './BlockForm'
import { speakByte } from './describe'
import { hasOverlays, overlayAt, writeBytes } from './edits'
import { HexGrid, type HexGridHandle } from './hexGrid/HexGrid'
import type { RowBytes, TextColumn } from './hexGrid/rows'
import { selectedRange, selectedText, type Selection } from './hexGrid/selection'
import type { EditHistory } from './useHistory'

export interface BytesHandle extends HexGridHandle {
  openMenu(event: MouseEvent, address: number, place?: { x: number; y: number }): void
}

interface BytesProps {
  readonly ref: Ref<BytesHandle>
  readonly visible: boolean
  readonly label: string
  readonly isPanelFocus: boolean
  readonly machine: string
  readonly space: Space
  readonly range: AddressRange
  readonly heat: () => Heat
  readonly text: TextColumn
  /** Bytes per row; null for as many as fit. */
  readonly columns: RowBytes | null
  readonly cursor: number
  readonly selection: Selection | null
  readonly history: EditHistory
  readonly onCursor: (address: number) => void
  readonly onSelect: (selection: Selection | null) => void
}

const blockEdits = ['fill', 'copy', 'move'] as const satisfies readonly BlockEdit[]

export function Bytes({ ref, history, ...shown }: BytesProps) {
  const { machine, space, range, cursor, selection } = shown
  const grid = useRef<HexGridHandle>(null)
  const [asked, setAsked] = useState<AskedBlock | null>(null)
  const cannotWrite = useLack('writeMemory')
  const selected = useMemo(() => selectedRange(selection, cursor), [selection, cursor])
  const chosen = selected ?? { start: cursor, end: cursor + 1 }

  const overlays = useMemo(
    () => ({ any: hasOverlays, at: (at: number) => overlayAt(machine, space, at) }),
    [machine, space],
  )
  const describe = useCallback(
    (at: number) => speakByte(placesNow(space), at, frames.image(space)[at] ?? 0, namesNow()),
    [space],
  )

  const write = (address: number, after: Uint8Array) => void writeBytes({ machine, space, address, after })
  const paste = (pasted: string) => {
    try {
      write(chosen.start, parsePasted(pasted, selected, range.end - cursor))
    } catch (error) {
      reportError(error)
    }
  }
  const copy = (listing: ByteListing) =>
    attempt(async () => {
      if (!frames.known(space)) throw new AppError('CONFLICT', 'These bytes have not been read yet.')
      const { start, end } = chosen
      await call('window.copyText', { text: bytesAs(listing, frames.image(space).slice(start, end), start) })
    })
  const itemsOf = (of: AddressRange, place: { x: number; y: number } | undefined): MenuEntry[] => [
    {
      label: 'Copy as',
      items: byteListings.map((listing) => ({
        label: listingTitles[listing],
        ...(listing === 'hex' ? { shortcut: shortcutText('CmdOrCtrl+C') } : {}),
        run: () => copy(listing),
      })),
    },
    ...blockEdits.map((edit) => ({
      label: `${blockTitles[edit]}…`,
      why: cannotWrite,
      run: () => setAsked({ edit, range: of, place: place ?? { x: 0, y: 0 } }),
    })),
  ]
  const openMenu = (event: MouseEvent, at: number, place?: { x: number; y: number }) => {
    const image = frames.image(space)
    const [value, high] = [image[at], image[at + 1]]
    const pointsTo = value === undefined || high === undefined ? undefined : value | (high << 8)
    const isOfSelected = selected !== null && at >= selected.start && at < selected.end
    const of = isOfSelected ? selected : { start: at, end: at + 1 }
    openByteMenu(
      event,
      { address: at, space, value, pointsTo, isInMemory: true },
      {
        place,
        extra: itemsOf(of, place ?? { x: event.clientX, y: event.clientY }),
        ...(isOfSelected ? { title: selectedText(of) } : {}),
      },
    )
  }

  useImperativeHandle(ref, () => ({
    focus: () => grid.current?.focus(),
    reveal: (address) => grid.current?.reveal(address),
    mark: (address) => grid.current?.mark(address),
    get window() {
      return grid.current?.window ?? range
    },
    openMenu,
  }))

  return (
    <>
      <HexGrid
        ref={grid}
        {...shown}
        overlays={overlays}
        describe={describe}
        onCopy={() => copy('hex')}
        onType={(at, value) => write(at, Uint8Array.of(value))}
        onPaste={paste}
        onUndo={history.undo}
        onRedo={history.redo}
        onMenu={openMenu}
      />
      {asked === null ? null : (
        <BlockForm
          asked={asked}
          memory={{ machine, space, range }}
          onClose={() => setAsked(null)}
          onReturn={() => grid.current?.focus()}
        />
      )}
    </>
  )
}

/**
 * @throws AppError INVALID for what is not hexadecimal, or more than what is selected or what memory has from the
 * cursor on
 */
function parsePasted(pasted: string, selected: AddressRange | null, room: number): Uint8Array {
  const bytes = parseHexBytes(pasted)
  if (selected !== null && bytes.length > selected.end - selected.start)
    throw new AppError(
      'INVALID',
      `${bytes.length} bytes do not fit into the ${selected.end - selected.start} that are selected.`,
      { hint: 'Select fewer bytes to paste from the cursor on: Escape ends the selection.' },
    )
  if (bytes.length > room)
    throw new AppError('INVALID', `${bytes.length} bytes do not fit between the cursor and the end of this memory.`)
  return bytes
}
