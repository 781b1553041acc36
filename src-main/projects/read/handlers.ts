import { MAX_ROW_PAGE, type RunRow } from '@shared/contract/orchestration'
import type { Handlers } from '../../rpc/commands'
import {
  describeDetails,
  describeGraph,
  describeLists,
  describeRows,
  describeRun,
  type KnownFiles,
  type KnownRun,
} from './describeRun'

/**
 * `at` is ms since 1970; without it the present run.
 * @throws AppError NOT_FOUND
 */
type FindRun = (project: number, run: string, at: number | undefined) => KnownFiles | Promise<KnownFiles>

type RunCommand = 'projects.run' | 'projects.rows' | 'projects.details' | 'projects.graph'

export function createRunHandlers(findRun: FindRun): Pick<Handlers, RunCommand> {
  let last: { readonly of: KnownRun; readonly rows: RunRow[] } | undefined
  const rowsOf = (run: KnownRun): RunRow[] => {
    if (last?.of !== run) last = { of: run, rows: describeRows(run) }
    return last.rows
  }
  return {
    'projects.run': async ({ project, run: key, at }) => {
      const run = await findRun(project, key, at)
      return { run: describeRun(run), ...describeLists(run, filesOf(run)) }
    },
    'projects.rows': async ({ project, run: key, from, most = MAX_ROW_PAGE, at }) => {
      const run = await findRun(project, key, at)
      const rows = rowsOf(run)
      return { revision: run.revision, rows: rows.slice(from, from + most), total: rows.length }
    },
    'projects.details': async ({ project, run, at }) => {
      const { revision, reading } = await findRun(project, run, at)
      return { revision, ...describeDetails(reading.details) }
    },
    'projects.graph': async ({ project, run, at }) => describeGraph(await findRun(project, run, at)),
  }
}

const filesOf = ({ files }: KnownFiles) =>
  [...files.values()].map(({ file }) => ({ file: file.path, writtenAt: file.modifiedAt }))
