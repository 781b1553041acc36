import type { Edit } from '@shared/contract/edits'
import { readSummary } from './takeBackLabel'

export type PlacedEdit = Pick<Edit, 'edit' | 'time' | 'run' | 'summary' | 'undoneAt' | 'request'> & {
  readonly project: number
}

export const latestEdit = (edits: readonly PlacedEdit[]): PlacedEdit | undefined =>
  latest(edits.filter(({ undoneAt, summary }) => undoneAt === null && !readSummary(summary).isUndo))

export function latestUndo(edits: readonly PlacedEdit[]): PlacedEdit | undefined {
  const since = latest(edits.filter(({ request }) => request.kind !== 'undo'))?.time ?? -Infinity
  return latest(
    edits.filter(({ undoneAt, summary, time }) => undoneAt === null && readSummary(summary).isUndo && time >= since),
  )
}

const latest = (edits: readonly PlacedEdit[]): PlacedEdit | undefined =>
  edits.reduce<PlacedEdit | undefined>((last, edit) => (last && last.time >= edit.time ? last : edit), undefined)
