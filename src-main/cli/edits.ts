import { resolve } from 'node:path'
import type { Output } from '@shared/contract/contract'
import { AppError } from '@shared/contract/errors'
import type { EditRequest, OfferedAction, Preview } from '@shared/contract/edits'
import { describeField, readFieldValues } from './fieldValues'
import type { Call, Operation } from './operations'
import { EXIT_FAILED } from './output'
import { inert } from './project'

/** What can be done in a folder: all of it, and what answers a need. */
export const editOperations = {
  'project act': (call) => act(call, () => true),
  'project answer': (call) => act(call, ({ answersNeed }) => answersNeed),
} satisfies Record<string, Operation>

/** With no action named, those that there are; otherwise that one is shown as a difference, and written, or done by git, with `--yes`. */
async function act(
  { words, session, output, folder, signal }: Call,
  isMeant: (action: OfferedAction) => boolean,
): Promise<void> {
  const { client } = session
  const { project } = await client.call('projects.open', { path: resolve(folder, words.subject) }, signal)
  const [name, target, wanted] = [words.text('action'), words.text('target'), words.text('run')]
  const meant: { readonly run: string; readonly action: OfferedAction }[] = []
  let known = false
  for (let after: string | null | undefined; after !== null;) {
    const page: Output<'projects.runs'> = await client.call('projects.runs', { project, after: after ?? null }, signal)
    for (const { key: run } of page.runs) {
      if (wanted !== undefined && run !== wanted) continue
      known = true
      const { actions } = await client.call('projects.actions', { project, run, target: null }, signal)
      meant.push(
        ...actions
          .filter(
            (action) =>
              isMeant(action) &&
              (name === undefined || action.name === name) &&
              (target === undefined || action.target === target),
          )
          .map((action) => ({ run, action })),
      )
    }
    after = page.next
  }
  if (wanted !== undefined && !known)
    throw new AppError('NOT_FOUND', `There is no run ${wanted}.`, {
      hint: 'Without --run the runs that can be acted on are listed.',
    })
  const set = words.texts('set')
  const [one, ...others] = meant
  if (one === undefined) throw new AppError('NOT_FOUND', 'Nothing of the kind can be done here now.')
  if (others.length > 0 || (name === undefined && target === undefined && set.length === 0)) {
    output.result(
      { actions: meant },
      inert(
        meant
          .map(
            ({ run: of, action }) =>
              `${of}\n  --action ${action.name}${action.target === '' ? '' : ` --target ${action.target}`}: ${action.title}\n${action.fields.map((field) => `    ${describeField(field)}`).join('\n')}`,
          )
          .join('\n'),
      ),
    )
    return
  }
  const request: EditRequest = {
    kind: 'action',
    name: one.action.name,
    target: one.action.target,
    values: readFieldValues(set, one.action.fields),
  }
  const asked = { project, run: one.run, request }
  const preview = await client.call('projects.preview', asked, signal)
  if (!words.flag('yes')) {
    output.result(
      { preview },
      inert(
        [
          ...printPreview(preview),
          preview.isPossible ? 'Nothing is written yet: --yes writes it.' : 'It cannot be done as things stand.',
        ].join('\n'),
      ),
    )
    if (!preview.isPossible) output.exitCode = EXIT_FAILED
    return
  }
  const write = preview.git === null ? 'projects.write' : 'projects.writeWithGit'
  const result = await client.call(write, { ...asked, token: preview.token }, signal)
  if (result.outcome === 'conflict')
    throw new AppError('CONFLICT', result.reason, { hint: 'Call again to see what it would change now.' })
  output.result(
    result,
    result.outcome === 'written' ? inert(result.summary) : 'It stood there already: nothing was written.',
  )
}

const printPreview = ({ summary, warnings, git, files }: Preview): string[] => [
  summary,
  ...warnings,
  ...(git === null ? [] : [git]),
  ...files.flatMap(({ file, hunks }) => [
    file,
    ...hunks.flatMap(({ before, after, lines }) => [`@@ -${before} +${after} @@`, ...lines]),
  ]),
]
