import { serveWorker } from '../rpc/serveWorker'
import { createLabelIndex } from './labelIndex'
import { labelsProtocol } from './messages'

serveWorker(labelsProtocol, () => ({ requests: createLabelIndex(), posts: {} }))
