import { call } from '../../../client/call'
import { nameActions } from '../../../client/actionTitles'
import { attempt } from '../../../client/messages'
import { useProjects } from '../store'
import { latestEdit, latestUndo, type PlacedEdit } from './latestEdit'
import { takeBackLabel } from './takeBackLabel'

const openProjects = (): number[] =>
  [...(useProjects.getState().projects?.values() ?? [])]
    .filter(({ state }) => state !== 'closed')
    .map(({ project }) => project)

export async function readEdits(): Promise<PlacedEdit[]> {
  const edits = await Promise.all(
    openProjects().map(async (project) =>
      (await call('projects.edits', { project, run: null })).edits.map((edit) => ({ ...edit, project })),
    ),
  )
  return edits.flat()
}

export async function nameEdits(): Promise<void> {
  const edits = await readEdits()
  const [undo, redo] = [latestEdit(edits), latestUndo(edits)]
  await nameActions({
    ...(undo ? { 'project.undo': takeBackLabel(undo.summary) } : {}),
    ...(redo ? { 'project.redo': takeBackLabel(redo.summary) } : {}),
  })
}

export function followOpenProjects(): void {
  let known = ''
  useProjects.subscribe(() => {
    const now = openProjects().join(' ')
    if (now === known) return
    known = now
    attempt(nameEdits)
  })
}
