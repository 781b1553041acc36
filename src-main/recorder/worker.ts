/** A worker thread of the recorder: takes frames and answers requests in the order in which they come, but for exports, which take their time. */
import { serveWorker } from '../rpc/serveWorker'
import { recorderProtocol } from './messages'
import { Recordings } from './recordings'

serveWorker(recorderProtocol, (notify) => {
  const recordings = new Recordings(notify)
  return {
    requests: recordings.handlers,
    posts: { frame: ({ handle, frame }) => recordings.append(handle, frame) },
  }
})
