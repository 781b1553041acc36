import { useEffect, useMemo, useState } from 'react'
import type { Output } from '@shared/contract/contract'
import type { SourceName } from '@shared/contract/sourceLine'
import { perform } from '../../client/actions'
import { useBuilds } from '../../client/builds'
import { call } from '../../client/call'
import { jump } from '../../client/jumps'
import { namesNow, useLabels } from '../../client/labels'
import { ChoiceSegments } from '../../client/ChoiceSegments'
import { useChosen } from '../../client/chosen'
import { canBeFollowed, useFrontMachine, useFrontName, useLack } from '../../client/machines'
import { showInMemory } from '../../client/memoryCursor'
import { attempt, endMessages } from '../../client/messages'
import { showView } from '../../client/navigation'
import { shortcutOf } from '../../client/shortcuts'
import { STOP_MESSAGES } from '../../client/stopMessages'
import { useAnswer } from '../../client/useAnswer'
import type { ViewProps } from '../../client/view'
import { CodeAtPc } from '../../frames/code/CodeAtPc'
import { CpuRegisters } from '../../frames/code/CpuRegisters'
import { releaseCodeLine } from '../../frames/codeLine'
import { frames, useFrameSummary } from '../../frames/frames'
import { NoFrameYet } from '../../frames/NoFrameYet'
import { Button } from '../../widgets/Button'
import { EmptyState } from '../../widgets/EmptyState'
import { Help } from '../../widgets/form/Field'
import { Problem } from '../../widgets/Problem'
import { visibleText } from '../../widgets/visibleText'
import { BuildPart } from './BuildPart'
import { SourceLines } from './SourceLines'
import { sourceRows } from './sourceLines'
import './codeView.css'

export function CodeView({ visible }: ViewProps) {
  const machine = useFrontName()
  const revision = useLabels((labels) => labels.revision)
  const list = useAnswer(machine, visible, (signal) => call('labels.sources', { machine }, { signal }), revision)
  return (
    <div className="view-content code-view">
      <CpuRegisters oneLine />
      <Problem failure={list.failure} className="source-note" />
      {list.isFirst ? (
        <div className="source-none" />
      ) : (
        <Sources key={machine} machine={machine} sources={list.data?.sources ?? []} visible={visible} />
      )}
    </div>
  )
}

interface SourcesProps {
  readonly machine: string
  readonly sources: Output<'labels.sources'>['sources']
  readonly visible: boolean
}

type ShownFile = { readonly source: SourceName } | { readonly built: string }

interface Shown {
  /** Null for the first file of the program. */
  readonly file: ShownFile | null
  readonly line: number
}

function Sources({ machine, sources, visible }: SourcesProps) {
  const revision = useLabels((labels) => labels.revision)
  const build = useBuilds((builds) => builds.build)
  const focused = useFocusCount()
  const [shown, show] = useState<Shown>({ file: null, line: 1 })
  const next = useSourceAtPc(machine, visible && sources.length > 0, revision)
  const [followed, setFollowed] = useState(next)
  if (followed !== next) {
    setFollowed(next)
    if (next?.at) show({ file: { source: next.at }, line: next.at.line })
  }
  const isElsewhere = next !== null && next.at === null
  useEffect(() => {
    if (isElsewhere) releaseCodeLine('source')
  }, [isElsewhere, next])
  const showsStop = visible && next !== null && next.at !== null
  useEffect(() => {
    if (showsStop) endMessages(STOP_MESSAGES)
  }, [showsStop, next])
  const file = shownFile(shown, sources, build?.result === 'succeeded')
  const isFollowed = canBeFollowed(useFrontMachine())
  const [chosen] = useChosen('code.shown')
  // Without source lines, a machine that is paused still has code to show.
  const shownAs = chosen === 'source' && file === null && isFollowed ? 'disassembly' : chosen
  const { data, failure, isFirst } = useAnswer(
    `${machine} ${file ? keyOf(file) : ''}`,
    visible && file !== null,
    (signal) => read(machine, file, signal),
    `${revision} ${build?.endedAt ?? 0} ${focused}`,
  )
  const rows = useMemo(() => (data ? sourceRows(data.text, data.code) : []), [data])
  const here =
    next?.at && file && keyOf(file) === keyOf({ source: next.at }) ? { line: next.at.line, pc: next.pc } : null

  const goTo = (to: Shown) => {
    const showThere = (place: Shown) => {
      show(place)
      void showView('code')
    }
    jump({ go: () => showThere(to), goBack: () => showThere({ file, line: shown.line }) })
  }
  const follow = (word: string): boolean => {
    const address = addressOf(word)
    if (address === null) return false
    attempt(async () => {
      const { at } = await call('labels.sourceAt', { machine, address })
      if (at === null) showInMemory(address)
      else goTo({ file: { source: at }, line: at.line })
    })
    return true
  }

  return (
    <>
      <div className="source-head">
        <ChoiceSegments
          choice="code.shown"
          shown={shownAs}
          why={(value) => (value === 'source' && file === null && isFollowed ? 'No source lines are loaded.' : null)}
        />
        {shownAs === 'source' && file !== null ? (
          <>
            <FileChoice
              file={file}
              sources={sources}
              place={data?.place ?? ''}
              onChoose={(file) => show({ file, line: 1 })}
            />
            <span className="muted source-where" role="status">
              {whereText(next)}
            </span>
            <Help help="Follows the PC whenever the machine stops. Lines with a mark in the margin became code: click there, or press Enter on a line, to set or remove a checkpoint. Double-click a symbol to go to it, and press Alt+Left to come back. Right-click a line to run to it, or to disable or remove its checkpoint. Files are only read, and again when they are rebuilt." />
          </>
        ) : null}
      </div>
      {shownAs === 'disassembly' ? (
        <div className="code-room" tabIndex={-1} role="group" aria-label="Disassembly" data-panel-focus>
          <Disassembly visible={visible} />
        </div>
      ) : file === null ? (
        <NoSource />
      ) : (
        <>
          {data?.problem && failure === null ? (
            <p className="warn-text source-note">{visibleText(data.problem)}</p>
          ) : null}
          <Problem failure={failure} className="source-note" />
          {failure !== null || isFirst ? (
            <div className="source-none" tabIndex={0} role="group" aria-label="Source" data-panel-focus />
          ) : (
            <SourceLines
              visible={visible}
              source={sourceOf(file)}
              rows={rows}
              chosen={shown.line}
              onChoose={(line) => show({ file, line })}
              onFollow={follow}
              next={here}
            />
          )}
        </>
      )}
      <BuildPart onProblem={(built, line) => show({ file: { built }, line })} />
    </>
  )
}

