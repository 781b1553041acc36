import { Fragment, useEffect, useLayoutEffect, useRef, useState, type Ref, type RefObject } from 'react'
import { formatAddress } from '@shared/c64/address'
import { lineTitles, type Runs } from '@shared/c64/codeListing'
import type { LabelledCheckpoint } from '@shared/contract/checkpoints'
import { openByteMenu, runToHere } from '../../client/byteMenu'
import { CheckpointMargin } from '../../client/CheckpointMargin'
import { checkpointItems, stopsWhereRun, toggleCheckpoint } from '../../client/checkpoints'
import { jump } from '../../client/jumps'
import { useNames } from '../../client/labels'
import { perform } from '../../client/actions'
import { canBeFollowed, useFrontMachine, useFrontName, useLimit } from '../../client/machines'
import { showInMemory } from '../../client/memoryCursor'
import { attempt } from '../../client/messages'
import { showView } from '../../client/navigation'
import { useCheckpoints } from '../checkpoints'
import { chooseCodeLine, instructionAt, releaseCodeLine, useCodeLine } from '../codeLine'
import { frames, useFrameSummary, useFrameWish } from '../frames'
import { namesShown } from '../places'
import { useRuns } from '../useRuns'
import { useShortcuts } from '../../client/shortcuts'
import { Button } from '../../widgets/Button'
import { moveAlong } from '../../widgets/moveAlong'
import { CODE_ROW_PX, JumpArrows } from '../../widgets/JumpArrows'
import { visibleText } from '../../widgets/visibleText'
import { codeAround, type CodeLine } from './codeAround'
import './code.css'

const LINES_ABOVE = 4

type CodePlace = 'code' | 'registers'

interface CodeAtPcProps {
  readonly view: CodePlace
  readonly visible: boolean
}

export function CodeAtPc({ view, visible }: CodeAtPcProps) {
  useFrameSummary()
  const state = useFrontMachine()
  const isFollowed = canBeFollowed(state)
  const runs = useRuns(visible && isFollowed, useFrontName(), 'cpu')
  const pc = frames.registers.find(({ name }) => name === 'PC')
  if (!isFollowed || !pc) return <Running />
  return <CodeAround view={view} visible={visible} runs={runs} pc={pc.value} by={state?.stop?.by?.address ?? null} />
}

function Running() {
  const limit = useLimit('pause')
  const shortcutOf = useShortcuts()
  return (
    <p className="view-note">
      {limit ?? 'Pause to see the code at the PC, to step and to change registers.'}
      {limit === null ? (
        <Button label="Pause" shortcut={shortcutOf('machine.pause')} onClick={() => perform('machine.pause')} />
      ) : null}
    </p>
  )
}

interface CodeAroundProps extends CodeAtPcProps {
  readonly runs: Runs
  readonly pc: number
  /** Null for none. */
  readonly by: number | null
}

const linesBelow = (view: CodePlace): number =>
  view === 'registers' ? LINES_IN_REGISTERS : Math.ceil(window.innerHeight / CODE_ROW_PX)

const LINES_IN_REGISTERS = 24

interface Gone {
  readonly stop: string
  /** Null for the PC. */
  readonly place: number | null
  readonly line: number
}

function CodeAround({ view, visible, runs, pc, by }: CodeAroundProps) {
  useFrameWish(visible, ['cpu'])
  const memory = frames.image('cpu')
  const names = namesShown(useNames(), 'cpu')
  const seen = useSeen(pc, by)
  const [anchor, setAnchor] = useState<number | null>(null)
  const stop = `${pc} ${useFrontMachine()?.stop?.time ?? ''}`
  const [gone, setGone] = useState<Gone | null>(null)
  const place = gone?.stop === stop ? gone.place : null
  const read = (address: number) => memory[address] ?? 0
  const code = codeAround({ read, runs, pc, place, seen, anchor, names, linesBelow: linesBelow(view) })
  if (code.anchor !== anchor) setAnchor(code.anchor)
  const rows = rowsOf(code.lines)
  const isKnown = frames.known('cpu')
  const next = useRef<HTMLLIElement>(null)
  const middle = place ?? pc
  useSteadyLine(next, middle, rows[code.lines.findIndex(({ address }) => address === middle)] ?? 0)
  useEffect(() => revealLine(next.current), [middle, isKnown, code.anchor])
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    const line = list.current?.querySelector<HTMLElement>(`[data-address="${gone?.line}"]`)
    line?.focus({ preventScroll: true })
  }, [gone])
  const goTo = (from: number, to: number) => {
    const show = (line: number, around: number | null) =>
      void showView(view).then(() => setGone({ stop, place: around, line }))
    jump({ go: () => show(to, to), goBack: () => show(from, place) })
  }
  useEffect(() => () => releaseCodeLine('code'), [pc])
  const limit = useLimit('checkpoints')
  const checkpoints = useCheckpoints(useFrontName(), visible && limit === null)
  const chosen = useCodeLine((state) => state.chosen?.address ?? null)
  const chosenLine =
    code.lines.find(({ address }) => address === chosen) ?? code.lines.find(({ address }) => address === middle)

  if (!isKnown) return null
  return (
    <ol
      ref={list}
      className={runs === null ? 'code data' : 'code data told'}
      aria-label="Code at the PC"
      onKeyDown={(event) => moveAlong(event, '.code-address', 'column')}
    >
      <li className="code-arrows" aria-hidden>
        <JumpArrows lines={code.lines} rows={rows} />
      </li>
      {code.lines.map((line, index) => (
        <Fragment key={index}>
          {line.labels.map((label) => (
            <li key={label} className="code-label">
              {visibleText(label)}:
            </li>
          ))}
          <Line
            ref={line.address === middle ? next : undefined}
            line={line}
            isTold={runs !== null}
            isChosen={line.address === chosen}
            isTabStop={line === chosenLine}
            checkpoints={checkpoints.filter(stopsWhereRun(line.address))}
            limit={limit}
            onGo={(to) => goTo(line.address, to)}
          />
        </Fragment>
      ))}
    </ol>
  )
}

