import type { LoopName } from '@shared/contract/loops'
import { isMaestroSession } from '@shared/formats/systems'
import type { DetailsOf, NumberFact } from '@shared/contract/runDetails'
import { visibleText } from '../../../../widgets/visibleText'
import { Source } from '../../Source'
import { loopName } from '../../loops'
import { EnvStep } from '../../setup/StartSteps'
import { useLoopSetup } from '../../setup/useLoopSetup'
import { placeOf, useProjects } from '../../store'
import { StateLabel } from '../../StateLabel'
import type { Tone } from '../../labels'
import {
  Entry,
  FactLine,
  Facts,
  FileText,
  lengthText,
  numberText,
  Section,
  Table,
  TextList,
  timeText,
  type PanelProps,
} from '../parts'
import { formatPanel } from '../formatPanel'
import { BatchControls } from '../BatchControls'
import { HooksSection } from '../HooksSection'
import { StartSettings } from '../StartSettings'

type Maestro = DetailsOf<'maestro'>
type Phase = Maestro['phases'][number]
type Agent = Maestro['batches'][number]['agents'][number]

const agentWords: Readonly<Record<Agent['state'], { word: string; tone: Tone }>> = {
  waiting: { word: 'waiting', tone: 'muted' },
  started: { word: 'started, no exit code', tone: 'warn' },
  success: { word: 'success', tone: 'ok' },
  failed: { word: 'failed', tone: 'bad' },
  timeout: { word: 'timed out', tone: 'bad' },
  unknown: { word: 'unknown', tone: 'warn' },
}

function MaestroPanel({ project, details, version }: PanelProps<Maestro>) {
  const { session, phases, plans, designGates, batches, hookFiles } = details
  const name = useStarted(project, batches)
  const { setup } = useLoopSetup(name, String(version))
  const env = setup?.missing.find(({ step }) => step === 'env')
  return (
    <>
      <Settings project={project} details={details} />
      <Section title="Phases" count={phases.length} none="No phases.">
        {phases.map((phase) => (
          <PhaseEntry key={phase.key} project={project} phase={phase} />
        ))}
      </Section>
      {session === null ? null : <TokenTable project={project} tokens={session.tokens} />}
      <Section title="Batches" count={batches.length} none="No parallel batches.">
        {name && !isMaestroSession(name.place) && setup && env ? (
          <ol className="start-steps" aria-label="Before a batch can run">
            <EnvStep name={name} words={setup.envWords} />
          </ol>
        ) : null}
        {batches.map((batch) => (
          <BatchEntry
            key={batch.id}
            project={project}
            batch={batch}
            version={version}
            obstacle={env ? `${env.what} ${env.hint}` : null}
          />
        ))}
      </Section>
      {setup ? <StartSettings settings={setup.settings} /> : null}
      <Section title="Plans" count={plans.length} none="No plans.">
        {plans.map((plan, at) => (
          <PlanEntry key={at} project={project} plan={plan} version={version} />
        ))}
      </Section>
      {hookFiles.length === 0 ? null : <HooksSection project={project} hookFiles={hookFiles} />}
      {designGates.length === 0 ? null : (
        <Section title="Design gates" count={designGates.length}>
          {designGates.map((gate, at) => (
            <GateLine key={at} project={project} gate={gate} />
          ))}
        </Section>
      )}
    </>
  )
}

function useStarted(project: number, [batch]: Maestro['batches']): LoopName | null {
  const isPast = useProjects(({ at }) => at !== null)
  const run = useProjects(({ choice, runs }) => runs.get(placeOf(project, choice?.run ?? ''))?.run)
  if (isPast || !run) return null
  return loopName(project, run) ?? (batch ? { project, system: 'maestro', place: batch.folder } : null)
}

interface SettingsProps {
  readonly project: number
  readonly details: Maestro
}

