/** The bridge of a real window, killed again and again while tasks, a recording and an edit run. */
import { killBridges } from '../support/killedBridges'
import { median, type BenchOptions, type Row } from './row'

export default async function kills({ kills: count = 60 }: BenchOptions): Promise<Row[]> {
  const { live, written, tasks, recordings, damage } = await killBridges(count)
  return [
    {
      name: `${count} kills: torn, or wrongly said to run`,
      value: damage.length,
      unit: '',
      target: '0',
      met: damage.length === 0,
      note: damage.slice(0, 5).join(' '),
    },
    { name: 'killed to live again, median', value: median(live), unit: 's' },
    { name: 'killed to live again, longest', value: Math.max(...live), unit: 's' },
    { name: 'running tasks that were killed', value: tasks, unit: '' },
    { name: 'recordings that were killed', value: recordings, unit: '' },
    { name: 'edits that were written before the kill', value: written, unit: '', note: `of ${count}` },
  ]
}
