import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { machine } from '../../parameters'
import { name, replace, snapshotData, snapshotGroup as group, snapshotShape } from './group'

export const snapshotSave = defineCommand({
  group,
  name: 'save',
  summary: 'Save the memory of a machine under a name.',
  details: 'The machine is stopped while it is read, if it can be, so that all bytes are of one moment.',
  positionals: { name: name('What to call it.') },
  options: { replace, machine: machine('The machine.') },
  data: { snapshot: snapshotShape },
  examples: ['snapshot save before', 'snapshot save "level 3" --machine vice:6502 --replace'],
  run: async ({ output, signal, openSession }, { name, replace: replaces, machine }) => {
    const session = await openSession()
    await session.connectLasting(machine, signal)
    const snapshot = await session.client.call('snapshots.save', { name, machine, replaces }, signal)
    output.result({ snapshot: snapshotData(snapshot) }, `Saved the memory of ${machine} as ${name}.`)
    return EXIT_OK
  },
})
