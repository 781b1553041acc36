/** Phases are not in the file: they are the steps that its actions go through. */
import type { Reading, RunFiles } from '../format'
import { nameOf, parentOf, within, type Listing } from '../listing'
import { field, itemsOf, numberOf, textOf, timeOf, type Located, type LocatedDocument } from '../text/located'
import { projectPath } from '../text/namedPath'
import type { Fact, RunArtefact, RunError, RunNeed, RunState, WorkState } from '@shared/contract/orchestration'
import { unknown, type PhaseView, type TaskView } from '../run'
import type { AppliedFix, Diagnosis, Fix, StateDetails, TuningDetails } from './details'
import { ROLLED_BACK, statuses, USER_EXIT } from './schema'
import { shownDetails } from './shownDetails'
import { openState, type TuningState } from './state'
import { holdNeeds } from '../runHold'
import { contradictions } from './contradictions'
import { reachedLimit } from './limits'
import { readNeeds } from './needs'
import { actionNames } from './progress'

export function read(files: RunFiles): Reading<TuningDetails> {
  const { candidate, listing } = files
  const state = openState(files)
  const { document, root, details } = state
  const written = document.fact(field(root, 'updated_at'), timeOf)
  const modifiedAt = files.files.get(state.file)?.modifiedAt ?? null
  const needs = readNeeds(state, files.remembered)
  const phases = readPhases(details)
  return {
    view: {
      system: 'tuning',
      key: `tuning:${candidate.marker}`,
      folder: candidate.folder,
      archived: candidate.archived,
      id: { value: nameOf(candidate.marker), source: { file: state.file } },
      title: title(details, state.file),
      ...readRunState(state, needs),
      updatedAt:
        written.value === null && modifiedAt !== null ? { value: modifiedAt, source: { file: state.file } } : written,
      currentPhase: currentPhase(phases, details.status),
      phases,
      needs: [...needs, ...holdNeeds(files.remembered, { file: state.file })],
      meters: [
        {
          name: 'Iterations',
          unit: 'iterations',
          used: number(state, 'iteration_count'),
          limit: number(state, 'max_iterations'),
        },
        { name: 'Errors', unit: 'errors', used: number(state, 'error_count'), limit: number(state, 'max_errors') },
      ],
      errors: itemsOf(field(root, 'errors')).map((node) => readError(document, node)),
      artefacts: readArtefacts(state, candidate.folder, listing),
    },
    details: shownDetails(files, state),
    findings: [...state.findings, ...contradictions(state)],
  }
}

const number = ({ document, root }: TuningState, name: string): Fact<number> =>
  document.fact(field(root, name), numberOf)

function title({ skill, problem, workDir }: StateDetails, file: string): Fact<string> {
  const name = skill.name.value ?? nameOf(skill.path.value ?? '')
  if (name === '' && !problem.value) return { value: nameOf(workDir), source: { file } }
  return { value: [name, problem.value].filter(Boolean).join(': '), source: skill.name.source ?? problem.source }
}

function readRunState(state: TuningState, needs: readonly RunNeed[]): { state: Fact<RunState>; reason: Fact<string> } {
  const { status, score, currentAction } = state.details
  const { source } = status
  const is = (value: RunState, reason: string, from = source) => ({
    state: { value, source, ...(status.value === null ? {} : { written: status.value }) },
    reason: { value: reason, source: from },
  })
  switch (status.value) {
    case 'pending':
      return is('planning', 'Not started: the skill and the problem are not named yet.')
    case 'completed': {
      const limit = reachedLimit(state)
      if (limit) return is('limit', limit.text, limit.source)
      return is(
        'done',
        score.gate.value === null ? 'Completed.' : `Completed; gate: ${score.gate.value}.`,
        score.gate.source ?? source,
      )
    }
    case 'failed': {
      const errors = number(state, 'error_count')
      return is(
        'failed',
        errors.value === null ? 'Aborted.' : `Aborted after ${errors.value} error${errors.value === 1 ? '' : 's'}.`,
        errors.source ?? source,
      )
    }
    case USER_EXIT:
      return is('waiting', 'Left before it completed; it can be resumed.')
    case 'running': {
      const [need] = needs
      if (need)
        return is(need.kind === 'approval' || need.kind === 'gate' ? 'gate' : 'waiting', `${need.title}.`, need.source)
      return is(
        'running',
        currentAction.value === null ? 'Between two actions.' : `At ${currentAction.value}.`,
        currentAction.source ?? source,
      )
    }
    default:
      return { state: unknown(source, status.value ?? status.written), reason: unknown() }
  }
}

const ours = (title: string): Fact<string> => ({ value: title, source: null })

function readPhases(details: StateDetails): PhaseView[] {
  const { status, diagnoses, fixes, completedActions, currentAction } = details
  const completed = (action: string): Fact<string> | undefined => completedActions.find(({ value }) => value === action)
  const step = (
    key: string,
    name: string,
    action: string,
    before: readonly string[],
    tasks: readonly TaskView[] = [],
  ): PhaseView => {
    const done = completed(action)
    const active = currentAction.value === action
    const state: Fact<WorkState> = active
      ? { value: 'active', source: currentAction.source }
      : { value: done ? 'done' : 'todo', source: done?.source ?? null }
    const dependencies = before.map(ours)
    return {
      key,
      title: ours(name),
      state,
      dependencies,
      owner: ours(action),
      ...timesOf(action, active, details),
      tasks,
    }
  }
  const started = [...statuses, USER_EXIT].some((known) => known === status.value && known !== 'pending')
  const init = step('init', 'Start', actionNames.init, [])
  return [
    started && init.state.value === 'todo' ? { ...init, state: { value: 'done', source: status.source } } : init,
    {
      key: 'diagnose',
      title: ours('Diagnose'),
      dependencies: [ours('init')],
      ...combined(diagnoses.map((diagnosis) => diagnosisTask(diagnosis, details))),
    },
    step('report', 'Report', actionNames.report, ['diagnose']),
    step('propose', 'Propose fixes', actionNames.propose, ['report']),
    { key: 'fix', title: ours('Apply and verify'), dependencies: [ours('propose')], ...combined(fixes.map(fixTask)) },
    step('complete', 'Complete', 'action-complete', ['fix']),
  ]
}

