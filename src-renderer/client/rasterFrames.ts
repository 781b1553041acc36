import { call } from './call'
import { frameReads } from './frameReads'

export const rasterFrames = frameReads((machine, signal) => call('running.rasterFrame', { machine }, { signal }))
