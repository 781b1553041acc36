import { Redo2, Undo2 } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { parseHexBytes } from '@shared/c64/address'
import { AppError } from '@shared/contract/errors'
import { frames, useDraw, useFrameWish } from '../../frames/frames'
import { useFrontMachine, useFrontName, useLack } from '../../client/machines'
import { attempt, notify, reportError } from '../../client/messages'
import { NotHere } from '../../client/NotHere'
import { shortcutOf } from '../../client/shortcuts'
import { oneOf, useViewState } from '../../client/viewState'
import type { ViewProps } from '../../client/view'
import { Button } from '../../widgets/Button'
import { HeatMap, type HeatMapHandle } from './heatMap/HeatMap'
import { HexGrid, type HexGridHandle } from './hexGrid/HexGrid'
import type { TextColumn } from './hexGrid/rows'
import { IconButton } from '../../widgets/IconButton'
import { Tip } from '../../widgets/Tip'
import { moveCursorTo, readSpace, useCursor } from '../../client/memoryCursor'
import { speakByte } from './describe'
import { hasOverlays, overlayAt, redo, undo, useEdits, writeBytes } from './edits'
import { historyLimit } from './history'
import { FailedEdits } from './FailedEdits'
import { newestChange, programCounter, type Follow } from './follow'
import { useMemoryCommands } from './commands'
import { GotoField, type GotoHandle } from './GotoField'
import { heatNow, readHeatKind, useHasAccesses } from './heatKind'
import { placesNow, SCREEN_AFTER_POWER_ON, screenNow } from './places'
import { spaceRange, SpaceChoice } from './SpaceChoice'
import { StatusLine } from './StatusLine'
import './memory.css'

const readTextKind = oneOf<TextColumn['kind']>('auto', 'petscii', 'screen')
const readSet = oneOf<'upper' | 'lower'>('upper', 'lower')
const readFollow = oneOf<Follow>('nothing', 'pc', 'change')

/** Following scrolls, and the screen's place is looked for, at most this often, ms. */
const INTERVAL_MS = 100

/** The map of what changes beside the bytes themselves, which can be edited in place. */
export function MemoryView({ visible }: ViewProps) {
  const lack = useLack('readMemory')
  return lack === null ? <Memory visible={visible} /> : <NotHere what="memory" why={lack} />
}

