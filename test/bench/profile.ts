/** How much of the built-in C64's speed a profile takes, while it is on. */
import { Checkpoints } from '../../src-main/machine/builtin/checkpoints'
import { Profiler } from '../../src-main/machine/builtin/profiler'
import type { Row } from './row'
import { demoRunning, shareOfSpeed } from './share'

export default function profile(): Promise<Row[]> {
  const c64 = demoRunning()
  const none = new Checkpoints()
  const profiler = new Profiler(c64, Infinity)
  const value = shareOfSpeed(
    () => c64.runFrame(),
    () => c64.runFollowed(none, profiler),
  )
  return Promise.resolve([{ name: 'share of the speed that a profile takes while it is on', value, unit: '%' }])
}
