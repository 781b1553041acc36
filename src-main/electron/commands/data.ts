import { AppError } from '@shared/contract/errors'
import { placeAside } from '../freshStart'
import { savedFile } from './savedFile'
import type { MainAreaHandlers, MainServices } from './services'

type Services = Pick<MainServices, 'bridge' | 'dataFolder' | 'dialogs' | 'grants' | 'openFolder' | 'startFresh'>

export const createDataHandlers = ({
  bridge,
  dataFolder,
  dialogs,
  grants,
  openFolder,
  startFresh,
}: Services): MainAreaHandlers<'data'> => ({
  'data.place': () => ({ folder: dataFolder }),
  'data.showFolder': async () => {
    if ((await openFolder(dataFolder)) !== '')
      throw new AppError('INTERNAL', 'The data folder could not be opened.', { hint: 'Copy its path instead.' })
    return {}
  },
  'data.backUp': async (_input, signal) => {
    const name = `bridgedeck-${new Date().toISOString().slice(0, 10)}.tar.gz`
    const path = await dialogs.save('backup', 'Back up data', name, [
      { name: 'Compressed archive', extensions: ['tar.gz'] },
    ])
    if (path === undefined) return { saved: null, left: [], leftCount: 0 }
    const { left, leftCount } = await bridge('data.backUpTo', { path }, signal)
    return { saved: savedFile(grants, path), left, leftCount }
  },
  'data.startFresh': async () => {
    await requireIdle(bridge)
    const isAgreed = await dialogs.confirm({
      message: 'Start Bridgedeck with empty data?',
      detail:
        `Settings, saved machines and passwords, agents, projects with their trust and history, notes on runs, drawings and the state of the built-in C64 start empty. ` +
        `Nothing is deleted: ${dataFolder} is moved to ${placeAside(dataFolder)}. ` +
        `Tasks and recordings in the folder of tasks stay. Bridgedeck restarts.`,
      button: 'Start fresh',
    })
    if (isAgreed) startFresh()
    return { isAgreed }
  },
})

/** Tasks and agents would go on in a folder that is moved away. A bridge that does not answer runs none. */
async function requireIdle(bridge: MainServices['bridge']): Promise<void> {
  const live = await Promise.all([bridge('tasks.live', {}), bridge('agentRuns.live', {})]).catch(() => undefined)
  if (!live || live[0].tasks.length + live[1].runs.length === 0) return
  throw new AppError('BUSY', 'Tasks or agents are running.', { hint: 'Stop them, then start fresh.' })
}
