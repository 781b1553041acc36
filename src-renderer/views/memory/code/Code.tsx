import { useEffect, useImperativeHandle, useRef, useState, type KeyboardEvent, type Ref } from 'react'
import { leadsToData, linesAbove, listedLine, listLines, type ListedLine, type Runs } from '@shared/c64/codeListing'
import type { Space } from '@shared/contract/memory'
import { openByteMenu, runToHere } from '../../../client/byteMenu'
import { checkpointItems, stopsWhereRun, toggleCheckpoint } from '../../../client/checkpoints'
import { jump, jumpBack } from '../../../client/jumps'
import { useNames } from '../../../client/labels'
import { useLimit } from '../../../client/machines'
import { attempt } from '../../../client/messages'
import { showView } from '../../../client/navigation'
import { useCheckpoints } from '../../../frames/checkpoints'
import { chooseCodeLine, instructionAt, releaseCodeLine } from '../../../frames/codeLine'
import { frames, useFrameSummary } from '../../../frames/frames'
import { namesShown } from '../../../frames/places'
import { useRuns } from '../../../frames/useRuns'
import { JumpArrows } from '../../../widgets/JumpArrows'
import type { EditHistory } from '../useHistory'
import { CodeLine } from './CodeLine'
import { References } from './References'
import { useRows } from './useRows'
import './code.css'

const WHEEL_LINES = 3

export interface CodeHandle {
  focus(): void
}

interface CodeProps {
  readonly ref: Ref<CodeHandle>
  readonly visible: boolean
  readonly label: string
  readonly isPanelFocus: boolean
  readonly tellsData: boolean
  readonly machine: string
  readonly space: Space
  readonly cursor: number
  readonly history: EditHistory
  readonly onCursor: (address: number) => void
}

