/** The worker thread that reads files of labels and answers questions about them. */
import { serveWorker } from '../rpc/serveWorker'
import { createLabelIndex } from './labelIndex'
import { labelsProtocol } from './messages'

serveWorker(labelsProtocol, () => ({ requests: createLabelIndex(), posts: {} }))
