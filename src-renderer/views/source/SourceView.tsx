import { useEffect, useMemo, useState } from 'react'
import type { Output } from '@shared/contract/contract'
import type { SourceName } from '@shared/contract/labels'
import { perform } from '../../client/actions'
import { call } from '../../client/call'
import { useLabels } from '../../client/labels'
import { useFrontMachine, useFrontName } from '../../client/machines'
import { endMessages } from '../../client/messages'
import { shortcutOf } from '../../client/shortcuts'
import { STOP_MESSAGES } from '../../client/stopMessages'
import { useAnswer } from '../../client/useAnswer'
import type { ViewProps } from '../../client/view'
import { frames, useFrameSummary } from '../../frames/frames'
import { Button } from '../../widgets/Button'
import { EmptyState } from '../../widgets/EmptyState'
import { Help } from '../../widgets/form/Field'
import { Problem } from '../../widgets/Problem'
import { visibleText } from '../../widgets/visibleText'
import { SourceLines } from './SourceLines'
import { sourceRows } from './sourceLines'
import './source.css'

/** The program's source files. While the machine is paused, the line at the PC. */
export function SourceView({ visible }: ViewProps) {
  const machine = useFrontName()
  const revision = useLabels((labels) => labels.revision)
  const list = useAnswer(machine, visible, (signal) => call('labels.sources', { machine }, { signal }), revision)
  const sources = list.data?.sources ?? []
  if (sources.length > 0) return <Sources key={machine} machine={machine} sources={sources} visible={visible} />
  return (
    <div className="view-content" tabIndex={0} role="group" aria-label="Source" data-panel-focus>
      <Problem failure={list.failure} />
      {list.isFirst ? null : (
        <EmptyState
          title="No source lines are loaded"
          action={
            <Button
              label="Load and run a program…"
              shortcut={shortcutOf('program.load')}
              onClick={() => perform('program.load')}
            />
          }
        >
          <p>
            Run a program that lies beside its debug file: cc65 (--dbgfile), KickAssembler (-debugdump) or Oscar64 (-g).
          </p>
        </EmptyState>
      )}
    </div>
  )
}

interface SourcesProps {
  readonly machine: string
  readonly sources: Output<'labels.sources'>['sources']
  readonly visible: boolean
}

interface Shown {
  readonly source: SourceName | undefined
  /** The line that is chosen. */
  readonly line: number
}

function Sources({ machine, sources, visible }: SourcesProps) {
  const revision = useLabels((labels) => labels.revision)
  const focused = useFocusCount()
  const [shown, show] = useState<Shown>({ source: undefined, line: 1 })
  const next = useSourceAtPc(machine, visible, revision)
  const [followed, setFollowed] = useState(next)
  if (followed !== next) {
    setFollowed(next)
    if (next?.at) show({ source: next.at, line: next.at.line })
  }
  const showsStop = visible && next !== null && next.at !== null
  useEffect(() => {
    if (showsStop) endMessages(STOP_MESSAGES)
  }, [showsStop, next])
  const source = sources.find((each) => shown.source && isSame(each, shown.source)) ?? sources[0]
  const { data, failure, isFirst } = useAnswer(
    `${machine} ${source ? keyOf(source) : ''}`,
    visible && source !== undefined,
    (signal) => call('labels.source', { machine, ...nameOf(source ?? { debugFile: '', file: '' }) }, { signal }),
    `${revision} ${focused}`,
  )
  const rows = useMemo(() => (data ? sourceRows(data.text, data.code) : []), [data])
  const here = next?.at && source && isSame(next.at, source) ? { line: next.at.line, pc: next.pc } : null

  return (
    <div className="view-content source">
      <div className="source-head">
        <select
          className="field"
          aria-label="Source file"
          value={source ? keyOf(source) : ''}
          title={visibleText(data?.place ?? '')}
          onChange={({ target }) => show({ source: sources.find((each) => keyOf(each) === target.value), line: 1 })}
        >
          {sources.map((each) => (
            <option key={keyOf(each)} value={keyOf(each)}>
              {visibleText(each.file)}
              {each.isFound ? '' : ' (not found)'}
            </option>
          ))}
        </select>
        <span className="muted source-where" role="status">
          {whereText(next)}
        </span>
        <Help help="Follows the PC whenever the machine stops. Lines with a mark in the margin became code: click there, or press Enter on a line, to set or delete a checkpoint. Right-click a line to run to it. Files are only read, and again when they are rebuilt." />
      </div>
      {data?.problem && failure === null ? <p className="warn-text source-note">{visibleText(data.problem)}</p> : null}
      <Problem failure={failure} className="source-note" />
      {failure !== null || isFirst ? (
        <div className="source-none" tabIndex={0} role="group" aria-label="Source" data-panel-focus />
      ) : (
        <SourceLines
          visible={visible}
          rows={rows}
          chosen={shown.line}
          onChoose={(line) => show({ source, line })}
          next={here}
        />
      )}
    </div>
  )
}

const keyOf = ({ debugFile, file }: SourceName): string => `${file} ${debugFile}`
const nameOf = ({ debugFile, file }: SourceName): SourceName => ({ debugFile, file })
const isSame = (one: SourceName, other: SourceName): boolean => keyOf(one) === keyOf(other)

interface SourceAtPc {
  readonly pc: number
  readonly at: (SourceName & { readonly line: number }) | null
}

/** Where the machine stands, asked once for each stop; null while it runs. */
function useSourceAtPc(machine: string, visible: boolean, revision: number): SourceAtPc | null {
  useFrameSummary()
  const state = useFrontMachine()
  const isPaused = state?.execution === 'paused' || state?.execution === 'jammed'
  const pc = isPaused ? (frames.registers.find(({ name }) => name === 'PC')?.value ?? null) : null
  const { data } = useAnswer(
    machine,
    visible && pc !== null,
    async (signal) =>
      pc === null ? null : { pc, ...(await call('labels.sourceAt', { machine, address: pc }, { signal })) },
    `${revision} ${pc} ${state?.stop?.time ?? ''}`,
  )
  return pc !== null && data?.pc === pc ? data : null
}

function whereText(next: SourceAtPc | null): string {
  if (next === null) return ''
  return next.at === null ? 'The PC is in code without source lines' : `Paused at line ${next.at.line}`
}

/** Counts how often the window was returned to: a source may have been edited meanwhile. */
function useFocusCount(): number {
  const [count, setCount] = useState(0)
  useEffect(() => {
    const onFocus = () => setCount((before) => before + 1)
    window.addEventListener('focus', onFocus)
    return () => window.removeEventListener('focus', onFocus)
  }, [])
  return count
}
