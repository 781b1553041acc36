import { Draft } from '../../edit/draft'
import type { Offer } from '../../edit/offer'
import type { RunFiles } from '../../format'
import { indexField } from '../indexFacts'
import type { State } from '../state'

export function openAgain(draft: Draft, state: State): void {
  const { complete, index } = state
  if (complete === undefined) return
  if (index && indexField(state, 'status')) draft.front(index.text.path, ['status'], 'in_progress')
  draft.write(complete, null)
}

export function reopen(files: RunFiles, state: State): Offer[] {
  const { complete, tasks } = state
  const done = state.phases.flatMap((phase) =>
    phase.tasks.filter(({ line }) => line.checked).map((task) => ({ phase, task })),
  )
  if (complete === undefined || !tasks || done.length === 0) return []
  return [
    {
      name: 'reopen',
      target: '',
      title: 'Reopen the finished project',
      effect: 'Deletes CREW_COMPLETE, sets INDEX.md to in_progress and reopens one task.',
      fields: [
        {
          name: 'task',
          label: 'Task to redo',
          kind: 'choice',
          value: done.at(-1)?.task.key ?? null,
          options: done
            .slice(-500)
            .map(({ phase, task }) => ({ value: task.key, label: `${phase.name}: ${task.line.text}` })),
        },
      ],
      source: { file: complete },
      answersNeed: false,
      plan: (values) => {
        const task = done.find((entry) => entry.task.key === values.text('task'))?.task
        const draft = new Draft(files)
        if (task) draft.edit(tasks.text.path, [{ offset: task.line.mark, length: 1, text: ' ' }])
        openAgain(draft, state)
        return { summary: 'Reopened the project', changes: draft.changes, warnings: [] }
      },
    },
  ]
}
