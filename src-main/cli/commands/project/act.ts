import type { Output as Reply } from '@shared/contract/contract'
import type { EditRequest, OfferedAction, Preview } from '@shared/contract/edits'
import { AppError } from '@shared/contract/errors'
import type { BridgeClient } from '../../../bridge/client'
import { defineCommand, type Command, type CommandContext, type Values } from '../../command'
import { describeField, readFieldValues } from '../../fieldValues'
import { noSuchAction } from '../../noSuchAction'
import { EXIT_FAILED, EXIT_OK } from '../../exitCodes'
import { flag, text, texts } from '../../parameters'
import { printPatch } from '../../patchText'
import { toned, type Cell } from '../../printed'
import { patchTone } from '../../stateTones'
import { projectFolder, projectGroup as group } from './group'

const positionals = { folder: projectFolder }
const options = {
  run: text('KEY', 'The run, where there are several.'),
  action: text('NAME', 'The action; without it, the actions are listed.'),
  target: text('TARGET', 'The target of the action, such as the file of a question.'),
  set: texts('NAME=VALUE', 'A value of the action; repeat it for several values.'),
  yes: flag('Make the change. Without it, the change is only shown.'),
}

const actCommand = (
  name: string,
  summary: string,
  examples: readonly string[],
  isMeant: (action: OfferedAction) => boolean,
): Command =>
  defineCommand({
    group,
    name,
    summary,
    data: {
      'actions?': '[{ run, action }]: the offered ones, where none was chosen',
      'preview?': 'without --yes: { summary, files, isPossible, … }',
      'outcome?': 'written or unchanged',
      'edit?': 'its number',
      'summary?': 'text',
    },
    details: '--set JSON gives all values as one object, such as {"decision":"A"}.',
    positionals,
    options,
    examples,
    run: (context, values) => act(context, values, isMeant),
  })

export const projectAct = actCommand(
  'act',
  'List the available actions of the runs; preview one, or carry it out.',
  ['project act .', 'project act . --action set-limits --set iterations=120 --yes'],
  () => true,
)

export const projectAnswer = actCommand(
  'answer',
  'List the needs that can be answered; preview one answer, or write it.',
  ['project answer .', "project answer . --action answer --set decision='Option C' --yes"],
  ({ answersNeed }) => answersNeed,
)

type ActValues = Values<typeof positionals> & Values<typeof options>

interface OfferedHere {
  readonly run: string
  readonly action: OfferedAction
}

async function act(
  { output, signal, openSession }: CommandContext,
  { folder, run, action, target, set, yes }: ActValues,
  isMeant: (action: OfferedAction) => boolean,
): Promise<number> {
  const { client } = await openSession()
  const { project } = await client.call('projects.open', { path: folder }, signal)
  const offered = (await allActions(client, project, run, signal)).filter((here) => isMeant(here.action))
  const meant = offered.filter(
    (here) =>
      (action === undefined || here.action.name === action) && (target === undefined || here.action.target === target),
  )
  const [one, ...others] = meant
  if (one === undefined)
    throw noSuchAction(
      offered.map((one) => one.action),
      action,
      target,
    )
  if (others.length > 0 || (action === undefined && target === undefined && set.length === 0)) {
    output.result({ actions: meant }, meant.map(describeAction).join('\n'))
    return EXIT_OK
  }
  const request: EditRequest = {
    kind: 'action',
    name: one.action.name,
    target: one.action.target,
    values: readFieldValues(set, one.action.fields),
  }
  const asked = { project, run: one.run, request }
  const preview = await client.call('projects.preview', asked, signal)
  if (!yes) {
    const end = preview.isPossible ? 'Nothing was written. Add --yes to write it.' : 'This is not possible now.'
    output.result({ preview }, [...printPreview(preview), end])
    return preview.isPossible ? EXIT_OK : EXIT_FAILED
  }
  const write = preview.git === null ? 'projects.write' : 'projects.writeWithGit'
  const result = await client.call(write, { ...asked, token: preview.token }, signal)
  if (result.outcome === 'conflict')
    throw new AppError('CONFLICT', result.reason, { hint: 'Call it again to see the current change.' })
  output.result(result, result.outcome === 'written' ? result.summary : 'Nothing to change: the files already match.')
  return EXIT_OK
}

async function allActions(
  client: BridgeClient,
  project: number,
  wanted: string | undefined,
  signal: AbortSignal,
): Promise<OfferedHere[]> {
  const found: OfferedHere[] = []
  let isKnown = false
  for (let after: string | null | undefined; after !== null;) {
    const page: Reply<'projects.runs'> = await client.call('projects.runs', { project, after: after ?? null }, signal)
    for (const { key: run } of page.runs) {
      if (wanted !== undefined && run !== wanted) continue
      isKnown = true
      const { actions } = await client.call('projects.actions', { project, run, target: null }, signal)
      found.push(...actions.map((action) => ({ run, action })))
    }
    after = page.next
  }
  if (wanted !== undefined && !isKnown)
    throw new AppError('NOT_FOUND', `There is no run ${wanted}.`, { hint: 'Leave --run out to list the runs.' })
  return found
}

const describeAction = ({ run, action }: OfferedHere): string =>
  [
    run,
    `  --action ${action.name}${action.target === '' ? '' : ` --target ${action.target}`}: ${action.title}`,
    ...action.fields.map((field) => `    ${describeField(field)}`),
  ].join('\n')

const printPreview = ({ summary, warnings, git, files, more }: Preview): Cell[] => [
  summary,
  ...warnings.map((warning) => toned('notice', warning)),
  ...(git === null ? [] : [git]),
  ...printPatch(files).map((line) => toned(patchTone(line), line)),
  ...(more > 0 ? [`${more} more lines are not shown.`] : []),
]
