import type { Reading, RunFiles } from '../format'
import { within } from '../listing'
import { field, numberOf, textOf, timeOf } from '../text/located'
import type { Fact, RunMeter, RunNeed, RunState, WorkState } from '@shared/contract/orchestration'
import { unknown, type PhaseView } from '../run'
import { contradictions } from './contradictions'
import { detailsOf, type NcrewDetails } from './details'
import { openGate, type Gate } from './gates'
import {
  DEFAULT_MAX_COST,
  DEFAULT_MAX_ITERATIONS,
  expertFor,
  indexField,
  isPending,
  isProject,
  limitOf,
  locate,
  maxCost,
  maxIterations,
  nextTask,
  slug,
  type MarkdownFile,
  type Phase,
  type State,
  type StatusWord,
} from './state'

export function read(files: RunFiles): Reading<NcrewDetails> | undefined {
  const state = locate(files)
  if (!isProject(files, state)) return undefined
  const { folder } = state
  const gate = openGate(state, files.remembered)
  const { value, reason } = runState(state, gate)
  const status = indexFact(state, 'status', textOf)
  const next = nextTask(state)
  return {
    view: {
      system: 'ncrew',
      key: `ncrew:${folder}`,
      folder,
      archived: files.candidate.archived,
      id: state.tasks
        ? state.tasks.front.document.fact(field(state.tasks.front.document.root, 'project'), textOf)
        : unknown(),
      title: title(state),
      state: { value, source: status.source, ...(status.value === null ? {} : { written: status.value }) },
      reason,
      updatedAt: updatedAt(state, files),
      currentPhase:
        next && state.tasks
          ? { value: next.phase.key, source: { file: state.tasks.text.path, line: next.phase.heading.line } }
          : indexFact(state, 'current_phase', (node) => phaseKey(textOf(node))),
      phases: state.phases.map((phase) => phaseView(state, phase, next?.task.key)),
      needs: needs(state, value === 'gate' ? gate : undefined),
      meters: meters(state),
      errors: [],
      artefacts: files.listing.below(within(folder, 'docs')).map((path) => ({
        kind:
          path
            .slice(within(folder, 'docs').length + 1)
            .split('/')
            .at(-2) ?? 'docs',
        path,
        exists: true,
        source: { file: path },
      })),
    },
    details: detailsOf(state),
    findings: contradictions(state),
  }
}

const phaseKey = (text: string | undefined): string | undefined => (text === undefined ? undefined : slug(text))

/** A field of INDEX.md: of its front matter, otherwise of its table. */
export function indexFact<T>(
  state: State,
  name: string,
  convert: (node: Parameters<typeof textOf>[0]) => T | undefined,
): Fact<T> {
  const { index } = state
  const node = indexField(state, name)
  if (index && node) return index.front.document.fact(node, convert)
  const row = state.indexTable.get(tableNames[name] ?? name)
  if (!row) return unknown(index ? { file: index.text.path } : null)
  const value = convert({ kind: 'scalar', value: row.value, written: row.value, pointer: '', start: 0, end: 0 })
  return { value: value ?? null, source: row.source, written: row.value }
}

const tableNames: Readonly<Record<string, string>> = {
  current_phase: 'phase',
  updated: 'last updated',
  current_iteration: 'iteration',
  cost_so_far: 'cost',
}

function title({ index, idea }: State): Fact<string> {
  const heading = (file: MarkdownFile | undefined) => {
    const line = file?.lines.find((candidate) => candidate.kind === 'heading' && candidate.level === 1)
    return file && line?.kind === 'heading'
      ? { value: line.text, source: { file: file.text.path, line: line.line } }
      : undefined
  }
  return heading(index) ?? heading(idea) ?? unknown()
}

function updatedAt(state: State, { files }: RunFiles): Fact<number> {
  const updated = indexFact(state, 'updated', timeOf)
  if (updated.value !== null) return updated
  const path = state.index?.text.path ?? state.tasks?.text.path
  return path === undefined ? unknown() : { value: files.get(path)?.modifiedAt ?? null, source: { file: path } }
}

