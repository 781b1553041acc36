import { basename, extname } from 'node:path'
import { nameOfSnapshot } from '@shared/contract/memorySnapshots'
import { anyFile } from './fileFilters'
import type { MainAreaHandlers, MainServices } from './services'

const images = [{ name: 'Memory', extensions: ['vsf', 'prg', 'bin', 'raw'] }, anyFile]

export const createSnapshotHandlers = ({
  bridge,
  dialogs,
}: Pick<MainServices, 'bridge' | 'dialogs'>): MainAreaHandlers<'snapshots'> => ({
  'snapshots.choose': async ({ name, replaces }, signal) => {
    const path = await dialogs.open('snapshot', 'Import memory as a snapshot', images)
    if (path === undefined) return { snapshot: null }
    const called = name ?? nameOfSnapshot(basename(path, extname(path)))
    return { snapshot: await bridge('snapshots.import', { name: called, path, address: null, replaces }, signal) }
  },
  'snapshots.askToDelete': async ({ name }, signal) => {
    const deleted = await dialogs.confirm({
      message: `Delete the snapshot “${name}”?`,
      detail: 'It cannot be brought back.',
      button: 'Delete',
    })
    if (deleted) await bridge('snapshots.delete', { name }, signal)
    return { deleted }
  },
})
