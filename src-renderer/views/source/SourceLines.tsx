import type { SourceName } from '@shared/contract/sourceLine'
import type { LabelledCheckpoint } from '@shared/contract/checkpoints'
import { useFrontName, useLimit } from '../../client/machines'
import { openByteMenu, runToHere } from '../../client/byteMenu'
import { toggleCheckpoint } from '../../client/checkpoints'
import { useNames } from '../../client/labels'
import { attempt } from '../../client/messages'
import { useCheckpoints } from '../../frames/checkpoints'
import { frames, useFrameWish } from '../../frames/frames'
import { namesShown } from '../../frames/places'
import { ListBox } from '../../widgets/ListBox'
import { visibleText } from '../../widgets/visibleText'
import { operandText } from './operandText'
import { codeText, isAt, type SourceRow } from './sourceLines'

/** Of a row, CSS px. */
const ROW_PX = 18
/** Seen above and below the line that runs next. */
const CONTEXT_ROWS = 4

interface SourceLinesProps {
  readonly visible: boolean
  /** Of the program; null for a file that only a build names. */
  readonly source: SourceName | null
  readonly rows: readonly SourceRow[]
  readonly chosen: number
  readonly onChoose: (line: number) => void
  /** The line that runs next; null where it is in another file, or the machine runs. */
  readonly next: { readonly line: number; readonly pc: number } | null
}

/** The lines of a source, with a margin for checkpoints. */
export function SourceLines({ visible, source, rows, chosen, onChoose, next }: SourceLinesProps) {
  const machine = useFrontName()
  const limit = useLimit('checkpoints')
  const [checkpoints] = useCheckpoints(machine, visible && limit === null)
  const operand = useOperandText(visible, next?.pc ?? null)
  const toggle = (row: SourceRow) => {
    const [first] = row.code
    const isOwn = (checkpoint: LabelledCheckpoint) => isAt(row, checkpoint, source)
    if (limit !== null || (first === undefined && !checkpoints.some(isOwn))) return
    const line = source && { ...source, line: row.number }
    attempt(() => toggleCheckpoint(first?.start ?? null, isOwn, line))
  }
  const current = rows[chosen - 1]
  const hasCode = rows.some(({ code }) => code.length > 0)
  return (
    <>
      <ListBox
        label="Source lines"
        items={rows}
        keyOf={({ number }) => String(number)}
        chosen={String(chosen)}
        onChoose={({ number }) => onChoose(number)}
        onOpen={toggle}
        height={ROW_PX}
        context={CONTEXT_ROWS}
        isFirst
        render={(row) => {
          const own = checkpoints.filter((checkpoint) => isAt(row, checkpoint, source))
          const unbound = own.find((checkpoint) => checkpoint.unbound !== null)?.unbound
          const isNext = row.number === next?.line
          const [first] = row.code
          return (
            <span
              className="source-line data"
              data-next={isNext}
              onContextMenu={(event) => {
                if (!first) return
                openByteMenu(event, { address: first.start, space: 'cpu' }, { extra: [runToHere(first.start)] })
              }}
            >
              <span
                className="source-margin"
                data-state={stateOf(row, own)}
                title={unbound ? `Unbound: ${unbound}` : first ? undefined : 'No code: no checkpoint can be set here'}
                onClick={() => toggle(row)}
                onDoubleClick={(event) => event.stopPropagation()}
              >
                {own.length === 0 ? null : (
                  <span className="hidden-visually">
                    {unbound ? `Checkpoint, unbound: ${unbound}, ` : 'Checkpoint, '}
                  </span>
                )}
                {isNext ? <span className="hidden-visually">runs next, </span> : null}
              </span>
              <span className="muted source-number">{row.number}</span>
              <span className="source-text">{visibleText(row.text)}</span>
              {isNext && operand !== null ? <span className="source-value">{visibleText(operand)}</span> : null}
            </span>
          )
        }}
      />
      <p className="source-note muted">{current ? noteText(current, hasCode, limit) : 'The file is empty.'}</p>
    </>
  )
}

function stateOf({ code }: SourceRow, own: readonly LabelledCheckpoint[]): 'none' | 'code' | 'on' | 'off' {
  if (own.length > 0) return own.some(({ enabled }) => enabled) ? 'on' : 'off'
  return code.length > 0 ? 'code' : 'none'
}

function noteText(row: SourceRow, hasCode: boolean, limit: string | null): string {
  if (!hasCode) return `Line ${row.number}`
  if (row.code.length === 0) return `${codeText(row)}: no checkpoint can be set there.`
  return `${codeText(row)}. ${limit ?? 'Enter sets or deletes a checkpoint.'}`
}

/** What the instruction at the PC reads or writes; null where nothing of it is known. */
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
