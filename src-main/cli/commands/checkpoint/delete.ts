import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { machine } from '../../parameters'
import { checkpointNumber, checkpointGroup as group } from './group'

export const checkpointDelete = defineCommand({
  group,
  name: 'delete',
  summary: 'Delete a checkpoint.',
  positionals: { number: checkpointNumber },
  options: { machine: machine('The machine.') },
  data: { machine: 'the machine’s name', number: 'of the checkpoint' },
  examples: ['checkpoint delete 2 --machine vice:6502'],
  run: async ({ output, signal, openSession }, { number, machine }) => {
    const session = await openSession()
    await session.connectLasting(machine, signal)
    await session.client.call('machine.deleteCheckpoint', { machine, number }, signal)
    output.result({ machine, number }, `Deleted checkpoint ${number}.`)
    return EXIT_OK
  },
})
