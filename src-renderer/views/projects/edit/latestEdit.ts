import type { Edit } from '@shared/contract/edits'

type PlacedEdit = Pick<Edit, 'edit' | 'time' | 'run' | 'undoneAt' | 'request'> & { readonly project: number }

/** The edit that is undone next, of whichever project. */
export const latestEdit = (edits: readonly PlacedEdit[]): PlacedEdit | undefined =>
  edits
    .filter(({ undoneAt, request }) => undoneAt === null && request.kind !== 'undo')
    .reduce<PlacedEdit | undefined>((latest, edit) => (latest && latest.time >= edit.time ? latest : edit), undefined)
