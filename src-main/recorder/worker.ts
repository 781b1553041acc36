/** Requests are answered in the order in which they come, except exports, which take long. */
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
