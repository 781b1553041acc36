import { Search } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Space } from '@shared/contract/memory'
import { frames, useFrameWish } from '../../frames/frames'
import { ActionButton } from '../../client/ActionButton'
import { useFrontMachine, useFrontName, useLack } from '../../client/machines'
import { moveCursorTo, useCursor } from '../../client/memoryCursor'
import { NotHere } from '../../client/NotHere'
import type { ViewProps } from '../../client/view'
import { useChosen } from '../../client/chosen'
import { oneOf, useViewState } from '../../client/viewState'
import { Bytes, type BytesHandle } from './Bytes'
import { useMemoryCommands } from './commands'
import { FailedEdits } from './FailedEdits'
import { GotoField, type GotoHandle } from './GotoField'
import { HeatMap, type HeatMapHandle } from './heatMap/HeatMap'
import { heatNow, useAccessesTold } from './heatKind'
import { heatLimit } from './heatLimit'
import { selectedRange, type Selection } from './hexGrid/selection'
import { FollowChoice, HistoryButtons, MoreTools } from './MemoryTools'
import { placesNow } from '../../frames/places'
import { SearchPanel } from './search/SearchPanel'
import { useSearch } from './search/search'
import { SidePane } from './SidePane'
import { SpaceChoice } from './SpaceChoice'
import { spaceRange } from './spaceRange'
import { StatusLine } from './StatusLine'
import { useFollowing } from './useFollowing'
import { useHistory } from './useHistory'
import { useSidePanes } from './useSidePanes'
import { useTextColumn } from './useTextColumn'
import './memory.css'

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
  const grid = useRef<BytesHandle>(null)
  const goto = useRef<GotoHandle>(null)
  const history = useHistory(machine)
  const column = useTextColumn(visible)
  const told = useAccessesTold()
  const limitOfHeat = (kind: string) => heatLimit(kind, told, space)
  const heatKind = limitOfHeat(chosenHeat) === null ? chosenHeat : 'changes'
  const [selection, setSelection] = useState<Selection | null>(null)
  const side = useSidePanes(() => grid.current?.focus())
  const [heldFrom, setHeldFrom] = useState<number | null>(null)

  const ramOf = (of: Space) => (of === 'ram' && ramLimit !== null ? 'cpu' : of)
  useFrameWish(visible, [space, ...side.panes.map((pane) => ramOf(pane.space))])
  useFollowing({ visible, follow, space, range, grid, map })
  useEffect(() => {
    grid.current?.reveal(cursor)
    map.current?.reveal(cursor)
    // A jump reveals the cursor; scrolling away from it afterwards must not bring it back.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
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
      openPane: () => side.open(cursor),
      openZeroPage: side.openZeroPage,
      closePane: side.closeLast,
      nextPane: side.focusNext,
    },
    panes,
  )

  const heat = useCallback(() => heatNow(space, heatKind, heldFrom), [space, heatKind, heldFrom])
  const heatBeside = useCallback(
    (of: Space) => heatNow(of, heatLimit(chosenHeat, told, of) === null ? chosenHeat : 'changes', heldFrom),
    [chosenHeat, told, heldFrom],
  )
  const places = useCallback(() => placesNow(space), [space])
  const hover = useCallback(() => map.current?.hover ?? null, [])
  const shownInGrid = useCallback(() => grid.current?.window ?? range, [range])

  const goTo = (to: number) => {
    if (to < range.start || to >= range.end) setSpace('cpu')
    moveCursorTo(to)
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
            onMenu={(event, at) => grid.current?.openMenu(event, at)}
          />
          <div className="memory-bytes" data-views={side.panes.length + 1} onFocusCapture={side.onFocus}>
            <Bytes
              ref={grid}
              visible={visible}
              label="Memory. Type two hex digits to change a byte."
              isPanelFocus={side.focusedId === 0}
              machine={machine}
              space={space}
              range={range}
              heat={heat}
              text={column.text}
              columns={null}
              cursor={cursor}
              selection={selection}
              history={history}
              onCursor={(to) => useCursor.setState({ address: to })}
              onSelect={setSelection}
            />
            {side.panes.map((pane) => (
              <SidePane
                key={pane.id}
                ref={side.refOf(pane.id)}
                visible={visible}
                machine={machine}
                isPanelFocus={side.focusedId === pane.id}
                pane={{ ...pane, space: ramOf(pane.space) }}
                ramLimit={ramLimit}
                heat={heatBeside}
                text={column.text}
                selection={side.selections[pane.id] ?? null}
                history={history}
                onChange={(change) => side.change(pane.id, change)}
                onSelect={(next) => side.select(pane.id, next)}
                onClose={() => side.close(pane.id)}
              />
            ))}
          </div>
          <StatusLine
            visible={visible}
            space={space}
            heatKind={heatKind}
            cursor={cursor}
            selected={selectedRange(selection, cursor)}
            hover={hover}
          />
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
