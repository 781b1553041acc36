/** The worker thread that follows projects. */
import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { formats } from '../../formats/formats'
import { openDatabase } from '../../storage/database'
import { ProjectWorker } from './projectWorker'

const port = parentPort
if (!port) throw new Error('worker.ts runs in a worker thread, started by the bridge')

const { databasePath } = z.strictObject({ databasePath: z.string() }).parse(workerData)
const projectWorker = new ProjectWorker({
  database: openDatabase(databasePath),
  formats,
  post: (message) => port.postMessage(message),
})
port.on('message', (message: unknown) => projectWorker.take(message))
