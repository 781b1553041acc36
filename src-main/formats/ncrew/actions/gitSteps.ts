import { AppError } from '@shared/contract/errors'
import type { OfferedField } from '@shared/contract/edits'
import type { Offer } from '../../edit/offer'
import { quote } from '../../finding'
import type { RunFiles } from '../../format'

export function gitSteps({ candidate: { marker } }: RunFiles): Offer[] {
  const step = (
    name: string,
    title: string,
    effect: string,
    fields: readonly OfferedField[],
    planned: Offer['plan'],
  ): Offer => ({
    name,
    target: '',
    title,
    effect: `${effect} Keeps a backup under a git ref. Needs a trusted git repository.`,
    fields,
    source: { file: marker },
    answersNeed: false,
    plan: planned,
  })
  const questions = 'Uncommitted questions and answers are discarded too.'
  return [
    step(
      'discard-turn',
      'Discard uncommitted changes',
      'Removes changes since the last commit, and new files, such as a failed turn left.',
      [],
      () => ({
        summary: 'Discarded uncommitted changes',
        changes: [],
        warnings: [questions],
        git: { kind: 'discard' },
      }),
    ),
    step(
      'undo-iteration',
      'Undo the last iteration',
      'Removes the last commit: its task, INDEX.md and files.',
      [],
      () => ({
        summary: 'Undid the last iteration',
        changes: [],
        warnings: ['Check the last commit first: it is removed even if no expert made it.', questions],
        git: { kind: 'reset', commit: 'HEAD~1' },
      }),
    ),
    step(
      'reset',
      'Go back to a commit',
      'Removes everything after the commit.',
      [{ name: 'commit', label: 'Commit', kind: 'line', value: '', help: 'Its hash, 7 characters or more.' }],
      (values) => {
        const commit = values.text('commit') ?? ''
        if (!/^[0-9a-f]{7,40}$/i.test(commit))
          throw new AppError('INVALID', `${quote(commit)} is not a commit hash.`, {
            hint: 'Copy it from git log: 7 to 40 hexadecimal digits.',
          })
        return { summary: `Went back to ${commit}`, changes: [], warnings: [questions], git: { kind: 'reset', commit } }
      },
    ),
  ]
}
