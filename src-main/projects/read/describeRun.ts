/** Runs as the window is told of them: plain data, cut to the bounds of the contract. */
import {
  LONGEST_LINE,
  LONGEST_LIST,
  LONGEST_TEXT,
  standings as standingNames,
  type Run,
  type RunArtefact,
  type RunError,
  type RunFinding,
  type RunMeter,
  type RunNeed,
  type RunRow,
  type ValueSource,
} from '@shared/contract/orchestration'
import { LONGEST_CAPTION, MOST_EDGES, MOST_NODES, type RunGraph } from '@shared/contract/runGraph'
import type { CommitStates } from './commits'
import { severities, type Finding } from '../../formats/finding'
import { planGraph } from './planGraph'
import type { ErrorView, Fact, Meter, Need, PhaseView, RunView, Source, TaskView, WorkState } from '../../formats/run'

/** The share of a limit from which a meter warns. */
const WARN = 0.8

const cut = (text: string, most = LONGEST_LINE): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text)

const source = ({ file, pointer, line }: Source): ValueSource => ({
  file: cut(file, 1000),
  ...(pointer === undefined ? {} : { pointer: cut(pointer, 1000) }),
  ...(line === undefined ? {} : { line }),
})

function fact<T, U>({ value, source: from, written }: Fact<T>, convert: (value: T) => U) {
  return {
    value: value === null ? null : convert(value),
    source: from && source(from),
    ...(written === undefined ? {} : { written: cut(written) }),
  }
}
const lineFact = (from: Fact<string>) => fact(from, (value) => cut(value))
const same = <T>(value: T): T => value
/** Times and amounts of a file may be no number at all. */
const numberFact = ({ value, ...rest }: Fact<number>) =>
  fact({ ...rest, value: value !== null && Number.isFinite(value) ? value : null }, same)

export interface KnownRun {
  /** Of the commits that its tasks name, where git was asked. */
  readonly commitStates?: CommitStates
  readonly key: string
  readonly view: RunView
  readonly findings: readonly Finding[]
  readonly writtenAt: number | null
  readonly stale: Run['stale']
  readonly revision: number
}

export function describeRun({ key, view, findings, writtenAt, stale, revision }: KnownRun): Run {
  const work = view.phases.flatMap((phase): readonly { readonly state: Fact<WorkState> }[] =>
    phase.tasks.length > 0 ? phase.tasks : [phase],
  )
  const inState = (...states: WorkState[]) =>
    work.filter(({ state }) => state.value !== null && states.includes(state.value)).length
  const ofSeverity = (severity: Finding['severity']) =>
    findings.filter((finding) => finding.severity === severity).length
  return {
    key,
    system: view.system,
    folder: cut(view.folder, 1000),
    archived: view.archived,
    id: lineFact(view.id),
    title: lineFact(view.title),
    state: fact(view.state, same),
    reason: lineFact(view.reason),
    updatedAt: numberFact(view.updatedAt),
    currentPhase: lineFact(view.currentPhase),
    writtenAt,
    work: { done: inState('done', 'skipped'), failed: inState('failed'), total: work.length },
    needs: view.needs.slice(0, 20).map((need) => describeNeed(need, LONGEST_LINE)),
    needCount: view.needs.length,
    warnings: view.meters.filter(isWarning).length,
    findings: { error: ofSeverity('error'), warning: ofSeverity('warning'), info: ofSeverity('info') },
    stale,
    revision,
  }
}

const isWarning = ({ used, limit }: Meter): boolean =>
  used.value !== null && limit.value !== null && limit.value > 0 && used.value >= WARN * limit.value

/** @param longest of the detail, characters */
const describeNeed = (
  { kind, title, detail, options, source: from, since, unblocks }: Need,
  longest = LONGEST_TEXT,
): RunNeed => ({
  kind,
  title: cut(title),
  detail: cut(detail, longest),
  options: options.slice(0, 50).map((option) => cut(option)),
  source: source(from),
  since: numberFact(since),
  unblocks: unblocks.slice(0, 50).map((key) => cut(key)),
})

const describeMeter = ({ name, unit, used, limit }: Meter): RunMeter => ({
  name: cut(name),
  unit: cut(unit),
  used: numberFact(used),
  limit: numberFact(limit),
})

const describeError = ({ message, at, time, resolved }: ErrorView): RunError => ({
  message: fact(message, (value) => cut(value, LONGEST_TEXT)),
  at: at === null ? null : cut(at),
  time: numberFact(time),
  resolved,
})

