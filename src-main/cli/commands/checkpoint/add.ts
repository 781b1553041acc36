import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { choices, flag, machine, required, text } from '../../parameters'
import { placeRange, resolvePlace } from '../../place'
import { checkpointData, checkpointRow, checkpointGroup as group } from './group'

export const checkpointAdd = defineCommand({
  group,
  name: 'add',
  summary: 'Stop a machine when it executes, reads or writes an address.',
  details: 'One that begins at a label of the program follows the label when the program is rebuilt.',
  positionals: { range: required(placeRange('The addresses.')) },
  options: {
    on: choices('ACCESS', 'Which access; repeat it for several. Default: exec.', ['exec', 'load', 'store'] as const),
    condition: text('EXPRESSION', 'Only where this is true, in the words of VICE’s monitor.'),
    temporary: flag('Delete it once it was hit.'),
    'count-only': flag('Count hits without stopping.'),
    machine: machine('The machine.'),
  },
  data: {
    machine: 'the machine’s name',
    checkpoint: '{ number, range, operations, stop, enabled, temporary, hits, condition, label }',
  },
  examples: [
    "checkpoint add '$C000'",
    "checkpoint add '$D020-$D021' --on store --machine vice:6502",
    'checkpoint add main',
  ],
  run: async ({ output, signal, openSession }, { range, on, condition = null, temporary, machine, ...values }) => {
    const session = await openSession()
    const place = await resolvePlace(openSession, machine, range, signal)
    await session.connectLasting(machine, signal)
    const wanted = {
      ...place,
      operations: on.length === 0 ? ['exec' as const] : [...new Set(on)],
      stop: !values['count-only'],
      enabled: true,
      temporary,
      condition,
    }
    const checkpoint = await session.client.call('machine.setCheckpoint', { machine, checkpoint: wanted }, signal)
    output.result({ machine, checkpoint: checkpointData(checkpoint) }, checkpointRow(checkpoint).join('  ').trimEnd())
    return EXIT_OK
  },
})
