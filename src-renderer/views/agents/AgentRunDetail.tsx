import { ArrowDown, ArrowUp, Square } from 'lucide-react'
import { useState } from 'react'
import { agentStreams, type AgentRun } from '@shared/contract/agents'
import { presets } from '@shared/agentPresets'
import { call } from '../../client/call'
import { attempt, notify } from '../../client/messages'
import { Button } from '../../widgets/Button'
import { Check } from '../../widgets/Check'
import { IconButton } from '../../widgets/IconButton'
import { Segments } from '../../widgets/Segments'
import { durationText } from '@shared/durationText'
import { clockText } from '../../widgets/clockText'
import { visibleText } from '../../widgets/visibleText'
import { elapsed, isLive, stateOf, usedText } from './agentRows'
import { LogPane } from './LogPane'
import { pidText } from './store'
import type { Stream } from './useLog'
import { useLogSearch, type LogSearch } from './useLogSearch'

const streamTitles: Readonly<Record<Stream, string>> = { output: 'Output', errors: 'Errors' }

/** One run of an agent: what became of it, and its log. */
export function AgentRunDetail({ run, now }: { readonly run: AgentRun; readonly now: number }) {
  const [stream, setStream] = useState<Stream>('output')
  const [follows, setFollows] = useState(true)
  const search = useLogSearch(run.run, stream)
  const { state } = run
  return (
    <>
      <Outcome run={run} />
      <Facts run={run} now={now} />
      <div className="agent-buttons">
        <Button
          label="Stop"
          icon={Square}
          shortcut="S"
          why={isLive(run) && state !== 'stopping' ? null : state === 'stopping' ? 'Stopping…' : 'Already ended.'}
          onClick={() => stopRun(run)}
        />
        <Segments
          label="Which log"
          value={stream}
          options={agentStreams.map((value) => ({ value, label: streamTitles[value] }))}
          onChange={(value) => {
            search.forget()
            setStream(value)
          }}
        />
        <Check
          label={
            <>
              Follow log <kbd>End</kbd>
            </>
          }
          checked={follows}
          onChange={setFollows}
        />
        <SearchTools search={search} />
      </div>
      <LogPane
        key={`${run.run} ${stream}`}
        run={run}
        stream={stream}
        wanted={search.wanted}
        follows={follows}
        onFollow={setFollows}
      />
    </>
  )
}

function Outcome({ run }: { readonly run: AgentRun }) {
  const { word, tone } = stateOf(run)
  return (
    <>
      <h2 className="agent-title">
        {run.agent}
        <span className={`state-words ${tone}`}>
          <span className="dot" aria-hidden />
          {word}
        </span>
      </h2>
      {run.reason === '' ? null : (
        <p className={run.stillAlive.length > 0 || tone === 'bad' ? 'problem' : 'muted'}>{visibleText(run.reason)}</p>
      )}
    </>
  )
}

function Facts({ run, now }: { readonly run: AgentRun; readonly now: number }) {
  const { pid, exitCode, model, preset } = run
  const facts: readonly (readonly [title: string, text: string])[] = [
    ['For', visibleText(run.purpose)],
    ['Agent', [presets[preset].title, model].filter(Boolean).join(', ')],
    ['Process', pid === null ? 'none' : `${pidText([pid])}${exitCode === null ? '' : `, exit code ${exitCode}`}`],
    ['Started', run.startedAt === null ? 'not yet' : clockText(run.startedAt)],
    ['Duration', durationText(elapsed(run, now))],
    ['Used', usedText(run) || 'not reported'],
  ]
  return (
    <dl className="agent-facts">
      {facts.map(([title, text]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd className="data">{text}</dd>
        </div>
      ))}
    </dl>
  )
}

function SearchTools({ search }: { readonly search: LogSearch }) {
  const { find, setFind, isExpression, setExpression, problem, summary, step, forget } = search
  return (
    <>
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
      <Check label="Regular expression" checked={isExpression} onChange={setExpression} />
      <IconButton label="Previous match" icon={ArrowUp} shortcut="Shift+Enter" onClick={() => step(-1)} />
      <IconButton label="Next match" icon={ArrowDown} shortcut="Enter" onClick={() => step(1)} />
      <span role="status" className={problem === null ? 'muted' : 'problem'}>
        {problem ?? summary}
      </span>
    </>
  )
}

/** Says which processes are still alive. */
export function stopRun({ run, agent }: AgentRun): void {
  attempt(async () => {
    const { stillAlive } = await call('agentRuns.stop', { run })
    if (stillAlive.length === 0) notify(`The agent ${agent} is stopped, with all its processes.`)
  })
}
