/** A format's actions on a project in memory, as what writes them does it: offered, planned, and the files changed. */
import type { OfferedAction, EditValues } from '@shared/contract/edits'
import type { ActionPlan, ActionRequest } from '../../src-main/formats/edit/action'
import type { Format, RunFiles } from '../../src-main/formats/format'
import { Listing } from '../../src-main/formats/listing'
import { decodeStateFile, type StateFile } from '../../src-main/formats/text/stateFile'
import { MODIFIED_AT } from './projectFiles'

export type Texts = Readonly<Record<string, string>>

/** When the actions are asked for. */
export const NOW = Date.parse('2026-03-02T10:00:00.000Z')

/** The files of the only run in the project, as the project's reader gives them, with those that an action to be planned is about. */
export function runFiles<Details>(
  format: Format<Details>,
  project: Texts,
  remembered?: ReadonlyMap<string, string>,
  request?: ActionRequest,
): RunFiles {
  const listing = new Listing(Object.keys(project))
  const [candidate, ...others] = format.detect(listing)
  if (!candidate || others.length > 0)
    throw new Error(`${others.length + (candidate ? 1 : 0)} candidates were found, not one.`)
  const files = new Map<string, StateFile>()
  const run: RunFiles = { candidate, listing, files, remembered: remembered ?? new Map() }
  const add = (paths: readonly string[]): void => {
    for (const path of paths) {
      const text = project[path]
      if (text !== undefined) files.set(path, decodeStateFile(path, new TextEncoder().encode(text), MODIFIED_AT))
    }
  }
  add(candidate.files)
  add(format.named?.(run, request) ?? [])
  return run
}

/** `retry 02-02`, in order. */
export const offered = <Details>(
  format: Format<Details>,
  project: Texts,
  remembered?: ReadonlyMap<string, string>,
): string[] => actionsOf(format, project, remembered).map(({ name, target }) => `${name} ${target}`.trim())

export const actionsOf = <Details>(
  format: Format<Details>,
  project: Texts,
  remembered?: ReadonlyMap<string, string>,
): OfferedAction[] => format.actions(runFiles(format, project, remembered))

export interface Done {
  readonly plan: ActionPlan
  /** The project's files afterwards. */
  readonly after: Texts
}

/** Plans an action and makes its changes. Its title is there, it changes what is there, and it breaks no rule that was kept before. */
export function act<Details>(
  format: Format<Details>,
  project: Texts,
  name: string,
  target = '',
  values: EditValues = {},
  now = NOW,
  remembered?: ReadonlyMap<string, string>,
): Done {
  const request = { name, target, values, now }
  const plan = format.plan(runFiles(format, project, remembered, request), request)
  const texts = new Map(Object.entries(project))
  for (const { file, before, after: text } of plan.changes) {
    if ((project[file] ?? null) !== before) throw new Error(`The plan has another text of ${file} than there is.`)
    if (text === before) throw new Error(`The plan changes nothing in ${file}.`)
    if (text === null) texts.delete(file)
    else texts.set(file, text)
  }
  const after = Object.fromEntries(texts)
  const known = errors(format, project)
  const broken = [...errors(format, after)].filter(([error, count]) => count > (known.get(error) ?? 0))
  if (broken.length > 0) throw new Error(`The action breaks rules:\n${broken.map(([error]) => error).join('\n')}`)
  return { plan, after }
}

/** How often each rule is broken in each file. */
function errors<Details>(format: Format<Details>, project: Texts): Map<string, number> {
  const counts = new Map<string, number>()
  if (format.detect(new Listing(Object.keys(project))).length !== 1) return counts
  for (const { severity, file, rule, expected } of format.validate(runFiles(format, project))) {
    const error = `${file} ${rule}: not ${expected}`
    if (severity === 'error') counts.set(error, (counts.get(error) ?? 0) + 1)
  }
  return counts
}