export function Code({
  ref,
  visible,
  label,
  isPanelFocus,
  tellsData,
  machine,
  space,
  cursor,
  history,
  onCursor: moveCursor,
}: CodeProps) {
  useFrameSummary()
  const limit = useLimit('checkpoints')
  const checkpoints = useCheckpoints(machine, visible && limit === null)
  const names = namesShown(useNames(), space)
  const runs = useRuns(visible && tellsData, machine, space)
  const list = useRef<HTMLDivElement>(null)
  const rows = useRows(list)
  const [top, setTop] = useState(cursor)
  const [typing, setTyping] = useState<string | null>(null)
  const [isListed, setIsListed] = useState(false)
  const onCursor = (address: number) => {
    moveCursor(address)
    chooseCodeLine(instructionAt('memory', address))
  }
  useEffect(() => (visible ? () => releaseCodeLine('memory') : undefined), [visible])
  useImperativeHandle(ref, () => ({ focus: () => list.current?.focus() }))

  const image = frames.image(space)
  const read = (address: number): number => image[address & 0xffff] ?? 0
  const first = topFor(read, runs, top, cursor, rows)
  const lines = listLines(read, runs, first, rows)
  if (first !== top) setTop(first)
  const at = Math.max(
    0,
    lines.findLastIndex(({ address }) => address <= cursor),
  )
  const chosen = lines[at]

  const scroll = (by: number) => {
    const next =
      by < 0
        ? linesAbove(read, runs, first, -by).at(0)
        : listLines(read, runs, first, by + 1).at(Math.min(by, lines.length - 1))
    if (next === undefined) return
    setTop(next.address)
    const shown = listLines(read, runs, next.address, rows)
    const last = shown.at(-1)
    if (cursor < next.address) onCursor(next.address)
    else if (last && cursor >= last.address + last.length) onCursor(last.address)
  }
  const step = (by: number) => {
    const next = lines[at + by]
    if (next && at + by < lines.length) {
      onCursor(next.address)
      return
    }
    const beyond = by < 0 ? linesAbove(read, runs, first, 1)[0] : lineAfter(read, runs, lines)
    if (!beyond) return
    if (by < 0) setTop(beyond.address)
    else setTop(lines[1]?.address ?? first)
    onCursor(beyond.address)
  }
  const goTo = (to: number) => {
    const show = (address: number) => {
      onCursor(address)
      void showView('memory').then(() => {
        if (!list.current?.contains(document.activeElement)) list.current?.focus()
      })
    }
    jump({ go: () => show(to), goBack: () => show(cursor) })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.altKey) return
    if (event.ctrlKey || event.metaKey) {
      const key = event.key.toLowerCase()
      if (key !== 'z' && key !== 'y') return
      event.preventDefault()
      if (key === 'y' || event.shiftKey) history.redo()
      else history.undo()
      return
    }
    const action = keys({ step, scroll, rows, chosen, goTo, list: () => setIsListed(!isListed), setTyping })[event.key]
    if (action) {
      event.preventDefault()
      action()
    } else if (/^[a-z]$/i.test(event.key)) {
      event.preventDefault()
      setTyping(event.key)
    }
  }
  const known = frames.known(space)
  return (
    <div className="code-pane">
      <div
        ref={list}
        className="code-list data"
        role="listbox"
        tabIndex={0}
        data-panel-focus={isPanelFocus ? true : undefined}
        aria-label={label}
        aria-activedescendant={chosen && `${label}-${chosen.address}`}
        onKeyDown={onKeyDown}
        onWheel={({ deltaY }) => scroll(deltaY < 0 ? -WHEEL_LINES : WHEEL_LINES)}
      >
        {known ? <JumpArrows lines={lines} /> : null}
        {known
          ? lines.map((line, index) => (
              <CodeLine
                key={line.address}
                id={`${label}-${line.address}`}
                line={line}
                names={names}
                isTold={runs !== null}
                isChosen={index === at}
                checkpoints={checkpoints.filter(stopsWhereRun(line.address))}
                limit={limit}
                onCheckpoint={() => {
                  if (limit === null) attempt(() => toggleCheckpoint(line.address, stopsWhereRun(line.address)))
                }}
                typing={index === at ? typing : null}
                place={{ machine, space, read }}
                onChoose={() => onCursor(line.address)}
                onGo={goTo}
                onType={() => setTyping('')}
                onTyped={(next) => {
                  setTyping(null)
                  if (next !== null) onCursor(next)
                  list.current?.focus()
                }}
                onMenu={(event) =>
                  openByteMenu(
                    event,
                    { address: line.address, space, value: line.bytes[0], pointsTo: line.target ?? undefined },
                    {
                      extra: [
                        { label: 'Show what names it', run: () => setIsListed(true) },
                        runToHere(line.address),
                        ...checkpoints.filter(stopsWhereRun(line.address)).flatMap(checkpointItems),
                      ],
                    },
                  )
                }
              />
            ))
          : null}
      </div>
      {isListed && chosen ? (
        <References
          address={chosen.address}
          read={read}
          runs={runs}
          names={names}
          onGo={goTo}
          onClose={() => {
            setIsListed(false)
            list.current?.focus()
          }}
        />
      ) : null}
    </div>
  )
}

interface KeyActions {
  readonly step: (by: number) => void
  readonly scroll: (by: number) => void
  readonly rows: number
  readonly chosen: ListedLine | undefined
  readonly goTo: (address: number) => void
  readonly list: () => void
  readonly setTyping: (text: string) => void
}

const keys = ({ step, scroll, rows, chosen, goTo, list, setTyping }: KeyActions): Record<string, () => void> => ({
  ArrowUp: () => step(-1),
  ArrowDown: () => step(1),
  PageUp: () => scroll(-Math.max(1, rows - 1)),
  PageDown: () => scroll(Math.max(1, rows - 1)),
  Enter: () => {
    if (chosen?.target !== null && chosen?.target !== undefined) goTo(chosen.target)
  },
  Backspace: jumpBack,
  '?': list,
  F2: () => setTyping(''),
})

function lineAfter(
  read: (address: number) => number,
  runs: Runs,
  lines: readonly ListedLine[],
): ListedLine | undefined {
  const last = lines.at(-1)
  if (!last || last.address + last.length > 0xffff) return undefined
  return listedLine(read, runs, last.address + last.length, leadsToData(last))
}

function topFor(read: (address: number) => number, runs: Runs, top: number, cursor: number, rows: number): number {
  if (cursor >= top) {
    const last = listLines(read, runs, top, rows).at(-1)
    if (last && cursor < last.address + last.length) return top
  }
  return linesAbove(read, runs, cursor, Math.floor(rows / 3)).at(0)?.address ?? cursor
}
