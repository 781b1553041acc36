import type { Output as Reply } from '@shared/contract/contract'
import { counted } from '@shared/countedText'
import { defineCommand } from '../../command'
import { EXIT_FAILED, EXIT_OK } from '../../exitCodes'
import { flag } from '../../parameters'
import { table, type Printed } from '../../printed'
import { taskGroup as group } from './group'
import { homeOption, openTaskSession } from './taskSession'

export const taskRepair = defineCommand({
  group,
  name: 'repair',
  summary: 'Rebuild a damaged tasks.json from the task folders; without --yes, show what it would hold.',
  options: { yes: flag('Replace tasks.json. The damaged file is kept beside it.'), home: homeOption },
  data: {
    entries: 'how many tasks it has, without --yes the first of them',
    aside: 'the path of the damaged file',
    repaired: 'true or false',
    'problem?': 'text',
    'stamp?': 'text',
    'more?': 'number',
    'leftOut?': 'IDs',
  },
  examples: ['task repair', 'task repair --yes'],
  run: async (context, { yes, home }) => {
    const { client } = await openTaskSession(context, home)
    const plan = await client.call('tasks.previewRepair', {}, context.signal)
    if (!yes) {
      context.output.result({ ...plan, repaired: false }, print(plan))
      return EXIT_FAILED
    }
    const { entries, aside } = await client.call('tasks.repair', { stamp: plan.stamp }, context.signal)
    context.output.result(
      { entries, aside, repaired: true },
      `tasks.json has ${counted(entries, 'task')}. The damaged file is ${aside}.`,
    )
    return EXIT_OK
  },
})

const print = ({ problem, entries, more, leftOut, aside }: Reply<'tasks.previewRepair'>): Printed => [
  problem,
  `The repaired tasks.json has ${counted(entries.length + more, 'task')}; the damaged file is kept as ${aside}.`,
  table(
    entries.map(({ id, status, source }) => [id, status, source === 'folder' ? 'from its folder' : 'from the file']),
  ),
  ...(more > 0 ? [`and ${more} more`] : []),
  ...leftOut.map((id) => `${id} is left out: its task.json cannot be read.`),
  'Nothing is changed. To repair it: bridgedeck task repair --yes',
]