function Settings({ project, details: { stateDir, stateDirSetting, session } }: SettingsProps) {
  return (
    <Facts>
      <div>
        <dt>State</dt>
        <dd>
          <span className="data">{visibleText(stateDir === '' ? 'this folder' : stateDir)}</span>{' '}
          <span className="muted">
            MAESTRO_STATE_DIR: {visibleText(stateDirSetting.value)} by {stateDirSetting.source}
          </span>
        </dd>
      </div>
      {session === null ? null : (
        <>
          <FactLine project={project} title="Mode" fact={session.executionMode} />
          <FactLine project={project} title="Workflow" fact={session.workflowMode} />
          <FactLine project={project} title="Backend" fact={session.backend} />
          <FactLine project={project} title="Complexity" fact={session.complexity} />
          <FactLine project={project} title="Batch" fact={session.currentBatch} />
          <FactLine project={project} title="Created" fact={session.created} say={timeText} />
          <FactLine project={project} title="Updated" fact={session.updated} say={timeText} />
        </>
      )}
    </Facts>
  )
}

const yesOrNo = (value: unknown): string => (value === true ? 'yes' : 'no')

function PhaseEntry({ project, phase }: { readonly project: number; readonly phase: Phase }) {
  const { key, name, status, files, downstream, errors } = phase
  return (
    <Entry
      project={project}
      open={status.value === 'failed' || status.value === 'in_progress'}
      source={status.source ?? name.source}
      summary={
        <>
          <span className="data">{visibleText(key)}</span> {visibleText(name.value ?? '')}{' '}
          <span className="muted">{visibleText(status.value ?? 'unknown')}</span>
        </>
      }
    >
      <Facts>
        <TextList project={project} title="Agents" facts={phase.agents} />
        <TextList project={project} title="Waits for" facts={phase.blockedBy} />
        <FactLine project={project} title="Started" fact={phase.started} say={timeText} />
        <FactLine project={project} title="Completed" fact={phase.completed} say={timeText} />
        <FactLine project={project} title="Parallel" fact={phase.parallel} say={yesOrNo} />
        <FactLine project={project} title="Retries" fact={phase.retries} />
        <FactLine project={project} title="To reconcile" fact={phase.requiresReconciliation} say={yesOrNo} />
        <FactLine project={project} title="Because" fact={phase.reconciliationReason} />
        <TextList project={project} title="Created" facts={files.created} />
        <TextList project={project} title="Modified" facts={files.modified} />
        <TextList project={project} title="Deleted" facts={files.deleted} />
        <TextList project={project} title="Planned" facts={files.planned} />
      </Facts>
      {downstream.every(({ entries }) => entries.length === 0) ? null : (
        <>
          <h4>Passed on to later phases</h4>
          <Facts>
            {downstream.map(({ name: title, entries }) => (
              <TextList key={title} project={project} title={visibleText(title.replaceAll('_', ' '))} facts={entries} />
            ))}
          </Facts>
        </>
      )}
      {errors.map((error, at) => (
        <PhaseError key={at} project={project} error={error} />
      ))}
    </Entry>
  )
}

function PhaseError({ project, error }: { readonly project: number; readonly error: Phase['errors'][number] }) {
  const { agent, type, message, resolution, resolved, time } = error
  const title = [
    type.value ?? 'error',
    agent.value === null ? '' : `of ${agent.value}`,
    time.value === null ? '' : timeText(time.value),
  ]
  return (
    <p className={resolved.value === true ? 'muted' : 'bad-text'}>
      {visibleText(title.filter(Boolean).join(' '))}: {visibleText(message.value ?? 'unknown')}
      {resolution.value === null ? '' : `; resolution: ${visibleText(resolution.value)}`}{' '}
      <Source project={project} source={message.source} />
    </p>
  )
}

interface BatchEntryProps {
  readonly project: number
  readonly batch: Maestro['batches'][number]
  readonly version: number
  readonly obstacle: string | null
}

function BatchEntry({ project, batch, version, obstacle }: BatchEntryProps) {
  const { id, status, succeeded, failed, total, seconds, agents } = batch
  return (
    <div className="details-batch">
      <p>
        <strong className="data">{visibleText(id)}</strong> {visibleText(status.value ?? 'no summary')}{' '}
        <span className="muted">
          {numberText(succeeded)} of {numberText(total)} succeeded, {numberText(failed)} failed
          {seconds.value === null ? '' : `, ${lengthText(1_000 * seconds.value)}`}
          {batchTokens(agents)}
        </span>{' '}
        <Source project={project} source={status.source} />
      </p>
      <BatchControls project={project} batch={batch} obstacle={obstacle} />
      {agents.map((agent) => (
        <AgentLine key={agent.name} project={project} agent={agent} version={version} />
      ))}
    </div>
  )
}

