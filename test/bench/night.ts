/** A thousand turns of Meta-Shell and ncrew on the command line, whose hosts and agents are killed at random. */
import { runNight } from '../support/night'
import type { BenchOptions, Row } from './row'

/** Of each loop; with this many tasks each they take about a thousand turns. */
const PROJECTS = 10
const TASKS = 40

export default async function night({ kills = 400 }: BenchOptions): Promise<Row[]> {
  const maxKills = Math.ceil(kills / PROJECTS / 2)
  const started = performance.now()
  const report = await runNight({
    projects: PROJECTS,
    tasks: TASKS,
    odd: 0.15,
    turnTime: 2_000,
    killWithin: 1_500,
    maxKills,
  })
  const { turns, hostKills, agentKills, adopted, cost, damage } = report
  return [
    {
      ...{
        name: `${turns} turns: done twice, lost, unpaid or left alive`,
        value: damage.length,
        unit: '',
        target: '0',
      },
      met: damage.length === 0,
      note: damage.slice(0, 5).join(' '),
    },
    { name: 'hosts killed', value: hostKills, unit: '' },
    { name: 'agents killed', value: agentKills, unit: '' },
    { name: 'agents that answered after their host was killed', value: adopted, unit: '' },
    { name: 'cost, as every log and every file says', value: Math.round(cost * 1000) / 1000, unit: 'USD' },
    { name: 'time', value: (performance.now() - started) / 60_000, unit: 'min' },
  ]
}
