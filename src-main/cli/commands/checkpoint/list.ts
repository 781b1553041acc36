import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { machine } from '../../parameters'
import { nameAddresses } from '../../place'
import { table } from '../../printed'
import { checkpointData, checkpointRow, checkpointGroup as group } from './group'

export const checkpointList = defineCommand({
  group,
  name: 'list',
  summary: 'List the checkpoints of a machine.',
  options: { machine: machine('The machine.') },
  data: {
    machine: 'the machine’s name',
    checkpoints:
      '[{ number, range, operations, stop, enabled, temporary, hits, condition, fromHit, log, label, line, unbound, enabledAgain }]',
  },
  examples: ['checkpoint list', 'checkpoint list --machine vice:6502'],
  run: async ({ output, signal, openSession }, { machine }) => {
    const session = await openSession()
    await session.connect(machine, signal)
    const { checkpoints } = await session.client.call('machine.checkpoints', { machine }, signal)
    const starts = checkpoints.map(({ start }) => start)
    const names = await nameAddresses(session, machine, { addresses: starts }, signal)
    output.result(
      { machine, checkpoints: checkpoints.map(checkpointData) },
      table(
        checkpoints.map((checkpoint) => checkpointRow(checkpoint, names.get(checkpoint.start))),
        `${machine} has no checkpoints.`,
      ),
    )
    return EXIT_OK
  },
})
