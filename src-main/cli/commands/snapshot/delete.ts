import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { name, snapshotGroup as group } from './group'

export const snapshotDelete = defineCommand({
  group,
  name: 'delete',
  summary: 'Delete a snapshot of memory.',
  positionals: { name: name('The snapshot.') },
  data: { name: 'of the snapshot' },
  examples: ['snapshot delete before'],
  run: async ({ output, signal, openSession }, { name }) => {
    const { client } = await openSession()
    await client.call('snapshots.delete', { name }, signal)
    output.result({ name }, `Deleted ${name}.`)
    return EXIT_OK
  },
})
