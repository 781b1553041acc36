import { Square } from 'lucide-react'
import { kindsOf, kindsText, pricedText } from '@shared/agentUse'
import type { AgentRun } from '@shared/contract/agents'
import { presets } from '@shared/agentPresets'
import { durationText } from '@shared/durationText'
import { AgentLog } from '../../client/agents/AgentLog'
import { elapsed, isLive, purposeText, stateOf, usedText } from '../../client/agents/agentRows'
import { pidText } from '../../client/agents/agentRuns'
import { call } from '../../client/call'
import { attempt, notify } from '../../client/messages'
import { Button } from '../../widgets/Button'
import { dayAndTime } from '../../widgets/times'
import { visibleText } from '../../widgets/visibleText'

export function AgentRunDetail({ run, now }: { readonly run: AgentRun; readonly now: number }) {
  const { state } = run
  return (
    <>
      <Outcome run={run} />
      <Facts run={run} now={now} />
      <AgentLog run={run}>
        <Button
          label="Stop"
          icon={Square}
          shortcut="S"
          why={isLive(run) && state !== 'stopping' ? null : state === 'stopping' ? 'Stopping…' : 'Already ended.'}
          onClick={() => stopRun(run)}
        />
      </AgentLog>
    </>
  )
}

function Outcome({ run }: { readonly run: AgentRun }) {
  const { word, tone } = stateOf(run)
  return (
    <>
      <h2 className="agent-title">
        {visibleText(purposeText(run))}
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
    ['Agent', [run.agent, presets[preset].title, model].filter(Boolean).join(', ')],
    ['Process', pid === null ? 'none' : `${pidText([pid])}${exitCode === null ? '' : `, exit code ${exitCode}`}`],
    ['Started', run.startedAt === null ? 'not yet' : dayAndTime(run.startedAt)],
    ['Duration', durationText(elapsed(run, now))],
    ['Used', usedText(run) || 'not reported'],
    ['Tokens', run.uses ? kindsText(kindsOf(run.uses)) : '—'],
    ['Cost', run.cost === null ? '—' : pricedText(run)],
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

export function stopRun({ run, agent }: AgentRun): void {
  attempt(async () => {
    const { stillAlive } = await call('agentRuns.stop', { run })
    if (stillAlive.length === 0) notify(`The agent ${agent} is stopped, with all its processes.`)
  })
}
