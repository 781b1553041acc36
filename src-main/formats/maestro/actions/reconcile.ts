import type { Offer } from '../../edit/offer'
import { needAt, SessionDraft, sourceOf, type MaestroRun, type SessionPhase } from './maestroRun'

const fileLists = ['created', 'modified', 'deleted'] as const

/** Since version 1.6.3 the person lists the files of a phase whose agent did not. */
export function reconcile(run: MaestroRun, phase: SessionPhase): Offer[] {
  const { details, title, node } = phase
  if (details.requiresReconciliation.value !== true) return []
  const listOf = (kind: (typeof fileLists)[number]) => details.files[kind].flatMap(({ value }) => value ?? [])
  const source = details.requiresReconciliation.source ?? sourceOf(run, node)
  return [
    {
      name: 'reconcile',
      target: details.key,
      title: `List the files that phase “${title}” changed`,
      effect: 'Replaces its lists of files with yours and marks the phase as reconciled.',
      fields: fileLists.map((kind) => ({
        name: kind,
        label: `Files ${kind}`,
        kind: 'text',
        value: listOf(kind).join('\n'),
        help: 'One project path per line.',
        optional: true,
      })),
      source,
      answersNeed: needAt(run, 'question', source) !== undefined,
      plan: (values) => {
        const draft = new SessionDraft(run, values)
        for (const kind of fileLists) {
          const paths = (values.text(kind) ?? '')
            .split(/\r?\n/)
            .map((path) => path.trim())
            .filter((path) => path !== '')
          const before = listOf(kind)
          if (paths.length !== before.length || paths.some((path, index) => path !== before[index]))
            draft.set(node, `files_${kind}`, paths)
        }
        draft.set(node, 'requires_reconciliation', false)
        return draft.finish(`Listed the files that phase “${title}” changed`)
      },
    },
  ]
}
