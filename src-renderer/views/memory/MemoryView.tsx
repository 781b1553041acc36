import { Search } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState, type MouseEvent } from 'react'
import { parseHexBytes } from '@shared/c64/address'
import { AppError } from '@shared/contract/errors'
import { frames, useFrameWish } from '../../frames/frames'
import { ActionButton } from '../../client/ActionButton'
import { openByteMenu } from '../../client/byteMenu'
import { namesNow } from '../../client/labels'
import { useFrontMachine, useFrontName, useLack } from '../../client/machines'
import { attempt, notify, reportError } from '../../client/messages'
import { moveCursorTo, useCursor } from '../../client/memoryCursor'
import { NotHere } from '../../client/NotHere'
import type { ViewProps } from '../../client/view'
import { useChosen } from '../../client/chosen'
import { oneOf, useViewState } from '../../client/viewState'
import { useMemoryCommands } from './commands'
import { speakByte } from './describe'
import { hasOverlays, overlayAt, redo, undo, useEdits, writeBytes } from './edits'
import { FailedEdits } from './FailedEdits'
import { GotoField, type GotoHandle } from './GotoField'
import { HeatMap, type HeatMapHandle } from './heatMap/HeatMap'
import { heatNow, useAccessesTold } from './heatKind'
import { heatLimit } from './heatLimit'
import { HexGrid, type HexGridHandle } from './hexGrid/HexGrid'
import { editText, historyLimit } from './history'
import { FollowChoice, HistoryButtons, MoreTools } from './MemoryTools'
import { placesNow } from '../../frames/places'
import { SearchPanel } from './search/SearchPanel'
import { useSearch } from './search/search'
import { spaceRange, SpaceChoice } from './SpaceChoice'
import { StatusLine } from './StatusLine'
import { useFollowing } from './useFollowing'
import { useTextColumn } from './useTextColumn'
import './memory.css'

/** The map of what changes beside the bytes themselves, which can be edited in place. */
export function MemoryView({ visible }: ViewProps) {
  const lack = useLack('readMemory')
  return lack === null ? <Memory visible={visible} /> : <NotHere what="memory" why={lack} />
}

const isOpen = oneOf(false, true)