const describeFinding = ({ file, line, column, rule, severity, found, expected, repair }: Finding): RunFinding => ({
  file: cut(file, 1000),
  line,
  column,
  rule: cut(rule, 100),
  severity,
  found: cut(found),
  expected: cut(expected),
  repair: repair ? cut(repair.title) : null,
})

/** The lists of a run, each up to its bound, and how much there is beyond. */
export function describeLists(
  { view, findings }: KnownRun,
  files: readonly { readonly file: string; readonly writtenAt: number | null }[],
) {
  const first = <From, To>(list: readonly From[], describe: (from: From) => To): To[] =>
    list.slice(0, LONGEST_LIST).map(describe)
  const beyond = (list: readonly unknown[]): number => Math.max(0, list.length - LONGEST_LIST)
  return {
    needs: first(view.needs, (need) => describeNeed(need)),
    meters: first(view.meters, describeMeter),
    errors: first(view.errors, describeError),
    artefacts: first(view.artefacts, ({ kind, path, exists, source: from }): RunArtefact => ({
      kind: cut(kind),
      path: cut(path, 1000),
      exists,
      source: source(from),
    })),
    // Of too many, the worst.
    findings: first(
      beyond(findings) > 0
        ? severities.flatMap((severity) => findings.filter((finding) => finding.severity === severity))
        : findings,
      describeFinding,
    ),
    files: first(files, ({ file, writtenAt }) => ({ file: cut(file, 1000), writtenAt })),
    more: {
      needs: beyond(view.needs),
      meters: beyond(view.meters),
      errors: beyond(view.errors),
      artefacts: beyond(view.artefacts),
      findings: beyond(findings),
      files: beyond(files),
    },
  }
}

/** Phases, each with its tasks below it, and for what is not done why it cannot go on. */
export function describeRows({ view, commitStates }: Pick<KnownRun, 'view' | 'commitStates'>): RunRow[] {
  const { items, phases, standings, numberOf, isOneRing } = planGraph(view)
  const blockedBy = (item: PhaseView | TaskView, number: number): RunRow['blockedBy'] => {
    if (item.state.value === 'done' || item.state.value === 'skipped') return []
    return item.dependencies.flatMap(({ value: key }) => {
      const other = key === null ? undefined : numberOf(key)
      const standing = other === undefined ? undefined : standings[other]
      if (key === null || other === undefined || standing === 'done' || standing === 'skipped') return []
      return [
        {
          key: cut(key),
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
  return items.map((item, number): RunRow => ({
    kind: phases[number] === -1 ? 'phase' : 'task',
    key: cut(item.key),
    title: lineFact(item.title),
    state: fact(item.state, same),
    standing: standings[number] ?? 'unknown',
    owner: item.owner === undefined ? null : lineFact(item.owner),
    dependencies: item.dependencies.slice(0, 50).map(lineFact),
    blockedBy: blockedBy(item, number).slice(0, 50),
    commits:
      'commits' in item ? fact(item.commits, (commits) => commits.slice(0, 50).map((commit) => cut(commit))) : null,
    commitStates:
      'commits' in item
        ? (item.commits.value ?? []).slice(0, 50).map((commit) => commitStates?.get(commit) ?? 'unknown')
        : [],
  }))
}

/** The same for drawing: numbers instead of names, and no more of each than its title. */
export function describeGraph({ view, revision }: KnownRun): RunGraph {
  const { items, phases, missing, edges, standings, critical } = planGraph(view)
  const isGiven = (number: number | undefined): boolean => number !== undefined && number < MOST_NODES
  const given: number[] = []
  for (let edge = 0; edge < edges.length && given.length < 2 * MOST_EDGES; edge += 2) {
    const [from = 0, to = 0] = [edges[edge], edges[edge + 1]]
    if (isGiven(from) && isGiven(to)) given.push(from, to)
  }
  const nodes = [
    ...items.map(({ key, title }) => ({ key, title: title.value })),
    ...missing.map((key) => ({ key, title: null })),
  ].slice(0, MOST_NODES)
  return {
    revision,
    keys: nodes.map(({ key }) => cut(key)),
    titles: nodes.map(({ title }) => cut(title ?? '', LONGEST_CAPTION)),
    standings: nodes.map((_, number) => standingNames.indexOf(standings[number] ?? 'unknown')),
    phases: nodes.map((_, number) => phases[number] ?? -1),
    edges: given,
    critical: critical.filter(isGiven),
    rows: items.length,
    more: { nodes: items.length + missing.length - nodes.length, edges: (edges.length - given.length) / 2 },
  }
}
