import { readLogs } from '../../../loops/ncrew/logs'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { flag, number } from '../../parameters'
import { requireCrew } from './crew'
import { crewFolder, ncrewGroup as group } from './group'

export const ncrewLogs = defineCommand({
  group,
  name: 'logs',
  summary: 'Print the newest log of a crew.',
  positionals: { folder: crewFolder },
  options: {
    all: flag('All logs.'),
    tail: number('N', 'Only the last N lines.', { min: 0, max: 1_000_000 }),
  },
  data: { lines: 'texts' },
  examples: ['ncrew logs --tail 20'],
  run: async ({ output, signal }, { folder, all, tail }) => {
    const lines = await readLogs(await requireCrew(folder, signal), { all, tail })
    output.result({ lines }, lines.length === 0 ? 'There is no log yet.' : lines.join('\n'))
    return EXIT_OK
  },
})
