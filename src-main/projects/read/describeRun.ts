import { bounded, cut } from '@shared/contract/bounded'
import {
  MAX_LIST_ENTRIES,
  rowSchema,
  runListsSchema,
  runSchema,
  severities,
  standings as standingNames,
  type Run,
  type RunMeter,
  type RunRow,
  type Severity,
} from '@shared/contract/orchestration'
import { runDetailsSchema, type RunDetails } from '@shared/contract/runDetails'
import {
  MAX_AGENT_CHARACTERS,
  MAX_CAPTION_CHARACTERS,
  MAX_EDGES,
  MAX_NODES,
  type RunGraph,
} from '@shared/contract/runGraph'
import type { Finding } from '../../formats/finding'
import type { Format, Reading } from '../../formats/format'
import type { StateFile } from '../../formats/text/stateFile'
import { progressOf, workOf } from '../../formats/progress'
import type { PhaseView, RunView, TaskView } from '../../formats/run'
import type { CommitStates } from './commits'
import { planGraph, type PlanItem } from './planGraph'
import { runStory } from './runStory'
import { needsOf } from './unreadableNeeds'

const WARNING_SHARE = 0.8

export interface KnownRun {
  readonly commitStates?: CommitStates
  readonly key: string
  readonly view: RunView
  readonly findings: readonly Finding[]
  readonly writtenAt: number | null
  readonly writtenBy?: string | null
  readonly stale: Run['stale']
  readonly revision: number
}

export interface KnownFiles extends KnownRun {
  readonly format: Format
  readonly reading: Reading
  readonly files: ReadonlyMap<string, { readonly file: StateFile }>
}

export function describeRun(run: KnownRun): Run {
  const { key, view, findings, writtenAt, writtenBy = null, stale, revision } = run
  const needs = needsOf(run)
  const { system, folder, archived, id, title, state, reason, updatedAt, currentPhase } = view
  const ofSeverity = (severity: Severity) => findings.filter((finding) => finding.severity === severity).length
  return bounded(runSchema, {
    key,
    system,
    folder,
    archived,
    id,
    title,
    state,
    reason,
    updatedAt,
    currentPhase,
    writtenAt,
    writtenBy,
    stale,
    revision,
    work: progressOf(workOf(view)),
    story: runStory(view),
    needs: [...needs],
    needCount: needs.length,
    warnings: view.meters.filter(isWarning).length,
    findings: { error: ofSeverity('error'), warning: ofSeverity('warning'), info: ofSeverity('info') },
  }).value
}

const isWarning = ({ used, limit }: RunMeter): boolean =>
  used.value !== null && limit.value !== null && limit.value > 0 && used.value >= WARNING_SHARE * limit.value

export function describeLists(
  run: KnownRun,
  files: readonly { readonly file: string; readonly writtenAt: number | null }[],
) {
  const {
    view: { meters, errors, artefacts },
    findings,
  } = run
  const needs = needsOf(run)
  const beyond = (list: readonly unknown[]): number => Math.max(0, list.length - MAX_LIST_ENTRIES)
  const worst =
    beyond(findings) > 0
      ? severities.flatMap((severity) => findings.filter((finding) => finding.severity === severity))
      : findings
  const lists = bounded(runListsSchema, {
    needs: [...needs],
    meters: [...meters],
    errors: [...errors],
    artefacts: [...artefacts],
    findings: worst
      .slice(0, MAX_LIST_ENTRIES)
      .map(({ repair, ...finding }) => ({ ...finding, repair: repair?.title ?? null })),
    files: [...files],
  })
  return {
    ...lists.value,
    more: {
      needs: beyond(needs),
      meters: beyond(meters),
      errors: beyond(errors),
      artefacts: beyond(artefacts),
      findings: beyond(findings),
      files: beyond(files),
    },
  }
}

/** For all texts of a run's details together: beyond it, texts are cut to a line. */
const MAX_DETAILS_CHARACTERS = 2_000_000

export function describeDetails(from: RunDetails): { details: RunDetails; more: number } {
  const { value: details, more } = bounded(runDetailsSchema, from, MAX_DETAILS_CHARACTERS)
  return { details, more }
}

export function describeRows({ view, commitStates }: Pick<KnownRun, 'view' | 'commitStates'>): RunRow[] {
  const { items, phases, standings, numberOf, isOneRing } = planGraph(view)
  const blockedBy = (item: PhaseView | TaskView, number: number): RunRow['blockedBy'] => {
    if (item.state.value === 'done' || item.state.value === 'skipped') return []
    const phase = items[phases[number] ?? -1]
    return [...item.dependencies, ...(phase?.dependencies ?? [])].flatMap(({ value: key }) => {
      const other = key === null ? undefined : numberOf(key)
      const standing = other === undefined ? undefined : standings[other]
      if (key === null || other === undefined || standing === 'done' || standing === 'skipped') return []
      return [
        {
          key,
          why:
            standing === 'missing'
              ? ('missing' as const)
              : isOneRing(other, number)
                ? ('cycle' as const)
                : standing === 'failed'
                  ? ('failed' as const)
                  : ('unfinished' as const),
        },
      ]
    })
  }
  return items.map(
    (item, number): RunRow =>
      bounded(rowSchema, {
        kind: phases[number] === -1 ? ('phase' as const) : ('task' as const),
        key: item.key,
        title: item.title,
        state: item.state,
        standing: standings[number] ?? 'unknown',
        owner: item.owner ?? null,
        dependencies: [...item.dependencies],
        blockedBy: blockedBy(item, number),
        commits: 'commits' in item ? item.commits : null,
        commitStates:
          'commits' in item ? (item.commits.value ?? []).map((commit) => commitStates?.get(commit) ?? 'unknown') : [],
        check: 'check' in item ? item.check : null,
      }).value,
  )
}

export function describeGraph({ view, revision }: KnownRun): RunGraph {
  const { items, phases, missing, edges, standings, critical } = planGraph(view)
  const isGiven = (number: number | undefined): boolean => number !== undefined && number < MAX_NODES
  const given: number[] = []
  for (let edge = 0; edge < edges.length && given.length < 2 * MAX_EDGES; edge += 2) {
    const [from = 0, to = 0] = [edges[edge], edges[edge + 1]]
    if (isGiven(from) && isGiven(to)) given.push(from, to)
  }
  const nodes = [
    ...items.map(({ key, title }) => ({ key, title: title.value })),
    ...missing.map((key) => ({ key, title: null })),
  ].slice(0, MAX_NODES)
  return {
    revision,
    workers: items.slice(0, MAX_NODES).flatMap(workerOf),
    keys: nodes.map(({ key }) => cut(key)),
    titles: nodes.map(({ title }) => cut(title ?? '', MAX_CAPTION_CHARACTERS)),
    standings: nodes.map((_, number) => standingNames.indexOf(standings[number] ?? 'unknown')),
    phases: nodes.map((_, number) => phases[number] ?? -1),
    edges: given,
    critical: critical.filter(isGiven),
    rows: items.length,
    more: { nodes: items.length + missing.length - nodes.length, edges: (edges.length - given.length) / 2 },
  }
}

function workerOf({ owner, started, completed }: PlanItem, node: number): RunGraph['workers'] {
  const worker = {
    node,
    agent: cut(owner?.value ?? '', MAX_AGENT_CHARACTERS),
    started: started?.value ?? null,
    completed: completed?.value ?? null,
  }
  return worker.agent === '' && worker.started === null && worker.completed === null ? [] : [worker]
}
