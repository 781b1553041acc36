import { call } from '../../../client/call'
import { attempt, endMessages } from '../../../client/messages'
import { isActive } from '../loopState'
import { keyOf, loopName, useLoops } from '../loops'
import { placeOf, useProjects } from '../store'

interface PlacedEdit {
  readonly project: number
  readonly edit: number
}

interface Offered extends PlacedEdit {
  readonly run: string
  /** ms since 1970. */
  readonly since: number
}

let offered: Offered | null = null

const aboutEdit = ({ project, edit }: PlacedEdit): string => `edit ${project} ${edit}`

export function beginUndoOffer(edit: Omit<Offered, 'since'>): string {
  if (offered !== null) endUndoOffer(offered)
  offered = { ...edit, since: Date.now() }
  return aboutEdit(edit)
}

export function endUndoOffer(edit: PlacedEdit): void {
  endMessages(aboutEdit(edit))
  if (offered?.project === edit.project && offered.edit === edit.edit) offered = null
}

export function followUndoOffer(): void {
  useProjects.subscribe(({ runs }, before) => {
    if (offered === null) return
    const at = placeOf(offered.project, offered.run)
    if (runs.get(at)?.run.revision !== before.runs.get(at)?.run.revision) checkUndoOffer()
  })
  useLoops.subscribe(() => {
    const edit = offered
    const placed = edit && useProjects.getState().runs.get(placeOf(edit.project, edit.run))
    const name = placed && loopName(placed.project, placed.run)
    const loop = name ? useLoops.getState().loops.get(keyOf(name)) : undefined
    if (edit && loop && !isActive(loop) && loop.since > edit.since) endUndoOffer(edit)
  })
}

/** It may have been undone elsewhere, or overwritten. */
export function checkUndoOffer(): void {
  const edit = offered
  if (edit === null) return
  attempt(async () => {
    const { edits } = await call('projects.undoable', { project: edit.project, edits: [edit.edit] })
    if (!edits.includes(edit.edit)) endUndoOffer(edit)
  })
}
