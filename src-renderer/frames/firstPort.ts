/** The page's port for frames, asked for before the page's script is there: the first frame then comes with its first paint. */
import type { FrameRequest } from '@shared/contract/frames'
import { BridgePort } from './bridgePort'

export const framesPort = new BridgePort<FrameRequest>('frames')
framesPort.open()
