import { AppError } from '@shared/contract/errors'
import type { ActionField } from '../../edit/action'
import type { Offer } from '../../edit/offer'
import { quote } from '../../finding'
import type { RunFiles } from '../../format'

export function gitSteps({ candidate: { marker } }: RunFiles): Offer[] {
  const step = (
    name: string,
    title: string,
    effect: string,
    fields: readonly ActionField[],
    planned: Offer['plan'],
  ): Offer => ({
    name,
    target: '',
    title,
    effect: `${effect} A backup is kept under a ref of git. Needs a git repository that is trusted.`,
    fields,
    source: { file: marker },
    answersNeed: false,
    plan: planned,
  })
  const questions = 'Answers and questions that are not committed go with it.'
  return [
    step(
      'discard-turn',
      'Discard what is not committed',
      'What a failed turn left behind is taken away: changes since the last commit, and new files.',
      [],
      () => ({
        summary: 'Discarded what was not committed',
        changes: [],
        warnings: [questions],
        git: { kind: 'discard' },
      }),
    ),
    step(
      'undo-iteration',
      'Undo the last iteration',
      'The last commit is taken back: a task, INDEX.md and what was made for it together, as one commit is one task.',
      [],
      () => ({
        summary: 'Undid the last iteration',
        changes: [],
        warnings: [
          'If the last commit is not an expert’s, it is taken back all the same: look at it first.',
          questions,
        ],
        git: { kind: 'reset', commit: 'HEAD~1' },
      }),
    ),
    step(
      'reset',
      'Go back to a commit',
      'Everything after the commit is taken back.',
      [{ name: 'commit', label: 'Commit', kind: 'line', value: '', help: 'Its hash, 7 characters or more.' }],
      (values) => {
        const commit = values.text('commit') ?? ''
        if (!/^[0-9a-f]{7,40}$/i.test(commit))
          throw new AppError('INVALID', `${quote(commit)} is no hash of a commit.`, {
            hint: 'Take it from git log: 7 to 40 hexadecimal digits.',
          })
        return { summary: `Went back to ${commit}`, changes: [], warnings: [questions], git: { kind: 'reset', commit } }
      },
    ),
  ]
}
