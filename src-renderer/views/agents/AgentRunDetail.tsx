import { ArrowDown, ArrowUp, Square } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { agentStreams, type AgentRun } from '@shared/contract/agents'
import { presets } from '@shared/agentPresets'
import { call } from '../../client/call'
import { attempt, notify, describeError } from '../../client/messages'
import { Button } from '../../widgets/Button'
import { IconButton } from '../../widgets/IconButton'
import { Segments } from '../../widgets/Segments'
import { durationText } from '../../widgets/durationText'
import { visibleText } from '../../widgets/visibleText'
import { elapsed, isLive, stateOf, usedText } from './agentRows'
import { LogPane, type Stream } from './LogPane'
import { pidText } from './store'

const streamTitles: Readonly<Record<Stream, string>> = { output: 'Output', errors: 'Errors' }
/** Lines that are found at most. */
const MOST = 5_000

interface Found {
  readonly find: string
  readonly expression: boolean
  readonly lines: readonly number[]
  readonly isDone: boolean
}

/** One run of an agent: what became of it, and its log. */
export function AgentRunDetail({ run, now }: { readonly run: AgentRun; readonly now: number }) {
  const [stream, setStream] = useState<Stream>('output')
  const [follows, setFollows] = useState(true)
  const [find, setFind] = useState('')
  const [expression, setExpression] = useState(false)
  const [found, setFound] = useState<Found | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [wanted, setWanted] = useState<{ readonly line: number; readonly index: number } | null>(null)
  const searching = useRef<AbortController>(undefined)
  useEffect(() => () => searching.current?.abort(), [])

  const forget = () => {
    searching.current?.abort()
    setFound(null)
    setWanted(null)
    setProblem(null)
  }
  const search = async () => {
    forget()
    if (find === '') return
    const controller = new AbortController()
    searching.current = controller
    const lines: number[] = []
    try {
      for (let from: number | null = 0; from !== null && lines.length < MOST;) {
        const answer: Awaited<ReturnType<typeof searchFrom>> = await searchFrom(run.run, stream, find, expression, from)
        if (controller.signal.aborted) return
        lines.push(...answer.found.map(({ line }) => line))
        from = answer.next
        setFound({ find, expression, lines: [...lines], isDone: from === null })
        if (lines.length > 0) setWanted((before) => before ?? { line: lines[0] ?? 0, index: 0 })
      }
    } catch (error) {
      if (!controller.signal.aborted) setProblem(describeError(error))
    }
  }
  const isSearched = found?.find === find && found.expression === expression
  const step = (by: number) => {
    if (!isSearched) return void search()
    const { lines } = found
    const index = ((wanted?.index ?? -by) + by + lines.length) % Math.max(1, lines.length)
    const line = lines[index]
    if (line !== undefined) setWanted({ line, index })
  }

  const { word, tone } = stateOf(run)
  const { state, reason, pid, exitCode, model, preset, stillAlive } = run
  const facts: readonly (readonly [title: string, text: string])[] = [
    ['For', visibleText(run.purpose)],
    ['Agent', [presets[preset].title, model].filter(Boolean).join(', ')],
    ['Process', pid === null ? 'none' : `${pidText([pid])}${exitCode === null ? '' : `, exit code ${exitCode}`}`],
    ['Started', run.startedAt === null ? 'not yet' : new Date(run.startedAt).toLocaleString()],
    ['Duration', durationText(elapsed(run, now))],
    ['Used', usedText(run) || 'not told'],
  ]
  return (
    <>
      <h2 className="agent-title">
        {run.agent}
        <span className={`state-words ${tone}`}>
          <span className="dot" aria-hidden />
          {word}
        </span>
      </h2>
      {reason === '' ? null : (
        <p className={stillAlive.length > 0 || tone === 'bad' ? 'problem' : 'muted'}>{visibleText(reason)}</p>
      )}
      <dl className="agent-facts">
        {facts.map(([title, text]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd className="data">{text}</dd>
          </div>
        ))}
      </dl>
      <div className="agent-buttons">
        <Button
          label="Stop"
          icon={Square}
          shortcut="S"
          why={
            isLive(run) && state !== 'stopping' ? null : state === 'stopping' ? 'It is being stopped.' : 'It has ended.'
          }
          onClick={() => stopRun(run)}
        />
        <Segments
          label="Which log"
          value={stream}
          options={agentStreams.map((value) => ({ value, label: streamTitles[value] }))}
          onChange={(value) => {
            forget()
            setStream(value)
          }}
        />
        <label>
          <input type="checkbox" checked={follows} onChange={({ target }) => setFollows(target.checked)} /> Follow its
          end <kbd>End</kbd>
        </label>
        <input
          className="field log-search"
          type="search"
          data-log-search
          aria-label="Search the log"
          placeholder="Search the log  /"
          value={find}
          onChange={({ target }) => setFind(target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') step(event.shiftKey ? -1 : 1)
            if (event.key === 'Escape') forget()
          }}
        />
        <label>
          <input type="checkbox" checked={expression} onChange={({ target }) => setExpression(target.checked)} />{' '}
          Regular expression
        </label>
        <IconButton label="The one before" icon={ArrowUp} shortcut="Shift+Enter" onClick={() => step(-1)} />
        <IconButton label="Find, or the next one" icon={ArrowDown} shortcut="Enter" onClick={() => step(1)} />
        <span role="status" className={problem === null ? 'muted' : 'problem'}>
          {problem ?? foundText(isSearched ? found : null, wanted?.index)}
        </span>
      </div>
      <LogPane
        key={`${run.run} ${stream}`}
        run={run}
        stream={stream}
        wanted={wanted}
        follows={follows}
        onFollow={setFollows}
      />
    </>
  )
}

const searchFrom = (run: string, stream: Stream, find: string, expression: boolean, from: number) =>
  call('agentRuns.search', { run, stream, find, as: expression ? 'expression' : 'text', ignoreCase: false, from })

function foundText(found: Found | null, index: number | undefined): string {
  if (!found) return ''
  const { lines, isDone } = found
  if (lines.length === 0) return isDone ? 'Nothing is like that.' : 'Searching…'
  const count = `${lines.length.toLocaleString('en')}${isDone ? '' : lines.length >= MOST ? ' or more' : '…'}`
  return `${(index ?? 0) + 1} of ${count} ${lines.length === 1 ? 'line' : 'lines'}`
}

/** Says what lives in spite of it. */
export function stopRun({ run, agent }: AgentRun): void {
  attempt(async () => {
    const { stillAlive } = await call('agentRuns.stop', { run })
    if (stillAlive.length === 0) notify(`The agent ${agent} is stopped, with all its processes.`)
  })
}