function Disassembly({ visible }: { readonly visible: boolean }) {
  useFrameSummary()
  const lack = useLack('registers')
  const stop = useFrontMachine()?.stop
  useEffect(() => {
    if (visible && stop) endMessages(STOP_MESSAGES)
  }, [visible, stop])
  if (frames.registers.length > 0) return <CodeAtPc view="code" visible={visible} />
  if (lack !== null) return <p className="view-note">{lack}</p>
  return <NoFrameYet className="view-note" recorded="The recording holds no registers." />
}

function addressOf(word: string): number | null {
  const number = /^\$([\da-f]{1,4})$/i.exec(word)?.[1]
  if (number !== undefined) return Number.parseInt(number, 16)
  return namesNow().find(word)[0]?.address ?? null
}

const NoSource = () => (
  <div className="source-none" tabIndex={0} role="group" aria-label="Source" data-panel-focus>
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
        Run a program that lies beside its debug file: cc65 (--dbgfile), 64tass (-D BUILD=1 --line-numbers --list), ACME
        (--report), KickAssembler (-debugdump), Oscar64 or llvm-mos (-g). Or build one here.
      </p>
    </EmptyState>
  </div>
)

interface FileChoiceProps {
  readonly file: ShownFile
  readonly sources: SourcesProps['sources']
  readonly place: string
  readonly onChoose: (file: ShownFile) => void
}

function FileChoice({ file, sources, place, onChoose }: FileChoiceProps) {
  return (
    <select
      className="field"
      aria-label="Source file"
      value={keyOf(file)}
      title={visibleText(place)}
      onChange={({ target }) => {
        const source = sources.find((each) => keyOf({ source: each }) === target.value)
        if (source) onChoose({ source })
      }}
    >
      {'built' in file ? <option value={keyOf(file)}>{visibleText(file.built)} (build)</option> : null}
      {sources.map((source) => (
        <option key={keyOf({ source })} value={keyOf({ source })}>
          {visibleText(source.file)}
          {source.isFound ? '' : ' (not found)'}
        </option>
      ))}
    </select>
  )
}

function shownFile({ file }: Shown, sources: SourcesProps['sources'], isMended: boolean): ShownFile | null {
  if (file && 'built' in file && !(isMended && sources.length > 0)) return file
  const found = sources.find((source) => file && keyOf({ source }) === keyOf(file)) ?? sources[0]
  return found ? { source: found } : null
}

async function read(machine: string, file: ShownFile | null, signal: AbortSignal): Promise<Output<'labels.source'>> {
  if (file === null) throw new Error('no source is shown')
  if ('built' in file) {
    const source = await call('builds.source', { file: file.built }, { signal })
    return { ...source, code: [], problem: null }
  }
  const { debugFile, file: name } = file.source
  return call('labels.source', { machine, debugFile, file: name }, { signal })
}

const sourceOf = (file: ShownFile): SourceName | null =>
  'built' in file ? null : { debugFile: file.source.debugFile, file: file.source.file }

const keyOf = (file: ShownFile): string =>
  'built' in file ? `build ${file.built}` : `source ${file.source.file} ${file.source.debugFile}`

interface SourceAtPc {
  readonly pc: number
  readonly at: (SourceName & { readonly line: number }) | null
}

function useSourceAtPc(machine: string, visible: boolean, revision: number): SourceAtPc | null {
  useFrameSummary()
  const state = useFrontMachine()
  const pc = canBeFollowed(state) ? (frames.registers.find(({ name }) => name === 'PC')?.value ?? null) : null
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

/** A source may have been edited while the window was away. */
function useFocusCount(): number {
  const [count, setCount] = useState(0)
  useEffect(() => {
    const onFocus = () => setCount((before) => before + 1)
    window.addEventListener('focus', onFocus)
    return () => window.removeEventListener('focus', onFocus)
  }, [])
  return count
}
