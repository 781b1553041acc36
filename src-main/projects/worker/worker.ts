import { workerData } from 'node:worker_threads'
import { formats } from '../../formats/formats'
import { serveWorker } from '../../rpc/serveWorker'
import { OwnDatabase } from '../../storage/ownDatabase'
import { projectProtocol } from './messages'
import { ProjectWorker } from './projectWorker'

const databasePath = String(workerData)

serveWorker(
  projectProtocol,
  (notify) => new ProjectWorker({ database: OwnDatabase.openAgain(databasePath), formats, notify }),
)
