import type { Reading, RunFiles } from '../format'
import { field, textOf, timeOf } from '../text/located'
import { nameOf, type Listing } from '../listing'
import { ownCheckFindings, withChecks } from '../ownCheck'
import { batchHoldNeeds, holdNeeds } from '../runHold'
import { projectPath } from '../text/namedPath'
import type {
  Fact,
  RunArtefact,
  RunError,
  RunMeter,
  RunNeed,
  RunState,
  ValueSource,
  WorkState,
} from '@shared/contract/orchestration'
import { unknown, type PhaseView, type RunView, type TaskView } from '../run'
import { contradictions } from './contradictions'
import type { Batch, BatchAgent, MaestroDetails, PhaseDetails, SessionDetails } from './details'
import { gateNeeds, readNeeds } from './needs'
import {
  batchSource,
  holdSource,
  idOf,
  isBareArchive,
  looksLikeSession,
  openRun,
  type MaestroState,
  type SessionFile,
} from './state'

export function read(run: RunFiles): Reading<MaestroDetails> | undefined {
  const state = openRun(run)
  const { session, details } = state
  if (session && run.candidate.archived && !looksLikeSession(session) && !isBareArchive(run, session)) return undefined
  if (!session && details.batches.length + details.plans.length + details.designGates.length === 0) return undefined
  const view = session && details.session ? sessionView(run, state, session, details.session) : planningView(run, state)
  return {
    view,
    details,
    findings: [...state.findings, ...contradictions(run, state), ...ownCheckFindings(view.phases, 'maestro')],
  }
}

const ours = (title: string): Fact<string> => ({ value: title, source: null })

function sessionView(run: RunFiles, state: MaestroState, session: SessionFile, details: SessionDetails): RunView {
  const { candidate, listing } = run
  const { document, root, file } = session
  const { phases } = state.details
  const id = idOf(run, session)
  const needs = candidate.archived
    ? []
    : [
        ...holdNeeds(run.remembered, holdSource(session)),
        ...readNeeds(state, details, file),
        ...batchHoldNeeds(run.remembered, batchSource(run, state)),
      ]
  const current = document.fact(field(root, 'current_phase'), textOf)
  const written = document.fact(field(root, 'updated'), timeOf)
  const modifiedAt = run.files.get(file)?.modifiedAt ?? null
  const [heading] = session.headings
  return {
    system: 'maestro',
    key: `maestro:${candidate.marker}`,
    folder: candidate.folder,
    archived: candidate.archived,
    id,
    title:
      details.task.value !== null
        ? details.task
        : heading
          ? { value: heading.text, source: { file, line: heading.line } }
          : id,
    ...sessionState(details, phases, needs),
    updatedAt: written.value === null && modifiedAt !== null ? { value: modifiedAt, source: { file } } : written,
    currentPhase: current,
    phases: withChecks(phases.map(phaseView), run.remembered),
    needs,
    meters: readMeters(state, details),
    errors: phases.flatMap(readErrors),
    artefacts: readArtefacts(state.details, candidate.folder, listing),
  }
}

function sessionState(
  { status }: SessionDetails,
  phases: readonly PhaseDetails[],
  needs: readonly RunNeed[],
): { state: Fact<RunState>; reason: Fact<string> } {
  const { value, source } = status
  const is = (state: RunState, reason: string, from: ValueSource | null = source) => ({
    state: { value: state, source, ...(value === null ? {} : { written: value }) },
    reason: { value: reason, source: from },
  })
  const done = phases.filter((phase) => phase.status.value === 'completed' || phase.status.value === 'skipped').length
  const progress = `${done} of ${phases.length} phases are done`
  if (value === 'completed') return is('done', `${progress}.`)
  if (value === 'failed') return is('failed', `${progress}.`)
  if (value !== 'in_progress') return { state: unknown(source, value ?? status.written), reason: unknown() }
  const [need] = needs
  if (need)
    return is(need.kind === 'gate' || need.kind === 'approval' ? 'gate' : 'waiting', `${need.title}.`, need.source)
  return is('running', `${progress}.`)
}

const workStates: Readonly<Record<string, WorkState>> = {
  pending: 'todo',
  in_progress: 'active',
  completed: 'done',
  failed: 'failed',
  skipped: 'skipped',
}

function workState({ value, source, written }: Fact<string>): Fact<WorkState> {
  const state = value === null ? undefined : workStates[value]
  const stands = value ?? written
  return { value: state ?? null, source, ...(stands === undefined ? {} : { written: stands }) }
}

function phaseView({ key, name, id, status, blockedBy, agents, started, completed, retries }: PhaseDetails): PhaseView {
  const owners = agents.flatMap(({ value }) => value ?? [])
  return {
    key,
    title: name.value === null ? { value: id.value === null ? null : `Phase ${id.value}`, source: id.source } : name,
    state: workState(status),
    dependencies: blockedBy,
    ...(owners.length > 0 ? { owner: { value: owners.join(', '), source: agents[0]?.source ?? null } } : {}),
    started,
    completed,
    retries,
    tasks: [],
  }
}

