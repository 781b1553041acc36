/** The states of the window that pictures are kept of, and how it comes into each. */
import type { WorkspaceName } from '@shared/workspaces'
import { answerFileDialogs, answerQuestions, chooseMenuItem } from '../e2e/support'
import { agentLike } from './agentBench'
import type { RunningApp } from './launchApp'
import {
  writeDamagedProject,
  writeDamagedTasks,
  writeLongProject,
  writeMachineState,
  writeProject,
  writeTasks,
} from './pictureData'

export interface PictureScene {
  readonly name: 'normal' | 'empty' | 'error' | 'long'
  readonly workspaces: readonly WorkspaceName[]
  /** What is on disk before the app starts. @param folder the user's */
  readonly write: (folder: string) => Promise<void>
  /** What a person does then. The page is loaded again before the first picture. */
  readonly arrange: (running: RunningApp, folder: string) => Promise<void>
}

export const pictureScenes: readonly PictureScene[] = [
  {
    name: 'normal',
    workspaces: ['machine', 'timeline', 'tasks', 'devices', 'projects', 'agents', 'graphics', 'settings', 'help'],
    write: (folder) => writeTasks(folder),
    arrange: async (running, folder) => {
      await stopInTheDemo(running, folder)
      await openProject(running, await writeProject(folder))
      await setUpAgent(running)
    },
  },
  {
    name: 'empty',
    workspaces: ['timeline', 'tasks', 'projects', 'agents'],
    write: () => Promise.resolve(),
    arrange: stopInTheDemo,
  },
  {
    name: 'error',
    workspaces: ['tasks', 'projects'],
    write: (folder) => writeDamagedTasks(folder),
    arrange: async (running, folder) => {
      await stopInTheDemo(running, folder)
      await openProject(running, await writeDamagedProject(folder))
    },
  },
  {
    name: 'long',
    workspaces: ['tasks', 'projects'],
    write: (folder) => writeTasks(folder, `read_${'the_whole_screen_and_its_colours_'.repeat(4)}`),
    arrange: async (running, folder) => {
      await stopInTheDemo(running, folder)
      await openProject(running, await writeLongProject(folder))
    },
  },
]

const machineState = ({ page }: RunningApp, word: string): Promise<void> =>
  page.locator('[data-panel="status-bar"] .state-words', { hasText: word }).waitFor()

/** Without a machine that runs nothing changes any more. */
async function stopInTheDemo(running: RunningApp, folder: string): Promise<void> {
  await chooseMenuItem(running, 'machine.pause')
  await machineState(running, 'Paused')
  await answerFileDialogs(running, await writeMachineState(folder))
  await chooseMenuItem(running, 'state.load')
  await running.page.getByRole('log', { name: 'Messages' }).getByText('is loaded').waitFor()
}

async function openProject(running: RunningApp, project: string): Promise<void> {
  await answerFileDialogs(running, project)
  await chooseMenuItem(running, 'project.open')
  await running.page.locator('[data-panel="projects"]').getByRole('listbox', { name: 'Needs you' }).waitFor()
}

async function setUpAgent(running: RunningApp): Promise<void> {
  await answerQuestions(running, 1)
  const agent = agentLike({}, { name: 'coder', command: '/usr/bin/true', args: ['--print'] })
  const saved = await running.page.evaluate((wanted) => window.bridgedeck.agents.save(wanted), agent)
  if (!saved.ok) throw new Error(saved.error.message)
}
