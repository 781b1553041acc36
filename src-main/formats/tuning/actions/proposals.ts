import type { Json } from '@shared/json'
import { within } from '../../listing'
import { field, itemsOf, plain, textOf } from '../../text/located'
import type { StateDraft, TuningRun } from './tuningRun'

export const PROPOSALS = 'fixes/fix-proposals.json'

/** Ids are never reused. */
export function nextFixNumber({ state: { root } }: TuningRun): number {
  const ids = [
    ...itemsOf(field(root, 'proposed_fixes')).map((fix) => textOf(field(fix, 'id'))),
    ...itemsOf(field(root, 'applied_fixes')).map((fix) => textOf(field(fix, 'fix_id'))),
  ]
  const numbers = ids.map((id) => Number(/^FIX-(\d{1,9})$/.exec(id ?? '')?.[1] ?? 0))
  return 1 + numbers.reduce((most, number) => Math.max(most, number), 0)
}

export function addProposals({ files, state: { root } }: TuningRun, draft: StateDraft, fixes: readonly Json[]): void {
  const before = itemsOf(field(root, 'proposed_fixes'))
  fixes.forEach((fix, index) => draft.set(['proposed_fixes', before.length + index], fix))
  const all = [...before.map((node) => plain(node)), ...fixes]
  draft.write(within(files.candidate.marker, PROPOSALS), `${JSON.stringify(all, undefined, 2)}\n`)
}
