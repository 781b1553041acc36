import { serveWorker } from '../../rpc/serveWorker'
import { Emulation } from './emulation'
import { builtinProtocol } from './messages'

serveWorker(builtinProtocol, (notify) => ({ requests: new Emulation(notify).handlers, posts: {} }))
