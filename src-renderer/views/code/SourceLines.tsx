import { useEffect, useEffectEvent, type MouseEvent } from 'react'
import type { SourceName } from '@shared/contract/sourceLine'
import type { LabelledCheckpoint } from '@shared/contract/checkpoints'
import { useFrontName, useLimit } from '../../client/machines'
import { openByteMenu, runToHere } from '../../client/byteMenu'
import { CheckpointMargin } from '../../client/CheckpointMargin'
import { checkpointItems, toggleCheckpoint } from '../../client/checkpoints'
import { useNames } from '../../client/labels'
import { openContextMenu } from '../../client/contextMenu'
import { attempt } from '../../client/messages'
import { useCheckpoints } from '../../frames/checkpoints'
import { chooseCodeLine, releaseCodeLine, type CodeLine } from '../../frames/codeLine'
import { frames, useFrameWish } from '../../frames/frames'
import { namesShown } from '../../frames/places'
import { ListBox } from '../../widgets/ListBox'
import { visibleText } from '../../widgets/visibleText'
import { operandText } from './operandText'
import { wordAt } from './wordAt'
import { codeText, isAt, type SourceRow } from './sourceLines'

const ROW_PX = 18
const CONTEXT_ROWS = 4

interface SourceLinesProps {
  readonly visible: boolean
  readonly source: SourceName | null
  readonly rows: readonly SourceRow[]
  readonly chosen: number
  readonly onChoose: (line: number) => void
  readonly onFollow: (word: string) => boolean
  readonly next: { readonly line: number; readonly pc: number } | null
}

export function SourceLines({ visible, source, rows, chosen, onChoose, onFollow, next }: SourceLinesProps) {
  const machine = useFrontName()
  const limit = useLimit('checkpoints')
  const checkpoints = useCheckpoints(machine, visible && limit === null)
  const operand = useOperandText(visible, next?.pc ?? null)
  const toggle = (row: SourceRow) => {
    const { address, isOwn, line } = codeLineOf(row, source)
    if (limit !== null || (address === null && !checkpoints.some(isOwn))) return
    attempt(() => toggleCheckpoint(address, isOwn, line))
  }
  useFollowedLine(visible, source, next === null ? undefined : rows[next.line - 1])
  const current = rows[chosen - 1]
  const hasCode = rows.some(({ code }) => code.length > 0)
  return (
    <>
      <ListBox
        label="Source lines"
        items={rows}
        keyOf={({ number }) => String(number)}
        chosen={String(chosen)}
        onChoose={(row) => {
          onChoose(row.number)
          chooseCodeLine(codeLineOf(row, source))
        }}
        onOpen={toggle}
        height={ROW_PX}
        context={CONTEXT_ROWS}
        isFirst
        render={(row) => {
          const own = checkpoints.filter((checkpoint) => isAt(row, checkpoint, source))
          const isNext = row.number === next?.line
          const [first] = row.code
          return (
            <span
              className="source-line data"
              data-next={isNext}
              onContextMenu={(event) => {
                const items = own.flatMap(checkpointItems)
                if (first)
                  openByteMenu(
                    event,
                    { address: first.start, space: 'cpu' },
                    { extra: [runToHere(first.start), ...items] },
                  )
                else if (items.length > 0) openContextMenu(event, `Line ${row.number}`, items)
              }}
            >
              <CheckpointMargin
                checkpoints={own}
                why={first ? limit : 'No code: no checkpoint can be set here'}
                onToggle={() => toggle(row)}
              />
              {isNext ? <span className="hidden-visually">runs next, </span> : null}
              <span className="muted source-number">{row.number}</span>
              <span
                className="source-text"
                onDoubleClick={(event) => {
                  if (onFollow(wordUnder(event))) event.stopPropagation()
                }}
              >
                {visibleText(row.text)}
              </span>
              {isNext && operand !== null ? <span className="source-value">{visibleText(operand)}</span> : null}
            </span>
          )
        }}
      />
      <p className="source-note muted">{current ? noteText(current, hasCode, limit) : 'The file is empty.'}</p>
    </>
  )
}

function codeLineOf(row: SourceRow, source: SourceName | null): CodeLine {
  return {
    view: 'source',
    address: row.code[0]?.start ?? null,
    line: source && { ...source, line: row.number },
    isOwn: (checkpoint: LabelledCheckpoint) => isAt(row, checkpoint, source),
  }
}

function useFollowedLine(visible: boolean, source: SourceName | null, row: SourceRow | undefined): void {
  const choose = useEffectEvent(() => {
    if (row) chooseCodeLine(codeLineOf(row, source))
  })
  useEffect(() => {
    if (visible && row) choose()
  }, [visible, row])
  useEffect(() => (visible ? () => releaseCodeLine('source') : undefined), [visible])
}

function wordUnder({ currentTarget, clientX, clientY }: MouseEvent): string {
  // What stands in its place came with Chromium 128 only.
  // oxlint-disable-next-line typescript/no-deprecated
  const at = document.caretRangeFromPoint(clientX, clientY)
  return at && currentTarget.contains(at.startContainer)
    ? wordAt(at.startContainer.textContent ?? '', at.startOffset)
    : ''
}

function noteText(row: SourceRow, hasCode: boolean, limit: string | null): string {
  if (!hasCode) return `Line ${row.number}`
  if (row.code.length === 0) return `${codeText(row)}: no checkpoint can be set there.`
  return `${codeText(row)}. ${limit ?? 'Enter sets or removes a checkpoint.'}`
}

function useOperandText(visible: boolean, pc: number | null): string | null {
  useFrameWish(visible, ['cpu'])
  const names = useNames()
  if (pc === null || !frames.known('cpu')) return null
  const memory = frames.image('cpu')
  const register = (name: string) => frames.registers.find((each) => each.name === name)?.value ?? 0
  return operandText(
    (address) => memory[address] ?? 0,
    pc,
    { x: register('X'), y: register('Y') },
    namesShown(names, 'cpu'),
  )
}