/** CREW_COMPLETE first, then pending questions, then the checkboxes and limits; INDEX.md is a copy that a model writes. */
function runState(state: State, gate: Gate | undefined): { value: RunState | null; reason: Fact<string> } {
  const because = (text: string, { source }: Pick<Fact<unknown>, 'source'>) => ({ value: text, source })
  if (state.complete !== undefined)
    return { value: 'done', reason: because('CREW_COMPLETE exists.', { source: { file: state.complete } }) }
  const pending = state.questions.filter(isPending)
  const [first] = pending
  if (first) {
    const text =
      pending.length === 1 ? `A question needs an answer: ${first.title}` : `${pending.length} questions need answers.`
    return { value: 'waiting', reason: because(text, { source: { file: first.file.text.path } }) }
  }
  if (gate)
    return {
      value: 'gate',
      reason: because(`Phase ${gate.phase.name} is complete and needs approval.`, {
        source: state.manifest?.source(gate.entry) ?? null,
      }),
    }
  const iterations = indexFact(state, 'current_iteration', numberOf)
  if ((iterations.value ?? 0) >= maxIterations(state))
    return {
      value: 'limit',
      reason: because(`Iteration limit reached: ${iterations.value ?? 0} of ${maxIterations(state)} used.`, iterations),
    }
  const cost = indexFact(state, 'cost_so_far', numberOf)
  if ((cost.value ?? 0) >= maxCost(state))
    return {
      value: 'limit',
      reason: because(`Cost limit reached: ${cost.value ?? 0} of ${maxCost(state)} USD spent.`, cost),
    }
  const status = indexFact(state, 'status', textOf)
  switch (status.value?.trim().toLowerCase().replaceAll(/[\s-]/g, '_')) {
    case 'in_progress':
      return { value: 'running', reason: unknown() }
    case 'blocked':
      return {
        value: 'waiting',
        reason: because('Every question is answered. Resume the run.', status),
      }
    case 'not_started':
      return { value: 'planning', reason: unknown() }
    default:
      return { value: null, reason: unknown() }
  }
}

const phaseStates: Readonly<Record<StatusWord, WorkState>> = {
  COMPLETE: 'done',
  'IN PROGRESS': 'active',
  PENDING: 'todo',
}

function phaseView(state: State, phase: Phase, next: string | undefined): PhaseView {
  const file = state.tasks?.text.path ?? ''
  const source = { file, line: phase.heading.line }
  const expert = expertFor(state, phase.key)
  return {
    key: phase.key,
    title: { value: phase.name, source, written: phase.heading.text },
    state: {
      value: phase.derived ? phaseStates[phase.derived] : null,
      source,
      ...(phase.claimed === undefined ? {} : { written: phase.claimed }),
    },
    dependencies: [],
    owner: expert ? { value: expert.role, source: expert.source } : unknown(),
    tasks: phase.tasks.map(({ key, line }) => {
      const at = { file, line: line.line }
      return {
        key,
        title: { value: line.text, source: at },
        state: { value: line.checked ? 'done' : key === next ? 'active' : 'todo', source: at },
        dependencies: [],
      }
    }),
  }
}

function needs(state: State, gate: Gate | undefined): RunNeed[] {
  const questions = state.questions.filter(isPending).map((question): RunNeed => {
    const { file, title: name, options } = question
    const created = file.front.document.fact(field(file.front.document.root, 'created'), timeOf)
    return {
      kind: 'question',
      title: name,
      detail: file.text.text.slice(file.front.bodyStart).trim(),
      options,
      source: { file: file.text.path, ...(question.decisionLine ? { line: question.decisionLine.line } : {}) },
      since: created,
      unblocks: [],
    }
  })
  const source = gate && state.manifest?.source(gate.entry)
  if (!source) return questions
  return [
    ...questions,
    {
      kind: 'gate',
      title: `Approve phase ${gate.phase.name}`,
      detail: `All ${gate.phase.tasks.length} tasks of ${gate.phase.name} are done.`,
      options: [],
      source,
      since: unknown(),
      unblocks: [],
    },
  ]
}

function meters(state: State): RunMeter[] {
  const limit = (name: 'max_iterations' | 'max_cost', fallback: number): Fact<number> => {
    const node = limitOf(state, name)
    return state.manifest && node ? state.manifest.fact(node, numberOf) : { value: fallback, source: null }
  }
  return [
    {
      name: 'Iterations',
      unit: 'iterations',
      used: indexFact(state, 'current_iteration', numberOf),
      limit: limit('max_iterations', DEFAULT_MAX_ITERATIONS),
    },
    {
      name: 'Cost',
      unit: 'USD',
      used: indexFact(state, 'cost_so_far', numberOf),
      limit: limit('max_cost', DEFAULT_MAX_COST),
    },
  ]
}
