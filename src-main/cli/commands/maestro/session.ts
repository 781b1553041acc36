import { readFile, realpath } from 'node:fs/promises'
import { AppError } from '@shared/contract/errors'
import { maestro } from '../../../formats/maestro/format'
import { errorTypes, phaseStatuses } from '../../../formats/maestro/schema'
import { inProject, requireInProject } from '../../../formats/maestro/session/inProject'
import { planChanges, type PhaseChange, type TokenUse } from '../../../formats/maestro/session/phaseChange'
import { parseTaskReport, type FileKind } from '../../../formats/maestro/session/taskReport'
import { describeFileError } from '../../../files/fileErrors'
import { createSession } from '../../../loops/maestro/session/createSession'
import { modifiedIn, resumePoint } from '../../../loops/maestro/session/resumePoint'
import { SessionStore } from '../../../loops/maestro/session/sessionStore'
import { findStateDir, projectRoot, requireRelative, settingLayers } from '../../../loops/maestro/stateFiles'
import { previewOf } from '../../../projects/edits/previewEdit'
import { defineCommand, type CommandContext, type Values } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import {
  choice,
  filePath,
  flag,
  number,
  required,
  requireValue,
  text,
  texts,
  withDefault,
  type FilePath,
} from '../../parameters'
import { readStandardInput } from '../../standardInput'
import type { Output } from '../../output'
import { printPatch } from '../../patchText'
import { toned, type Cell } from '../../printed'
import { patchTone } from '../../stateTones'
import { terminalText } from '../../terminalText'
import { maestroGroup as group } from './group'

const MAX_TOKENS = 1_000_000_000

const positionals = {
  action: required(choice('ACTION', 'What to do.', ['create', 'update', 'resume', 'archive'])),
}
const options = {
  task: text('TEXT', 'For create: what is built.'),
  plan: filePath('For create: the implementation plan, with a table of phases and agents.'),
  design: filePath('For create: the design document.'),
  'new-phase': texts(
    'LINE',
    'For create: a phase instead of those of the plan, such as "Music: debugger, after 1"; repeat it.',
  ),
  phase: text('ID', 'For update: the phase.'),
  status: choice('STATUS', 'For update: what the phase becomes.', phaseStatuses),
  agent: text('NAME', 'For update: whose error, report or tokens they are. Default: the first agent of the phase.'),
  report: text('FILE', 'For update: an answer with Task Report and Downstream Context; - for standard input.'),
  created: texts('PATH', 'For update: a file that was created; repeat it.'),
  modified: texts('PATH', 'For update: a file that was modified; repeat it.'),
  deleted: texts('PATH', 'For update: a file that was deleted; repeat it.'),
  error: text('MESSAGE', 'For update: an error to record.'),
  'error-type': withDefault(choice('TYPE', 'For update: the type of the error.', errorTypes), 'runtime'),
  resolution: text('TEXT', 'For update: how the open errors of the phase were resolved.'),
  'input-tokens': number('N', 'For update: tokens to add.', { min: 0, max: MAX_TOKENS }),
  'output-tokens': number('N', 'For update: tokens to add.', { min: 0, max: MAX_TOKENS }),
  'cached-tokens': number('N', 'For update: tokens to add.', { min: 0, max: MAX_TOKENS }),
  yes: flag('For archive: move the files.'),
}
type SessionOptions = Values<typeof options>

export const maestroSession = defineCommand({
  group,
  name: 'session',
  printsPlainText: true,
  summary: 'Create, update, resume or archive the active session.',
  details:
    'create writes the session file with all phases pending. update makes one legal change of a phase, with its files, errors and tokens.\n' +
    'resume tells where it goes on, and what to look at before. archive shows what it moves; with --yes, it moves it.',
  positionals,
  options,
  examples: [
    'maestro session create --task Scroller --plan FILE',
    'maestro session create --task Scroller --new-phase "Font: coder" --new-phase "Music: debugger, after 1"',
    'maestro session update --phase 2 --status in_progress',
    'maestro session update --phase 2 --status completed --report - < FILE',
    'maestro session resume',
    'maestro session archive --yes',
  ],
  run: async (context, { action, ...given }) => {
    const place = await placeOf(context)
    if (action === 'create') await create(place, given, context.output)
    else {
      const store = new SessionStore({ ...place, signal: context.signal })
      if (action === 'update') await update(store, context, { root: place.root, ...given })
      else if (action === 'resume') await resume(store, place.root, context.output)
      else await archive(store, context, given.yes)
    }
    return EXIT_OK
  },
})

