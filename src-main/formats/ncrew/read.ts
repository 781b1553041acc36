import type { Reading, Remembered, RunFiles } from '../format'
import { within } from '../listing'
import { field, numberOf, textOf, timeOf } from '../text/located'
import type { CheckboxLine } from '../text/markdown'
import type { Fact, RunMeter, RunNeed, RunState, ValueSource, WorkState } from '@shared/contract/orchestration'
import { ownCheckFindings, withChecks } from '../ownCheck'
import { unknown, type PhaseView } from '../run'
import { holdNeeds } from '../runHold'
import { turnFindings } from '../turnFindings'
import { contradictions } from './contradictions'
import { detailsOf, type NcrewDetails } from './details'
import { openGate, type Gate } from './gates'
import { phaseSlug, type StatusWord } from './heading'
import { indexFact } from './indexFacts'
import { reachedLimit } from './limits'
import type { MarkdownFile } from './markdownFile'
import { boxesQuestion, boxesToAsk, boxText, type OutsideBox } from './outsideBoxes'
import type { Phase } from './phases'
import { isOpen, isUnclear, type Question } from './questions'
import { commitsByTask, rolledBackTasks } from './recordedTurns'
import {
  DEFAULT_MAX_COST,
  DEFAULT_MAX_ITERATIONS,
  expertFor,
  holdSource,
  isProject,
  limitOf,
  locate,
  nextTask,
  type State,
} from './state'
import { unclear } from './unclear'

export function read(files: RunFiles): Reading<NcrewDetails> | undefined {
  const state = locate(files)
  if (!isProject(files, state)) return undefined
  const { folder } = state
  const gate = openGate(state, files.remembered)
  const { value, reason } = runState(state, gate, files.remembered)
  const status = indexFact(state, 'status', textOf)
  const next = nextTask(state)
  const known = { next: next?.task.key, made: commitsByTask(state, files.remembered) }
  const phases = withChecks(
    state.phases.map((phase, at) => phaseView(state, phase, state.phases.slice(0, at), known)),
    files.remembered,
  )
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
      phases,
      needs: [...needs(state, value, gate, files.remembered), ...holdNeeds(files.remembered, holdSource(state))],
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
    findings: [
      ...contradictions(state),
      ...turnFindings(files.remembered, 'ncrew', state.tasks?.text.path),
      ...ownCheckFindings(phases, 'ncrew'),
    ],
  }
}

const phaseKey = (text: string | undefined): string | undefined => (text === undefined ? undefined : phaseSlug(text))

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

/** CREW_COMPLETE comes first, then pending questions, then checkboxes and limits. INDEX.md is only a model's copy. */
function runState(
  state: State,
  gate: Gate | undefined,
  remembered: Remembered,
): { value: RunState | null; reason: Fact<string> } {
  const because = (text: string, { source }: Pick<Fact<unknown>, 'source'>) => ({ value: text, source })
  if (state.complete !== undefined)
    return { value: 'done', reason: because('CREW_COMPLETE exists.', { source: { file: state.complete } }) }
  const open = state.questions.filter(isOpen)
  const [first] = open
  if (first) {
    const what = isUnclear(first) ? 'A question is not clearly resolved' : 'A question needs an answer'
    const text = open.length === 1 ? `${what}: ${first.title}` : `${open.length} questions need answers.`
    return { value: 'waiting', reason: because(text, { source: { file: first.file.text.path } }) }
  }
  const [doubt] = unclear(state)
  if (doubt) return { value: 'waiting', reason: because(doubt.text, doubt) }
  if (gate)
    return {
      value: 'gate',
      reason: because(`Phase ${gate.phase.name} is complete and needs approval.`, {
        source: state.manifest?.source(gate.entry) ?? null,
      }),
    }
  const boxes = boxesToAsk(state, remembered)
  if (boxes.length > 0)
    return { value: 'waiting', reason: because(`${boxesQuestion(boxes)}.`, { source: boxSource(state, boxes) }) }
  const limit = reachedLimit(state)
  if (limit) return { value: 'limit', reason: because(limit.text, { source: limit.used }) }
  const status = indexFact(state, 'status', textOf)
  switch (status.value?.trim().toLowerCase().replaceAll(/[\s-]/g, '_')) {
    case 'in_progress':
      return { value: 'running', reason: rolledBack(state, remembered) ?? unknown() }
    case 'blocked':
      return {
        value: 'ready',
        reason: because(state.questions.length > 0 ? 'Every question is answered.' : 'No question is open.', status),
      }
    case 'not_started':
      return { value: 'planning', reason: unknown() }
    default:
      return { value: null, reason: unknown() }
  }
}