function readMeters({ details, maxRetries }: MaestroState, { tokens }: SessionDetails): RunMeter[] {
  const used = (name: string, fact: Fact<number>): RunMeter[] =>
    fact.value === null ? [] : [{ name, unit: 'tokens', used: fact, limit: unknown() }]
  return [
    ...details.phases.flatMap(({ name, key, retries, status }) =>
      (retries.value ?? 0) > 0 || status.value === 'failed'
        ? [{ name: `Retries of ${name.value ?? key}`, unit: 'retries', used: retries, limit: maxRetries }]
        : [],
    ),
    ...used('Tokens read', tokens.input),
    ...used('Tokens written', tokens.output),
    ...used('Tokens from the cache', tokens.cached),
    ...tokens.byAgent.flatMap(({ agent, input, output }) => {
      const sum = input.value === null && output.value === null ? null : (input.value ?? 0) + (output.value ?? 0)
      return used(`Tokens of ${agent}`, { value: sum, source: input.source ?? output.source })
    }),
  ]
}

const readErrors = ({ key, errors }: PhaseDetails): RunError[] =>
  errors.map(({ message, time, resolved }) => ({ message, at: key, time, resolved: resolved.value }))

function readArtefacts(details: MaestroDetails, folder: string, listing: Listing): RunArtefact[] {
  const claimed = (kind: string, facts: readonly Fact<string>[]): RunArtefact[] =>
    facts.flatMap(({ value, source }) => {
      if (value === null || value === '' || source === null) return []
      const path = projectPath(folder, value)
      return [
        {
          kind,
          path: path ?? value,
          exists: path === undefined ? null : listing.hasFile(path) || listing.hasFolder(path),
          source,
        },
      ]
    })
  return [
    ...details.plans.map(({ kind, path, named }): RunArtefact => ({
      kind: `${kind} plan`,
      path: path ?? named.value ?? '',
      exists: path !== null,
      source: named.source ?? { file: path ?? details.stateDir },
    })),
    ...details.phases.flatMap(({ files }) => Object.entries(files).flatMap(([kind, facts]) => claimed(kind, facts))),
    ...details.batches.flatMap(({ agents }) =>
      agents.flatMap(({ output, log }) =>
        [output, log].flatMap((path) =>
          path === null ? [] : [{ kind: 'result', path, exists: true, source: { file: path } }],
        ),
      ),
    ),
  ]
}

function planningView(run: RunFiles, state: MaestroState): RunView {
  const { candidate, listing, remembered } = run
  const { details } = state
  const needs = [...gateNeeds(details), ...batchHoldNeeds(remembered, batchSource(run, state))]
  const [need] = needs
  const [plan] = details.plans
  const planFile: ValueSource | null = plan && plan.path !== null ? { file: plan.path } : null
  const [gate] = details.designGates
  const runState: Fact<RunState> = need
    ? { value: need.kind === 'gate' ? 'gate' : 'waiting', source: need.source }
    : (plan ?? gate)
      ? { value: 'planning', source: planFile ?? gate?.enteredAt.source ?? null }
      : unknown()
  return {
    system: 'maestro',
    key: `maestro:${candidate.marker}`,
    folder: candidate.folder,
    archived: false,
    id: gate?.session ?? unknown(),
    title:
      plan && plan.title.value !== null
        ? plan.title
        : { value: `No session in ${details.stateDir === '' ? 'this folder' : details.stateDir}`, source: null },
    state: runState,
    reason: need
      ? { value: `${need.title}.`, source: need.source }
      : plan
        ? { value: `${nameOf(plan.path ?? '')} exists; no session yet.`, source: planFile }
        : unknown(),
    updatedAt: gate?.enteredAt ?? unknown(),
    currentPhase: unknown(),
    phases: details.batches.map(batchView),
    needs,
    meters: [],
    errors: [],
    artefacts: readArtefacts(details, candidate.folder, listing),
  }
}

function batchView({ id, status, agents }: Batch): PhaseView {
  const tasks = agents.map(agentView)
  const states = tasks.map(({ state }) => state.value)
  const value: WorkState = states.includes('failed')
    ? 'failed'
    : states.every((state) => state === 'done')
      ? 'done'
      : states.some((state) => state !== 'todo')
        ? 'active'
        : 'todo'
  return { key: id, title: ours(`Batch ${id}`), state: { value, source: status.source }, dependencies: [], tasks }
}

const agentStates: Readonly<Record<BatchAgent['state'], WorkState | null>> = {
  waiting: 'todo',
  started: 'active',
  success: 'done',
  failed: 'failed',
  timeout: 'failed',
  unknown: null,
}

const agentView = ({ name, state, exitCode }: BatchAgent): TaskView => ({
  key: name,
  title: ours(name),
  state: { value: agentStates[state], source: exitCode.source },
  dependencies: [],
  owner: ours(name),
})
