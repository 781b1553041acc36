/**
 * The frame port is asked for before the page's script is there, so that the first frame comes with the first paint.
 */
import type { FrameRequest } from '@shared/contract/frames'
import { BridgePort } from './bridgePort'

export const framesPort = new BridgePort<FrameRequest>('frames')
framesPort.open()