/** Agents that report no tokens do not count as 0. */
function batchTokens(agents: readonly Agent[]): string {
  const known = agents.filter(({ tokens }) => tokens.input.value !== null && tokens.output.value !== null)
  if (known.length === 0) return ''
  const sum = (name: 'input' | 'output') =>
    known.reduce((total, { tokens }) => total + (tokens[name].value ?? 0), 0).toLocaleString('en')
  const silent = agents.length - known.length
  return `, ${sum('input')} tokens read, ${sum('output')} written${silent === 0 ? '' : `; unknown of ${silent}`}`
}

interface PlanEntryProps {
  readonly project: number
  readonly plan: Maestro['plans'][number]
  readonly version: number
}

function PlanEntry({ project, plan: { kind, path, named, title, status }, version }: PlanEntryProps) {
  return (
    <div>
      {path === null ? (
        <p>
          {kind} plan: <span className="bad-text">missing</span>{' '}
          <span className="data">{visibleText(named.value ?? '')}</span>{' '}
          <Source project={project} source={named.source} />
        </p>
      ) : (
        <FileText
          project={project}
          file={path}
          version={version}
          title={`${kind} plan: ${title.value ?? path}${status.value === null ? '' : `, ${status.value}`}`}
          isMarkdown
        />
      )}
    </div>
  )
}

interface GateLineProps {
  readonly project: number
  readonly gate: Maestro['designGates'][number]
}

function GateLine({ project, gate: { open, session, enteredAt, approvedAt } }: GateLineProps) {
  const since = enteredAt.value === null ? '' : `since ${timeText(enteredAt.value)}`
  return (
    <p>
      {visibleText(session.value ?? 'unknown')}: {open ? <span className="warn-text">needs approval</span> : 'approved'}{' '}
      {approvedAt.value === null ? since : timeText(approvedAt.value)}{' '}
      <Source project={project} source={approvedAt.source ?? enteredAt.source} />
    </p>
  )
}

function AgentLine({
  project,
  agent: { name, state, exitCode, prompt, output, log, tokens },
  version,
}: {
  readonly project: number
  readonly agent: Agent
  readonly version: number
}) {
  const written = [tokens.input, tokens.output].some(({ value }) => value !== null)
  return (
    <div className="details-agent">
      <p>
        <span className="data">{visibleText(name)}</span> <StateLabel {...agentWords[state]} /> exit code{' '}
        {numberText(exitCode)} <Source project={project} source={exitCode.source} />
        {written ? (
          <span className="muted">
            {' '}
            {numberText(tokens.input)} tokens read, {numberText(tokens.output)} written
          </span>
        ) : null}
      </p>
      {prompt === null ? null : (
        <FileText project={project} file={prompt} version={version} title="Prompt" isMarkdown />
      )}
      {log === null ? null : <FileText project={project} file={log} version={version} title="Log" isMarkdown={false} />}
      {output === null ? null : (
        <FileText project={project} file={output} version={version} title="Output" isMarkdown={false} />
      )}
    </div>
  )
}

function TokenTable({
  project,
  tokens: { byAgent, ...total },
}: {
  readonly project: number
  readonly tokens: NonNullable<Maestro['session']>['tokens']
}) {
  const rows = [...byAgent, { agent: 'all agents', ...total }]
  const number = (fact: NumberFact) => (
    <td className="data details-number">
      {fact.value === null ? <span className="muted">unknown</span> : numberText(fact)}
    </td>
  )
  if (byAgent.length === 0 && total.input.value === null && total.output.value === null)
    return <Section title="Tokens" count={0} none="No tokens counted." />
  return (
    <Section title="Tokens">
      <Table heads={['Agent', 'Read', 'Written', 'From the cache', 'File']}>
        {rows.map(({ agent, input, output, cached }, at) => (
          <tr key={at}>
            <th scope="row">{visibleText(agent)}</th>
            {number(input)}
            {number(output)}
            {number(cached)}
            <td>
              <Source project={project} source={input.source ?? output.source} />
            </td>
          </tr>
        ))}
      </Table>
    </Section>
  )
}

export const panel = formatPanel('maestro', MaestroPanel)