interface Place {
  readonly root: string
  readonly stateDir: string
}

/** Only a state folder in the project is written to. */
async function placeOf({ folder, environment }: CommandContext): Promise<Place> {
  const root = await realpath(projectRoot(folder))
  const { value: stateDir } = await findStateDir(root, await settingLayers(root, environment))
  requireRelative(stateDir)
  return { root, stateDir }
}

const print = (output: Output, line: string) => output.raw(`${terminalText(line)}\n`)

async function create(
  place: Place,
  { task, plan, design, 'new-phase': phases }: SessionOptions,
  output: Output,
): Promise<void> {
  const path = (file: FilePath | undefined) => file?.path
  const { id, file } = await createSession({
    ...place,
    task: requireValue(task, '--task'),
    plan: path(plan),
    design: path(design),
    phases,
    now: Date.now(),
  })
  print(output, `Created the session ${id}: ${file}`)
}

async function update(
  store: SessionStore,
  context: CommandContext,
  { root, ...given }: SessionOptions & Pick<Place, 'root'>,
): Promise<void> {
  const answer = given.report === undefined ? undefined : await readReport(given.report, context)
  const report = answer === undefined ? undefined : parseTaskReport(answer)
  if (answer !== undefined && !report)
    throw new AppError(
      'INVALID',
      `${given.report ?? ''} is no report: it needs ## Task Report with a Status, and ## Downstream Context.`,
    )
  const key = requireValue(given.phase, '--phase')
  const filesOf = (kind: FileKind): string[] => [
    ...(report?.files[kind] ?? []).map((path) => inProject(root, path)),
    ...given[kind].map((path) => requireInProject(root, path)),
  ]
  const { plan, settled } = await store.change((run, values) => {
    const phase = run.phases.find(({ details }) => details.key === key)
    const agent = given.agent ?? phase?.details.agents[0]?.value ?? 'unknown'
    const tokens: TokenUse = {
      agent,
      input: given['input-tokens'] ?? 0,
      output: given['output-tokens'] ?? 0,
      cached: given['cached-tokens'] ?? 0,
    }
    const change: PhaseChange = {
      phase: key,
      status: given.status,
      files: {
        created: filesOf('created'),
        modified: filesOf('modified'),
        deleted: filesOf('deleted'),
      },
      context: report?.context,
      errors: given.error === undefined ? [] : [{ agent, type: given['error-type'], message: given.error }],
      resolution: given.resolution,
      log: answer === undefined ? undefined : { agent, output: answer, validation: report?.validation ?? undefined },
    }
    return planChanges(run, [change], [tokens], values)
  })
  await settled
  print(context.output, plan.summary)
}

async function readReport(file: string, context: CommandContext): Promise<string> {
  if (file === '-') return (await readStandardInput(context)).toString()
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw describeFileError(error, file, 'read')
  })
}

async function resume(store: SessionStore, root: string, output: Output): Promise<void> {
  const run = await store.read()
  const { lastCompleted, next, notes } = await resumePoint(run, modifiedIn(root), run.files.candidate.folder)
  for (const note of notes) print(output, note)
  print(output, `Last completed: ${lastCompleted ?? 'none'}`)
  print(output, `Next: ${next ?? 'none; the session can be archived'}`)
}

async function archive(store: SessionStore, { output }: CommandContext, isWanted: boolean): Promise<void> {
  if (!isWanted) {
    const run = await store.read()
    const { summary, warnings, files } = previewOf(
      maestro.plan(run.files, { name: 'archive', target: '', values: {}, now: Date.now() }),
    )
    const lines: Cell[] = [summary, ...warnings.map((warning) => toned('notice', warning))]
    output.print([...lines, ...printPatch(files).map((line) => toned(patchTone(line), line))])
    output.rawError('Nothing was moved. Add --yes to move it.\n')
    return
  }
  const { plan, settled } = await store.change((run, { now }) =>
    maestro.plan(run.files, { name: 'archive', target: '', values: {}, now }),
  )
  await settled
  if (await store.exists())
    throw new AppError('CONFLICT', `${store.file} is there again: another program wrote it at the same time.`, {
      hint: 'Check it, and the archive; then archive it again.',
    })
  for (const warning of plan.warnings) output.rawError(`WARNING: ${terminalText(warning)}\n`)
  print(output, plan.summary)
}
