import type { FailedStart } from '../contract/loops'
import type { FailedTurn, Report, ReportedNeed, RunReport } from './report'

interface OfRun {
  readonly project: number | null
  readonly projectName: string
  readonly run: RunReport
}

/** `id` stays the same from one report to the next. */
export type Attention =
  | (OfRun & { readonly kind: 'turn'; readonly id: string; readonly turn: FailedTurn })
  | (OfRun & { readonly kind: 'need'; readonly id: string; readonly need: ReportedNeed })
  | {
      readonly kind: 'start'
      readonly id: string
      readonly project: number | null
      readonly projectName: string
      readonly start: FailedStart
    }

const isFailure = ({ kind }: ReportedNeed): boolean => kind === 'failure' || kind === 'unreadable'

export function attentionOf({ projects }: Report): Attention[] {
  const starts = projects.flatMap(({ project, name, failedStarts }) =>
    failedStarts.map((start): Attention => ({
      kind: 'start',
      id: `start ${project ?? ''} ${start.at}`,
      project,
      projectName: name,
      start,
    })),
  )
  const ofRuns = projects.flatMap(({ project, name, runs }) => runs.map((run) => ({ project, projectName: name, run })))
  const turns = ofRuns.flatMap((of) =>
    of.run.failed.map((turn): Attention => ({ ...of, kind: 'turn', id: `turn ${turn.run}`, turn })),
  )
  const needs = ofRuns.flatMap((of) =>
    of.run.needs.map((need) => ({ ...of, kind: 'need' as const, id: needId(of, need), need })),
  )
  return [
    ...starts,
    ...turns,
    ...needs.filter(({ need }) => isFailure(need)),
    ...needs.filter(({ need }) => !isFailure(need)),
  ]
}

/** Without the line number, which moves. */
const needId = ({ project, run }: OfRun, { kind, title, source }: ReportedNeed): string =>
  `need ${JSON.stringify([project, run.key, kind, source.file, title])}`

/** Changes when there is more to report of a run, so that a run that was seen is unseen again. */
export const runMark = ({ project, run }: OfRun): string =>
  `run ${JSON.stringify([project, run.key ?? run.title, run.turns, run.worked, run.changes?.commits[0]?.commit ?? null])}`
