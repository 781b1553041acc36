import { EventEmitter } from 'node:events'
import type { WatchFolder } from '../../src-main/projects/watch/folderWatch'
import { formats } from '../../src-main/formats/formats'
import { Projects, type ProjectsOptions } from '../../src-main/projects/projects'
import { projectProtocol } from '../../src-main/projects/worker/messages'
import { ProjectWorker } from '../../src-main/projects/worker/projectWorker'
import type { StartProjectWorker } from '../../src-main/projects/worker/projectWorkerClient'
import { receiver } from '../../src-main/rpc/serveWorker'
import { connectWorker } from '../../src-main/rpc/startWorker'
import type { Database } from '../../src-main/storage/database'

/** The worker of projects in this very thread, with messages cloned as a thread's border would. */
export const startWorkerHere =
  (database: Database, watchFolder?: WatchFolder): StartProjectWorker =>
  (events) => {
    const thread = new EventEmitter()
    const send = (message: unknown) => {
      const copy: unknown = structuredClone(message)
      queueMicrotask(() => thread.emit('message', copy))
    }
    const worker = new ProjectWorker({
      database,
      formats,
      notify: (name, payload) => send({ kind: 'notice', name, payload }),
      ...(watchFolder ? { watchFolder } : {}),
    })
    const receive = receiver(projectProtocol.name, worker, send)
    return connectWorker(
      projectProtocol,
      {
        postMessage: (message) => receive(structuredClone(message)),
        on: (event, listener) => thread.on(event, listener),
        terminate: () => worker.close(),
      },
      events,
    )
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
