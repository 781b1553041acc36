import { useImperativeHandle, useMemo, useRef, useState } from 'react'
import type { KeyboardEvent, MouseEvent, Ref } from 'react'
import { formatAddress, type AddressRange } from '@shared/c64/address'
import { heldBy, heldText, isNamedLike, namedBytes, type NamedByte } from '@shared/c64/namedBytes'
import type { Space } from '@shared/contract/memory'
import { openByteMenu } from '../../../client/byteMenu'
import { isByKeyboard } from '../../../client/contextMenu'
import { useNames } from '../../../client/labels'
import { moveCursorTo } from '../../../client/memoryCursor'
import { frames, useFrameSummary } from '../../../frames/frames'
import { placesNow } from '../../../frames/places'
import { useRuns } from '../../../frames/useRuns'
import type { Heat } from '../../../widgets/heat'
import { ListBox } from '../../../widgets/ListBox'
import { useClock } from '../../../widgets/useClock'
import { overlayAt } from '../edits'
import type { EditHistory } from '../useHistory'
import { HeldField } from './HeldField'
import { NamedRow } from './NamedRow'
import { usePointers } from './usePointers'
import './names.css'

const ROW_PX = 18
const FADE_STEP_MS = 250
const NOTE_PX = 64

export interface NamesHandle {
  focus(): void
}

interface NamesProps {
  readonly ref: Ref<NamesHandle>
  readonly visible: boolean
  readonly label: string
  readonly isPanelFocus: boolean
  readonly machine: string
  readonly space: Space
  readonly range: AddressRange
  readonly filter: string
  readonly heat: () => Heat
  readonly cursor: number
  readonly history: EditHistory
  readonly onCursor: (address: number) => void
}

export function Names({ ref, visible, label, machine, space, range, filter, cursor, history, ...shown }: NamesProps) {
  useFrameSummary()
  // Changes go on fading even while no frames come.
  useClock(visible && !frames.stands, FADE_STEP_MS)
  const names = useNames()
  const places = placesNow(space)
  const pointers = usePointers(useRuns(visible && (space === 'cpu' || space === 'ram'), machine, space), space)
  const all = useMemo(() => namedBytes(range, { names, places, pointers }), [range, names, places, pointers])
  const rows = useMemo(
    () => (filter.trim() === '' ? all : all.filter((row) => isNamedLike(row, filter))),
    [all, filter],
  )
  const room = useRef<HTMLDivElement>(null)
  const [typing, setTyping] = useState<Typing | null>(null)
  const focus = () => room.current?.querySelector<HTMLElement>('[role=listbox]')?.focus()
  const endTyping = () => {
    setTyping(null)
    focus()
  }
  useImperativeHandle(ref, () => ({ focus }))

  const chosen = rows.find(({ address, length }) => cursor >= address && cursor < address + length)
  const image = frames.image(space)
  const read = (address: number): number => overlayAt(machine, space, address)?.value ?? image[address] ?? 0
  const wordAt = (address: number): number => read(address) | (read(address + 1) << 8)
  const type = (first: string) => {
    const [list, option] = [room.current, room.current?.querySelector('[aria-selected=true]')]
    if (!chosen || !list || !option) return
    const [{ top, bottom }, at] = [list.getBoundingClientRect(), option.getBoundingClientRect()]
    setTyping({
      row: chosen,
      first: first === '' ? heldText(chosen, heldBy(chosen, read)).slice(1) : first,
      top: at.top - top,
      isLowest: bottom - at.bottom < NOTE_PX,
    })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || typing !== null) return
    const action = keyAction(event, { chosen, history, type, goTo: (row) => moveCursorTo(wordAt(row.address)) })
    if (!action) return
    event.preventDefault()
    action()
  }
  const onMenu = (event: MouseEvent) => {
    const byKeyboard = isByKeyboard(event)
    const row = byKeyboard ? chosen : rowUnder(event, rows)
    if (!row) return
    const { address } = row
    shown.onCursor(address)
    const option = room.current?.querySelector('[aria-selected=true]')?.getBoundingClientRect()
    openByteMenu(
      event,
      { address, space, value: read(address), pointsTo: address < 0xffff ? wordAt(address) : undefined },
      byKeyboard && option ? { place: { x: option.left, y: option.bottom } } : {},
    )
  }
  if (!frames.known(space)) return <div className="names" />
  return (
    <div
      ref={room}
      className="names data"
      onKeyDown={onKeyDown}
      onContextMenu={onMenu}
      onDoubleClick={() => type('')}
      onScrollCapture={() => {
        if (typing !== null) endTyping()
      }}
    >
      <ListBox
        label={label}
        items={rows}
        keyOf={keyOf}
        chosen={chosen ? keyOf(chosen) : null}
        onChoose={({ address }) => shown.onCursor(address)}
        height={ROW_PX}
        isFirst={shown.isPanelFocus}
        render={(row) => (
          <NamedRow row={row} read={read} naming={{ names, places }} heat={shown.heat()} place={{ machine, space }} />
        )}
      />
      {typing === null ? null : (
        <HeldField {...typing} place={{ machine, space }} onDone={endTyping} onLeave={() => setTyping(null)} />
      )}
      {rows.length === 0 ? <p className="muted">No names match “{filter.trim()}”.</p> : null}
    </div>
  )
}

interface Typing {
  readonly row: NamedByte
  readonly first: string
  readonly top: number
  readonly isLowest: boolean
}

const keyOf = ({ address }: NamedByte): string => formatAddress(address)

const rowUnder = ({ target }: MouseEvent, rows: readonly NamedByte[]): NamedByte | undefined => {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-address]') : null
  return rows.find(({ address }) => String(address) === row?.dataset['address'])
}

interface KeyParts {
  readonly chosen: NamedByte | undefined
  readonly history: EditHistory
  readonly type: (first: string) => void
  readonly goTo: (row: NamedByte) => void
}

function keyAction(event: KeyboardEvent, { chosen, history, type, goTo }: KeyParts): (() => void) | undefined {
  const { key, ctrlKey, metaKey, shiftKey } = event
  if (ctrlKey || metaKey) {
    if (key.toLowerCase() === 'y' || (key.toLowerCase() === 'z' && shiftKey)) return history.redo
    return key.toLowerCase() === 'z' ? history.undo : undefined
  }
  if (!chosen) return undefined
  if (key === 'F2') return () => type('')
  if (key === 'Enter') return chosen.length === 2 ? () => goTo(chosen) : () => type('')
  return /^[\da-f]$/i.test(key) ? () => type(key) : undefined
}
