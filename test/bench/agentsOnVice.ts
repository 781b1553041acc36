/** Eight agents on one VICE, some of them killed now and then: what they get done, and whether somebody who looks still can. */
import { agentsOnVice } from '../support/agentsOnVice'
import type { BenchOptions, Row } from './row'

/** Unless `--minutes` says otherwise. */
const MINUTES = 10

export default async function benchAgentsOnVice({ minutes = MINUTES }: BenchOptions): Promise<Row[]> {
  const { written, kills, busy, longestGapMs, faults } = await agentsOnVice(minutes * 60_000)
  const total = written.reduce((sum, count) => sum + count, 0)
  return [
    {
      name: 'lost or mixed replies, and agents locked out',
      value: faults.length,
      unit: '',
      target: 'none',
      met: faults.length === 0,
      note: `${total} writes read back in ${minutes} min, ${kills} kills, ${busy} waits for a turn${faults.length > 0 ? `; ${faults.slice(0, 3).join(' ')}` : ''}`,
    },
    { name: 'writes of the slowest agent', value: Math.min(...written), unit: '' },
    { name: 'longest wait of somebody who looks meanwhile', value: longestGapMs, unit: 'ms' },
  ]
}