function timesOf(
  action: string,
  active: boolean,
  { history }: StateDetails,
): { readonly started?: Fact<number>; readonly completed?: Fact<number> } {
  const last = history.findLast((entry) => entry.action.value === action)
  if (!last || (active && last.completedAt.value !== null)) return {}
  return { started: last.startedAt, completed: last.completedAt }
}

function combined(tasks: readonly TaskView[]): { state: Fact<WorkState>; tasks: readonly TaskView[] } {
  const states = tasks.map(({ state }) => state.value)
  const first = tasks.find(({ state }) => state.source !== null)?.state.source ?? null
  const settled = states.every((state) => state === 'done' || state === 'skipped' || state === 'failed')
  const value = states.includes('active')
    ? 'active'
    : states.length === 0
      ? 'todo'
      : states.includes(null)
        ? null
        : settled
          ? (states.find((state) => state === 'failed') ?? 'done')
          : states.every((state) => state === 'todo' || state === 'skipped')
            ? 'todo'
            : 'active'
  return { state: { value, source: first }, tasks }
}

const diagnosisStates: Readonly<Record<Diagnosis['state'], WorkState | null>> = {
  open: 'todo',
  done: 'done',
  skipped: 'skipped',
  failed: 'failed',
  unknown: null,
}

function diagnosisTask({ area, state, status }: Diagnosis, details: StateDetails): TaskView {
  const { currentAction } = details
  const action = `action-diagnose-${area.replaceAll('_', '-')}`
  const active = currentAction.value === action
  const value = active ? 'active' : diagnosisStates[state]
  return {
    key: `diagnose/${area}`,
    title: ours(`Diagnose ${area}`),
    state: {
      value,
      source: active ? currentAction.source : status.source,
      ...(value === null && status.value !== null ? { written: status.value } : {}),
    },
    dependencies: [],
    owner: ours(action),
    ...timesOf(action, active, details),
  }
}

const verifications: Readonly<Record<string, WorkState>> = {
  pass: 'done',
  fail: 'failed',
  pending: 'active',
  [ROLLED_BACK]: 'skipped',
}

function fixTask({ key, id, description, applied }: Fix): TaskView {
  const state = fixState(id, applied.at(-1))
  const name = [id.value, description.value].filter(Boolean).join(': ')
  return {
    key: `fix/${key}`,
    title: { value: name === '' ? null : name, source: id.source ?? description.source },
    state,
    dependencies: [],
  }
}

function fixState(id: Fact<string>, last: AppliedFix | undefined): Fact<WorkState> {
  if (!last) return { value: 'todo', source: id.source }
  if (last.success.value === false) return { value: 'failed', source: last.success.source }
  const { value, source } = last.verification
  return value === null ? unknown(source ?? id.source) : { value: verifications[value] ?? null, source, written: value }
}

function currentPhase(phases: readonly PhaseView[], status: Fact<string>): Fact<string> {
  if (status.value !== 'running' && status.value !== 'pending') return unknown()
  const phase =
    phases.find(({ state }) => state.value === 'active') ?? phases.find(({ state }) => state.value === 'todo')
  return phase ? { value: phase.key, source: phase.state.source } : unknown()
}

function readError(document: LocatedDocument, node: Located): RunError {
  return {
    message: node.kind === 'scalar' ? document.fact(node, textOf) : document.fact(field(node, 'message'), textOf),
    at: textOf(field(node, 'action')) ?? null,
    time: document.fact(field(node, 'timestamp'), timeOf),
    resolved: null,
  }
}

function readArtefacts(state: TuningState, folder: string, listing: Listing): RunArtefact[] {
  const { details, file } = state
  const own = listing
    .below(details.workDir)
    .filter((path) => path !== file && !path.startsWith(within(details.workDir, 'backups/')))
  const found = own.map((path): RunArtefact => ({
    kind: kindOf(path.slice(details.workDir.length + 1)),
    path,
    exists: true,
    source: { file: path },
  }))
  const named: [string, Fact<string>][] = [
    ['backup', details.backupDir],
    ...details.fixes.flatMap(({ applied }) => applied.map(({ backup }): [string, Fact<string>] => ['backup', backup])),
    ...details.history.flatMap(({ outputs }) => outputs.map((output): [string, Fact<string>] => ['output', output])),
  ]
  const known = new Set(own)
  for (const [kind, { value, source }] of named) {
    if (!value || !source) continue
    const path = projectPath(folder, value)
    if (known.has(path ?? value)) continue
    known.add(path ?? value)
    found.push({
      kind,
      path: path ?? value,
      exists: path === undefined ? null : listing.hasFile(path) || listing.hasFolder(path),
      source,
    })
  }
  return found
}

function kindOf(path: string): string {
  const name = nameOf(path)
  const parent = parentOf(path)
  if (parent === 'diagnosis' || parent === 'fixes') return parent
  return /report|summary/.test(name)
    ? 'report'
    : name === 'errors.json'
      ? 'errors'
      : name.startsWith('requirement-analysis')
        ? 'requirements'
        : 'file'
}
