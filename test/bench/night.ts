/** A thousand turns of the four loops on the command line, whose hosts, agents and machines are killed at random. */
import { runNight } from '../support/night'
import { nightLoops } from '../support/nightLoops'
import type { BenchOptions, Row } from './row'

const MAX_TASKS = 20
const TURNS_A_KILL = 2.5

export default async function night(options: BenchOptions): Promise<Row[]> {
  const { turns = 1_000, kills = turns / TURNS_A_KILL, minutes } = options
  const each = Math.ceil(turns / nightLoops.length)
  const projects = Math.ceil(each / MAX_TASKS)
  const started = performance.now()
  const report = await runNight({
    projects,
    ...(minutes === undefined ? {} : { time: minutes * 60_000 }),
    tasks: Math.ceil(each / projects),
    odd: 0.15,
    turnTime: 2_000,
    killWithin: 6_000,
    maxKills: Math.ceil(kills / nightLoops.length / projects),
  })
  const { kills: killed, adopted, cost, damage } = report
  const taken = Object.values(report.turns).reduce((sum, one) => sum + one, 0)
  return [
    {
      name: `${taken} turns: done twice, lost, unpaid or left alive`,
      value: damage.length,
      unit: '',
      target: '0',
      met: damage.length === 0,
      note: damage.slice(0, 5).join(' '),
    },
    ...Object.entries(report.turns).map(([loop, value]) => ({ name: `turns of ${loop}`, value, unit: '' })),
    { name: 'hosts killed', value: killed.host, unit: '' },
    { name: 'agents killed', value: killed.agent, unit: '' },
    { name: 'hosts killed with all their agents at once', value: killed.machine, unit: '' },
    { name: 'agents that answered after their host was killed', value: adopted, unit: '' },
    { name: 'cost, as every log and every file says', value: Math.round(cost * 1000) / 1000, unit: 'USD' },
    { name: 'time', value: (performance.now() - started) / 60_000, unit: 'min' },
  ]
}
