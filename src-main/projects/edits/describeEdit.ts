import { bounded } from '@shared/contract/bounded'
import { editSchema, type Edit } from '@shared/contract/edits'
import type { StoredEdit } from '../../storage/edits'

export const describeEdit = ({
  edit,
  time,
  run,
  summary,
  changes: { files, overwritten, request },
  undoneAt,
}: StoredEdit): Edit =>
  bounded(editSchema, {
    edit,
    time,
    run,
    summary,
    undoneAt,
    request,
    files: files.map(({ file }) => file),
    overwritten: overwritten ? { at: overwritten.at, file: overwritten.file, by: overwritten.by } : null,
  }).value
