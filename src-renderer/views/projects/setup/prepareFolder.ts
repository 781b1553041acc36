import { create } from 'zustand'
import type { Output } from '@shared/contract/contract'
import type { LoopName } from '@shared/contract/loops'
import { call } from '../../../client/call'
import { notify } from '../../../client/messages'
import { showView } from '../../../client/navigation'
import { visibleText } from '../../../widgets/visibleText'
import { useProjects } from '../store'

export const useFolderSetups = create<{ readonly version: number }>(() => ({ version: 0 }))

/** A native dialog asks. */
export async function trustProject(): Promise<void> {
  const { projects, choice } = useProjects.getState()
  const chosen = choice && projects?.get(choice.project)
  if (!chosen) {
    void showView('projects')
    notify('Choose a project first.')
  } else if (chosen.trusted) notify(`${visibleText(chosen.name)} is already trusted.`)
  else noteRepository((await call('projects.trust', { project: chosen.project })).repository)
}

/**
 * The top of the repository that begins above the project. A native dialog asks.
 * @returns whether it is trusted now
 */
export async function trustRepository(project: number): Promise<boolean> {
  const { trusted } = await call('projects.trustRepository', { project })
  if (trusted) noteSetup()
  return trusted
}

export const setUpGit = async (project: number): Promise<void> =>
  noteRepository((await call('projects.createRepository', { project })).state)

/** Accepts exactly these words; where `.env` says others by now, those are asked about. */
export const acceptEnv = async (name: LoopName, words: string): Promise<void> => {
  await call('loops.acceptEnv', { ...name, words }).finally(noteSetup)
}

export const noteSetup = (): void => useFolderSetups.setState(({ version }) => ({ version: version + 1 }))

function noteRepository(state: Output<'projects.createRepository'>['state']): void {
  if (state === null) return
  noteSetup()
  notify(state === 'committed' ? 'Created a git repository with a first commit.' : 'The folder is in a repository.')
}