function Memory({ visible }: ViewProps) {
  const machine = useFrontName()
  const ramLimit = useFrontMachine()?.capabilities.ramUnderRom ?? null
  const [chosenSpace, setSpace] = useChosen('memory.space')
  const [chosenHeat] = useChosen('memory.heat')
  const [follow] = useChosen('memory.follow')
  const space = chosenSpace === 'ram' && ramLimit !== null ? 'cpu' : chosenSpace
  const range = spaceRange(space)
  const { address, jumps } = useCursor()
  const cursor = Math.min(range.end - 1, Math.max(range.start, address))
  const map = useRef<HeatMapHandle>(null)
  const grid = useRef<HexGridHandle>(null)
  const goto = useRef<GotoHandle>(null)
  const history = useHistory(machine)
  const column = useTextColumn(visible)
  const told = useAccessesTold()
  const limitOfHeat = (kind: string) => heatLimit(kind, told, space)
  const heatKind = limitOfHeat(chosenHeat) === null ? chosenHeat : 'changes'
  const [heldFrom, setHeldFrom] = useState<number | null>(null)

  useFrameWish(visible, [space])
  useFollowing({ visible, follow, space, range, grid, map })
  useEffect(() => {
    grid.current?.reveal(cursor)
    map.current?.reveal(cursor)
    // A jump reveals the cursor; scrolling away from it afterwards must not bring it back.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [jumps])
  const panes = useRef<HTMLDivElement>(null)
  const [, setSearchPart] = useChosen('memory.searchPart')
  const [searchIsOpen, setSearchIsOpen] = useViewState('memory.search', isOpen)
  const search = () => {
    setSearchIsOpen(true)
    useSearch.setState(({ opened }) => ({ opened: opened + 1 }))
  }
  const closeSearch = () => {
    setSearchIsOpen(false)
    grid.current?.focus()
  }
  useMemoryCommands(
    {
      undo: history.undo,
      redo: history.redo,
      askAddress: () => goto.current?.focus(),
      search,
      showLabels: () => {
        setSearchPart('labels')
        search()
      },
      goTo: (text) => goto.current?.go(text),
    },
    panes,
  )

  const heat = useCallback(() => heatNow(space, heatKind, heldFrom), [space, heatKind, heldFrom])
  const places = useCallback(() => placesNow(space), [space])
  const overlays = useMemo(
    () => ({ any: hasOverlays, at: (at: number) => overlayAt(machine, space, at) }),
    [machine, space],
  )
  const describe = useCallback(
    (at: number) => speakByte(placesNow(space), at, frames.image(space)[at] ?? 0, namesNow()),
    [space],
  )
  const hover = useCallback(() => map.current?.hover ?? null, [])
  const shownInGrid = useCallback(() => grid.current?.window ?? range, [range])

  const goTo = (to: number) => {
    if (to < range.start || to >= range.end) setSpace('cpu')
    moveCursorTo(to)
  }
  const write = (at: number, bytes: Uint8Array) => void writeBytes({ machine, space, address: at, after: bytes })
  const openMenu = (event: MouseEvent, at: number, place?: { x: number; y: number }) => {
    const image = frames.image(space)
    const [value, high] = [image[at], image[at + 1]]
    const pointsTo = value === undefined || high === undefined ? undefined : value | (high << 8)
    openByteMenu(event, { address: at, space, value, pointsTo, isInMemory: true }, { place })
  }
  const paste = (pasted: string) => {
    try {
      write(cursor, parsePasted(pasted, range.end - cursor))
    } catch (error) {
      reportError(error)
    }
  }

  return (
    <>
      <div className="toolbar">
        <GotoField ref={goto} cursor={address} onGo={goTo} onLeave={() => grid.current?.focus()} />
        <SpaceChoice space={space} ramLimit={ramLimit} />
        <FollowChoice />
        <MoreTools
          column={column}
          limitOfHeat={limitOfHeat}
          isHeld={heldFrom !== null}
          onHold={(holds) => setHeldFrom(holds ? frames.changeTime : null)}
        />
        <ActionButton id="memory.search" label="Search memory" icon={Search} pressed={searchIsOpen} />
        <HistoryButtons history={history} />
      </div>
      <FailedEdits />
      <div ref={panes} className="memory">
        <div className="memory-panes">
          <HeatMap
            ref={map}
            visible={visible}
            label="Map of memory. Arrow keys move the cursor, plus and minus zoom, Enter goes to the bytes."
            space={space}
            range={range}
            places={places}
            heat={heat}
            cursor={cursor}
            shownInGrid={shownInGrid}
            onCursor={moveCursorTo}
            onEnter={() => grid.current?.focus()}
            onMenu={openMenu}
          />
          <HexGrid
            ref={grid}
            visible={visible}
            label="Memory. Type two hex digits to change a byte."
            space={space}
            range={range}
            heat={heat}
            text={column.text}
            cursor={cursor}
            overlays={overlays}
            describe={describe}
            onCursor={(to) => useCursor.setState({ address: to })}
            onType={(at, value) => write(at, Uint8Array.of(value))}
            onPaste={paste}
            onUndo={history.undo}
            onRedo={history.redo}
            onMenu={openMenu}
          />
          <StatusLine visible={visible} space={space} heatKind={heatKind} cursor={cursor} hover={hover} />
        </div>
      </div>
      {searchIsOpen ? (
        <SearchPanel
          visible={visible}
          space={space}
          onGo={goTo}
          onOpen={() => grid.current?.focus()}
          onClose={closeSearch}
        />
      ) : null}
    </>
  )
}

/** Undo and redo of edits, and why they cannot be done now. */
function useHistory(machine: string) {
  const { done, undone } = useEdits()
  const undoLimit = historyLimit(done.at(-1), machine, 'Nothing to undo.')
  const redoLimit = historyLimit(undone.at(-1), machine, 'Nothing to redo.')
  const [last, lastUndone] = [done.at(-1), undone.at(-1)]
  return {
    undoLimit,
    redoLimit,
    undoText: last ? `Undo ${editText(last)}` : null,
    redoText: lastUndone ? `Redo ${editText(lastUndone)}` : null,
    undo: () => (undoLimit === null ? attempt(undo) : notify(undoLimit)),
    redo: () => (redoLimit === null ? attempt(redo) : notify(redoLimit)),
  }
}

/** Throws INVALID for what is not hexadecimal or does not fit. */
function parsePasted(pasted: string, room: number): Uint8Array {
  const bytes = parseHexBytes(pasted)
  if (bytes.length > room)
    throw new AppError('INVALID', `${bytes.length} bytes do not fit between the cursor and the end of this memory.`)
  return bytes
}
