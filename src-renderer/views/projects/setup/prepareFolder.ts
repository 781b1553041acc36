/** What the person does to a project's folder before agents work in it. */
import { create } from 'zustand'
import type { Output } from '@shared/contract/contract'
import type { LoopName } from '@shared/contract/loops'
import { call } from '../../../client/call'
import { notify } from '../../../client/messages'
import { showView } from '../../../client/navigation'
import { visibleText } from '../../../widgets/visibleText'
import { useProjects } from '../store'

/** Another one means that the runs of a folder may have what they need now. */
export const useFolderSetups = create<{ readonly version: number }>(() => ({ version: 0 }))

/** The one that is chosen; a native dialog asks. */
export async function trustProject(): Promise<void> {
  const { projects, choice } = useProjects.getState()
  const chosen = choice && projects?.get(choice.project)
  if (!chosen) {
    void showView('projects')
    notify('Choose a project first.')
  } else if (chosen.trusted) notify(`${visibleText(chosen.name)} is already trusted.`)
  else noteRepository((await call('projects.trust', { project: chosen.project })).repository)
}

/** The top of the repository that begins above the project; a native dialog asks. @returns whether it is trusted now */
export async function trustRepository(project: number): Promise<boolean> {
  const { trusted } = await call('projects.trustRepository', { project })
  if (trusted) noteSetup()
  return trusted
}

export const setUpGit = async (project: number): Promise<void> =>
  noteRepository((await call('projects.createRepository', { project })).state)

/** Exactly these; where its `.env` says others by now, those are asked about. */
export const acceptEnv = async (name: LoopName, words: string): Promise<void> => {
  await call('loops.acceptEnv', { ...name, words }).finally(noteSetup)
}

/** All that shows what a run would start with reads it again. */
export const noteSetup = (): void => useFolderSetups.setState(({ version }) => ({ version: version + 1 }))

function noteRepository(state: Output<'projects.createRepository'>['state']): void {
  if (state === null) return
  noteSetup()
  notify(state === 'committed' ? 'Created a git repository with a first commit.' : 'The folder is in a repository.')
}
