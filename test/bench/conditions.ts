/** How much of the built-in C64's speed a condition on a hot address takes. */
import { Checkpoints } from '../../src-main/machine/builtin/checkpoints'
import type { Row } from './row'
import { demoRunning, shareOfSpeed } from './share'

/** What the demo reads most, and a condition that never holds. */
const HOT = { start: 0xd012, end: 0xd012, operations: ['load' as const] }
const CONDITION = 'A == $ff and @$d020 & $0f == 3'

export default function conditions(): Promise<Row[]> {
  const c64 = demoRunning()
  const hot = new Checkpoints()
  hot.set({ ...HOT, stop: true, enabled: true, temporary: false, condition: CONDITION, fromHit: 1, log: null })
  const value = shareOfSpeed(
    () => c64.runFrame(),
    () => c64.runFrame(hot),
  )
  const row = { name: 'share of the speed that a condition on a hot address takes', value, unit: '%' }
  return Promise.resolve([{ ...row, target: 'at most 20 %', met: value <= 20 }])
}
