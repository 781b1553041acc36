/** What each cycle of a frame of the machine in front was used for. */
import { call } from './call'
import { frameReads } from './frameReads'

export const rasterFrames = frameReads((machine, signal) => call('running.rasterFrame', { machine }, { signal }))