interface LineProps {
  readonly ref: Ref<HTMLLIElement> | undefined
  readonly line: CodeLine
  readonly isTold: boolean
  readonly isChosen: boolean
  readonly isTabStop: boolean
  readonly checkpoints: readonly LabelledCheckpoint[]
  readonly limit: string | null
  readonly onGo: (address: number) => void
}

function Line({ ref, line, isTold, isChosen, isTabStop, checkpoints, limit, onGo }: LineProps) {
  const { address, bytes, kind, isNext, target } = line
  const choose = () => chooseCodeLine(instructionAt('code', address))
  return (
    <li
      onContextMenu={(event) =>
        openByteMenu(
          event,
          { address, space: 'cpu', value: bytes[0] },
          {
            extra: [
              ...(target === null
                ? []
                : [{ label: `Go to the code at ${formatAddress(target)}`, run: () => onGo(target) }]),
              runToHere(address),
              ...checkpoints.flatMap(checkpointItems),
            ],
          },
        )
      }
      onPointerDown={choose}
      ref={ref}
      className={isNext ? 'next' : kind}
      title={isNext || (kind === 'run' && !isTold) ? undefined : lineTitles[kind]}
      aria-current={isNext ? 'step' : undefined}
      data-chosen={isChosen}
    >
      <CheckpointMargin
        checkpoints={checkpoints}
        why={limit}
        onToggle={() => {
          if (limit === null) attempt(() => toggleCheckpoint(address, stopsWhereRun(address)))
        }}
      />
      <button
        type="button"
        className="code-address"
        title="Show in memory"
        tabIndex={isTabStop ? 0 : -1}
        data-address={address}
        onFocus={choose}
        onClick={() => showInMemory(address)}
      >
        {address.toString(16).toUpperCase().padStart(4, '0')}
      </button>
      <span className="code-bytes">
        {bytes
          .slice(0, 3)
          .map((byte) => byte.toString(16).toUpperCase().padStart(2, '0'))
          .join(' ')}
        {bytes.length > 3 ? '…' : ''}
      </span>
      <span
        className={line.undocumented ? 'code-text undocumented' : 'code-text'}
        title={line.undocumented ? 'An undocumented instruction' : undefined}
        onDoubleClick={() => {
          if (target !== null) onGo(target)
        }}
      >
        {visibleText(line.text)}
      </span>
      <span className="code-comment">{visibleText(line.comment)}</span>
    </li>
  )
}

function rowsOf(lines: readonly CodeLine[]): number[] {
  let labels = 0
  return lines.map((line, index) => index + (labels += line.labels.length))
}

function useSteadyLine(line: RefObject<HTMLElement | null>, pc: number, row: number): void {
  const before = useRef({ pc, row })
  useLayoutEffect(() => {
    const { pc: pcBefore, row: rowBefore } = before.current
    before.current = { pc, row }
    const list = line.current?.closest('.code')
    if (list && pc === pcBefore) list.scrollTop += (row - rowBefore) * CODE_ROW_PX
  }, [line, pc, row])
}

function useSeen(pc: number, by: number | null): ReadonlySet<number> {
  const [seen, setSeen] = useState<ReadonlySet<number>>(new Set())
  const isNew = (address: number | null): address is number => address !== null && !seen.has(address)
  const found = [pc, by].filter(isNew)
  if (found.length > 0) setSeen(new Set([...seen, ...found]))
  return seen
}

function revealLine(line: HTMLElement | null): void {
  const list = line?.closest('.code')
  if (!line || !list) return
  const context = LINES_ABOVE * line.offsetHeight
  const top = line.offsetTop - context
  if (top < list.scrollTop || line.offsetTop + line.offsetHeight + context > list.scrollTop + list.clientHeight)
    list.scrollTop = top
  list.scrollIntoView({ block: 'nearest' })
}
