/** What the person does to a project's folder before agents work in it. */
import { create } from 'zustand'
import type { Output } from '@shared/contract/contract'
import { call } from '../../../client/call'
import { notify } from '../../../client/messages'
import { showView } from '../../../client/navigation'
import { visibleText } from '../../../widgets/visibleText'
import { useProjects } from '../store'

/** Another one means that a folder may have a git repository now. */
export const useRepositories = create<{ readonly version: number }>(() => ({ version: 0 }))

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

export const setUpGit = async (project: number): Promise<void> =>
  noteRepository((await call('projects.createRepository', { project })).state)

function noteRepository(state: Output<'projects.createRepository'>['state']): void {
  if (state === null) return
  useRepositories.setState(({ version }) => ({ version: version + 1 }))
  notify(state === 'committed' ? 'Created a git repository with a first commit.' : 'The folder is in a repository.')
}
