import type { WatchFolder } from '../../src-main/projects/watch/folderWatch'
import { formats } from '../../src-main/formats/formats'
import { Projects, type ProjectsOptions } from '../../src-main/projects/projects'
import { ProjectWorker } from '../../src-main/projects/worker/projectWorker'
import type { StartProjectWorker } from '../../src-main/projects/worker/projectWorkerClient'
import type { Database } from '../../src-main/storage/database'

/** What follows projects in this very thread, with messages cloned as a thread's border would. */
export const startWorkerHere =
  (database: Database, watchFolder?: WatchFolder): StartProjectWorker =>
  (onMessage, onEnd) => {
    let isOpen = true
    const say = (message: unknown) => {
      const copy: unknown = structuredClone(message)
      queueMicrotask(() => {
        if (isOpen) onMessage(copy)
      })
    }
    const projectWorker = new ProjectWorker({ database, formats, post: say, ...(watchFolder ? { watchFolder } : {}) })
    return {
      post: (message) => projectWorker.take(structuredClone(message)),
      end: async () => {
        await projectWorker.close()
        isOpen = false
        onEnd('it was ended')
      },
    }
  }

/** Projects that are followed in this thread, in which nothing may go wrong unnoticed. */
export const projectsHere = (
  database: Database,
  {
    watchFolder,
    onChanged = () => undefined,
    ...others
  }: Partial<Pick<ProjectsOptions, 'onChanged' | 'onOverwritten'>> & {
    readonly watchFolder?: WatchFolder | undefined
  } = {},
): Projects =>
  new Projects({
    database,
    formats,
    startWorker: startWorkerHere(database, watchFolder),
    onChanged,
    log: (message, error) => {
      throw new Error(message, { cause: error })
    },
    ...others,
  })