function Memory({ visible }: ViewProps) {
  const machine = useFrontName()
  const ramLimit = useFrontMachine()?.capabilities.ramUnderRom ?? null
  const [chosenSpace, setSpace] = useViewState('memory.space', readSpace)
  const [textKind, setTextKind] = useViewState('memory.text', readTextKind)
  const [set, setSet] = useViewState('memory.characterSet', readSet)
  const [chosenHeat, setHeatKind] = useViewState('memory.heat', readHeatKind)
  const [follow, setFollow] = useViewState('memory.follow', readFollow)
  const space = chosenSpace === 'ram' && ramLimit !== null ? 'cpu' : chosenSpace
  const range = spaceRange(space)
  const { address, jumps } = useCursor()
  const cursor = Math.min(range.end - 1, Math.max(range.start, address))
  const map = useRef<HeatMapHandle>(null)
  const grid = useRef<HexGridHandle>(null)
  const goto = useRef<GotoHandle>(null)
  const { done, undone } = useEdits()

  useFrameWish(visible, [space])

  useEffect(() => {
    grid.current?.reveal(cursor)
    map.current?.reveal(cursor)
    // A jump reveals the cursor; scrolling away from it afterwards must not bring it back.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [jumps])

  const goTo = (to: number) => {
    const { start, end } = spaceRange(space)
    if (to < start || to >= end) setSpace('cpu')
    moveCursorTo(to)
  }
  const undoLimit = historyLimit(done.at(-1), machine, 'Nothing to undo.')
  const redoLimit = historyLimit(undone.at(-1), machine, 'Nothing to redo.')
  const undoLast = () => (undoLimit === null ? attempt(undo) : notify(undoLimit))
  const redoLast = () => (redoLimit === null ? attempt(redo) : notify(redoLimit))

  useMemoryCommands({
    undo: undoLast,
    askAddress: () => goto.current?.focus(),
    goTo: (text) => goto.current?.go(text),
  })

  const screen = useScreenPlace(visible && textKind === 'auto')
  const text = useMemo(() => ({ kind: textKind, set, screen }), [textKind, set, screen])
  const offersAccesses = useHasAccesses() && space === 'cpu'
  const heatKind = offersAccesses ? chosenHeat : 'changes'
  const heat = useCallback(() => heatNow(space, heatKind), [space, heatKind])
  const places = useCallback(() => placesNow(space), [space])
  const overlays = useMemo(
    () => ({ any: hasOverlays, at: (at: number) => overlayAt(machine, space, at) }),
    [machine, space],
  )
  const describe = useCallback((at: number) => speakByte(placesNow(space), at, frames.image(space)[at] ?? 0), [space])
  const hover = useCallback(() => map.current?.hover ?? null, [])
  const shownInGrid = useCallback(() => grid.current?.window ?? range, [range])

  const write = (at: number, bytes: Uint8Array) => void writeBytes({ machine, space, address: at, after: bytes })

  const paste = (pasted: string) => {
    try {
      const bytes = parseHexBytes(pasted)
      if (cursor + bytes.length > range.end) {
        throw new AppError('INVALID', `${bytes.length} bytes do not fit between the cursor and the end of this memory.`)
      }
      write(cursor, bytes)
    } catch (error) {
      reportError(error)
    }
  }

  const mark = useCallback((at: number | null) => {
    grid.current?.mark(at)
    map.current?.mark(at)
  }, [])
  const followed = useRef(-Infinity)
  useDraw(
    visible && follow !== 'nothing',
    useCallback(
      (now: number) => {
        if (now - followed.current < INTERVAL_MS) return
        const newest = () =>
          newestChange(frames.changedAt(space), frames.dirtyPages(space), range, placesNow(space).openBus)
        const target = follow === 'pc' ? programCounter(frames.registers) : newest()
        if (target === null || target < range.start || target >= range.end) return
        followed.current = now
        mark(target)
        grid.current?.reveal(target)
      },
      [follow, space, range, mark],
    ),
  )
  useEffect(() => {
    // What is marked is of this memory and this way of following.
    return () => mark(null)
  }, [follow, space, mark])

  return (
    <>
      <div className="toolbar">
        <GotoField ref={goto} onGo={goTo} onLeave={() => grid.current?.focus()} />
        <SpaceChoice space={space} ramLimit={ramLimit} onChange={setSpace} />
        <label>
          Follow
          <select className="field" value={follow} onChange={(event) => setFollow(readFollow(event.target.value))}>
            <option value="nothing">nothing</option>
            <option value="pc">the PC</option>
            <option value="change">changes</option>
          </select>
        </label>
        {offersAccesses ? (
          <Tip text="What makes a byte hot, in the map and among the bytes">
            <label>
              Heat
              <select
                className="field"
                value={heatKind}
                onChange={(event) => setHeatKind(readHeatKind(event.target.value))}
              >
                <option value="changes">changes</option>
                <option value="reads">reads</option>
                <option value="writes">writes</option>
              </select>
            </label>
          </Tip>
        ) : null}
        <Tip text="How the text column reads bytes; auto: screen codes in screen memory, PETSCII elsewhere">
          <label>
            Text
            <select
              className="field"
              value={textKind}
              onChange={(event) => setTextKind(readTextKind(event.target.value))}
            >
              <option value="auto">auto</option>
              <option value="petscii">PETSCII</option>
              <option value="screen">screen</option>
            </select>
          </label>
        </Tip>
        <Button
          label="aA"
          tip="Small and capital letters in the text column"
          pressed={set === 'lower'}
          onClick={() => setSet(set === 'lower' ? 'upper' : 'lower')}
        />
        <IconButton
          label="Undo the memory edit"
          icon={Undo2}
          look="plain"
          shortcut={shortcutOf('memory.undo')}
          why={undoLimit}
          onClick={undoLast}
        />
        <IconButton label="Redo the memory edit" icon={Redo2} look="plain" why={redoLimit} onClick={redoLast} />
      </div>
      <FailedEdits />
      <div className="memory">
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
          />
          <HexGrid
            ref={grid}
            visible={visible}
            label="Memory. Type two hex digits to change a byte."
            space={space}
            range={range}
            heat={heat}
            text={text}
            cursor={cursor}
            overlays={overlays}
            describe={describe}
            onCursor={(to) => useCursor.setState({ address: to })}
            onType={(at, value) => write(at, Uint8Array.of(value))}
            onPaste={paste}
            onUndo={undoLast}
            onRedo={redoLast}
          />
          <StatusLine visible={visible} space={space} heatKind={heatKind} cursor={cursor} hover={hover} />
        </div>
      </div>
    </>
  )
}

/** Where the screen is; a place must be seen twice in a row, so that a program with several screens in one frame gives no flicker. */
function useScreenPlace(visible: boolean): number {
  const [screen, setScreen] = useState(SCREEN_AFTER_POWER_ON)
  const last = useRef({ at: -Infinity, screen: SCREEN_AFTER_POWER_ON })
  useDraw(
    visible,
    useCallback((now: number) => {
      if (now - last.current.at < INTERVAL_MS) return
      const found = screenNow()
      if (found === last.current.screen) setScreen(found)
      last.current = { at: now, screen: found }
    }, []),
  )
  return screen
}
