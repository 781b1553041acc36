import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { table } from '../../printed'
import { snapshotData, snapshotGroup as group, snapshotShape, spanText } from './group'

export const snapshotList = defineCommand({
  group,
  name: 'list',
  summary: 'List the snapshots of memory.',
  data: { snapshots: `[${snapshotShape}]` },
  examples: ['snapshot list'],
  run: async ({ output, signal, openSession }) => {
    const { client } = await openSession()
    const { snapshots } = await client.call('snapshots.list', {}, signal)
    output.result(
      { snapshots: snapshots.map(snapshotData) },
      snapshots.length === 0
        ? 'There are no snapshots. snapshot save NAME makes one.'
        : table(
            snapshots.map(({ name, source, time, ranges: [first] }) => [
              name,
              source,
              new Date(time).toISOString(),
              first ? spanText(first) : '',
            ]),
          ),
    )
    return EXIT_OK
  },
})
