import { Draft } from '../../edit/draft'
import type { Offer, Refusal } from '../../edit/offer'
import type { RunFiles } from '../../format'
import type { RunNeed } from '@shared/contract/orchestration'
import { field, isNull, stringOf, textOf, type LocatedDocument } from '../../text/located'
import type { MaestroState } from '../state'

/** Since version 1.6.3 a design waits for its approval in a separate file. */
export function approve(
  files: RunFiles,
  { details }: MaestroState,
  gate: LocatedDocument,
  needs: readonly RunNeed[],
): (Offer | Refusal)[] {
  const { root } = gate
  const approved = field(root, 'approved_at')
  const entered = field(root, 'entered_at')
  if (root?.kind !== 'map' || !entered) return []
  if (approved && !isNull(approved))
    return [
      {
        name: 'approve',
        target: gate.file,
        because: `The design was approved${textOf(approved) === undefined ? '' : ` at ${textOf(approved)}`}.`,
        hint: 'Nothing is left to approve.',
      },
    ]
  const source = gate.source(approved ?? entered)
  const named = stringOf(field(root, 'design_document_path'))
  const { folder } = files.candidate
  const designs = details.plans.flatMap(({ kind, path }) =>
    kind === 'design' && path !== null ? [folder === '' ? path : path.slice(folder.length + 1)] : [],
  )
  return [
    {
      name: 'approve',
      target: gate.file,
      title: `Approve the design of ${textOf(field(root, 'session_id')) ?? 'the session'}`,
      effect: 'Marks the design as approved, so that the session can start.',
      fields:
        named === undefined && designs.length > 0
          ? [
              {
                name: 'design',
                label: 'Design',
                kind: 'choice',
                value: designs.length === 1 ? (designs[0] ?? null) : null,
                options: designs.slice(0, 100).map((path) => ({ value: path, label: path })),
                optional: true,
              },
            ]
          : [],
      source,
      answersNeed: needs.some((need) => need.source.file === source.file && need.source.pointer === source.pointer),
      unattended: {},
      plan: (values) => {
        const draft = new Draft(files)
        const design = values.text('design')
        draft.json(gate.file, ['approved_at'], values.time)
        if (design !== undefined) draft.json(gate.file, ['design_document_path'], design)
        return {
          summary: 'Approved the design',
          changes: draft.changes,
          warnings: named === undefined && design === undefined ? ['The approval names no design.'] : [],
        }
      },
    },
  ]
}