function rolledBack(state: State, remembered: Remembered): Fact<string> | undefined {
  const [first, ...more] = rolledBackTasks(state, remembered)
  if (!first) return undefined
  const { text, line } = first.line
  return {
    value:
      more.length === 0
        ? `“${text}” was rolled back and is open again.`
        : `${more.length + 1} tasks were rolled back and are open again.`,
    source: { file: state.tasks?.text.path ?? '', line },
  }
}

const phaseStates: Readonly<Record<StatusWord, WorkState>> = {
  COMPLETE: 'done',
  'IN PROGRESS': 'active',
  PENDING: 'todo',
}

interface KnownOfTasks {
  readonly next: string | undefined
  readonly made: ReadonlyMap<string, readonly string[]>
}

/** Experts take the phases in order: each waits for the one before. */
function phaseView(state: State, phase: Phase, earlier: readonly Phase[], { next, made }: KnownOfTasks): PhaseView {
  const file = state.tasks?.text.path ?? ''
  const source = { file, line: phase.heading.line }
  const expert = expertFor(state, phase.key)
  const before = earlier.at(-1)
  return {
    key: phase.key,
    title: { value: phase.name, source, written: phase.heading.text },
    state: {
      value: phaseStates[phase.derived],
      source,
      ...(phase.claimed === undefined ? {} : { written: phase.claimed }),
    },
    dependencies: before ? [{ value: before.key, source: { file, line: before.heading.line } }] : [],
    owner: expert ? { value: expert.role, source: expert.source } : unknown(),
    tasks: phase.tasks.map(({ key, line }) => {
      const at = { file, line: line.line }
      return {
        key,
        title: { value: line.text, source: at },
        state: taskState(line, key === next, at),
        dependencies: [],
        ...(made.has(key) ? { commits: { value: made.get(key) ?? [], source: null } } : {}),
      }
    }),
  }
}

/** A mark that is neither a blank nor an x is not done; nothing more is known of it. */
function taskState({ checked, written }: CheckboxLine, isNext: boolean, source: ValueSource): Fact<WorkState> {
  if (checked) return { value: 'done', source }
  if (written.trim() !== '') return { value: null, source, written: `[${written}]` }
  return { value: isNext ? 'active' : 'todo', source }
}

function needs(state: State, value: RunState | null, gate: Gate | undefined, remembered: Remembered): RunNeed[] {
  const questions = state.questions.filter(isOpen).map((question) => questionNeed(question))
  if (state.complete !== undefined) return questions
  const doubts = unclear(state).map(({ text, source }): RunNeed => ({
    ...plainNeed('unreadable', text, source),
    detail: 'Fix the file in an editor; the crew does not continue before.',
  }))
  const limit = value === 'limit' ? reachedLimit(state) : undefined
  const limits = limit?.source
    ? [{ ...plainNeed('limit', limit.text, limit.source), detail: 'Raise the limit to continue.' }]
    : []
  const source = value === 'gate' && gate ? state.manifest?.source(gate.entry) : undefined
  if (!source || !gate) return [...questions, ...doubts, ...limits, ...boxNeeds(state, remembered)]
  return [
    ...questions,
    {
      ...plainNeed('gate', `Approve phase ${gate.phase.name}`, source),
      detail: `All ${gate.phase.tasks.length} tasks of ${gate.phase.name} are done.`,
    },
  ]
}

function boxNeeds(state: State, remembered: Remembered): RunNeed[] {
  const boxes = boxesToAsk(state, remembered)
  const source = boxSource(state, boxes)
  if (!source) return []
  return [
    {
      ...plainNeed('question', boxesQuestion(boxes), source),
      detail: `${boxes.map((box) => `- ${boxText(box)}`).join('\n')}\n\nFinish the crew if they are settled; otherwise continue.`,
    },
  ]
}

const boxSource = ({ tasks }: State, [first]: readonly OutsideBox[]): ValueSource | null =>
  first && tasks ? { file: tasks.text.path, line: first.line.line } : null

const plainNeed = (kind: RunNeed['kind'], title: string, source: ValueSource): RunNeed => ({
  kind,
  title,
  detail: '',
  options: [],
  source,
  since: unknown(),
  unblocks: [],
})

function questionNeed(question: Question): RunNeed {
  const { file, title, options, decisionLine, open, isReadable } = question
  const body = file.text.text.slice(file.front.bodyStart).trim()
  return {
    kind: isReadable ? 'question' : 'unreadable',
    title,
    detail: isUnclear(question) ? `Not clearly resolved: ${open ?? ''}.\n\n${body}`.trim() : body,
    options,
    source: { file: file.text.path, ...(decisionLine ? { line: decisionLine.line } : {}) },
    since: file.front.document.fact(field(file.front.document.root, 'created'), timeOf),
    unblocks: [],
  }
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
