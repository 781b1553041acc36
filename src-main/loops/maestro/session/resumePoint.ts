import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { MaestroRun, SessionPhase } from '../../../formats/maestro/actions/maestroRun'
import { projectPath } from '../../../formats/text/namedPath'

export interface ResumePoint {
  readonly lastCompleted: string | null
  readonly next: string | null
  readonly notes: readonly string[]
}

/** @param modifiedAt ms since 1970; undefined where a project file does not exist */
export async function resumePoint(
  { phases, state }: MaestroRun,
  modifiedAt: (file: string) => Promise<number | undefined>,
  folder: string,
): Promise<ResumePoint> {
  const since = state.details.session?.updated.value ?? null
  const isNewer = async (file: string | undefined) =>
    file !== undefined && since !== null && ((await modifiedAt(file)) ?? 0) > since + SLACK_MS
  const notes: string[] = phases.flatMap((phase) =>
    phase.errors.filter(({ open }) => open).map(({ message }) => `Open error in ${label(phase)}: ${message}`),
  )
  for (const phase of phases.filter(({ status }) => status === 'in_progress'))
    notes.push(`${label(phase)} was started and not finished.`)
  for (const { path } of state.details.plans)
    if (path !== null && (await isNewer(path))) notes.push(`${path} changed since the session was last written.`)
  for (const file of new Set(phases.flatMap(filesOf)))
    if (await isNewer(projectPath(folder, file))) notes.push(`${file} changed since the session was last written.`)
  const last = phases.findLast(({ status }) => status === 'completed')
  const next =
    phases.find(({ status }) => status === 'in_progress') ?? phases.find(({ status }) => status === 'pending')
  return { lastCompleted: last ? label(last) : null, next: next ? label(next) : null, notes }
}

/** ms; file systems round times. */
const SLACK_MS = 1_000

const label = ({ details, title }: SessionPhase): string => `phase ${details.key} (${title})`

const filesOf = ({ details: { files } }: SessionPhase): string[] =>
  [...files.created, ...files.modified].flatMap(({ value }) => value ?? [])

export const modifiedIn =
  (root: string) =>
  async (file: string): Promise<number | undefined> =>
    stat(join(root, file)).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    )
