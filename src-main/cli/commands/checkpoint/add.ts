import { MAX_FROM_HIT } from '@shared/contract/checkpoints'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { choices, expression, flag, machine, number, required, text, withDefault } from '../../parameters'
import { nameAddresses, placeRange, resolvePlace } from '../../place'
import { checkpointData, checkpointRow, checkpointGroup as group } from './group'

export const checkpointAdd = defineCommand({
  group,
  name: 'add',
  summary: 'Stop a machine when it executes, reads or writes an address.',
  details:
    'A checkpoint that begins at a label of the program, behind one (draw+3..draw+5), or at a source line follows it when the program is rebuilt; a line is found by its text. If the line is gone, the checkpoint is disabled, and says so, until a build has it again.',
  positionals: { range: required(placeRange('The addresses.')) },
  options: {
    on: choices('ACCESS', 'Which access; repeat it for several. Default: exec.', ['exec', 'load', 'store'] as const),
    if: expression('Only where this is true.'),
    hits: withDefault(number('N', 'Only from the Nth hit on.', { min: 1, max: MAX_FROM_HIT }), 1),
    log: text('TEXT', 'Log this without stopping, with expressions in braces; see bridgedeck checkpoint log.'),
    temporary: flag('Delete it once it was hit.'),
    'count-only': flag('Count hits without stopping.'),
    machine: machine('The machine.'),
  },
  data: {
    machine: 'the machine’s name',
    checkpoint:
      '{ number, range, operations, stop, enabled, temporary, hits, condition, fromHit, log, label, line, unbound, enabledAgain }',
  },
  examples: [
    "checkpoint add '$C000'",
    "checkpoint add '$D020-$D021' --on store --machine vice:6502",
    'checkpoint add main',
    'checkpoint add game.s:120',
    "checkpoint add '$EA31' --if 'A == 5 and @$d020 != 0' --hits 3",
    "checkpoint add '$D020' --on store --log 'border {@$d020} in line {RL, decimal}'",
  ],
  run: async ({ output, signal, openSession }, { range, on, log = null, temporary, machine, ...values }) => {
    const session = await openSession()
    const place = await resolvePlace(openSession, machine, range, signal)
    await session.connectLasting(machine, signal)
    if (log !== null || values.hits > 1) session.requireLastingConnection(machine)
    const wanted = {
      ...place,
      operations: on.length === 0 ? ['exec' as const] : [...new Set(on)],
      stop: !values['count-only'] && log === null,
      enabled: true,
      temporary,
      condition: values.if ?? null,
      fromHit: values.hits,
      log,
    }
    const checkpoint = await session.client.call('machine.setCheckpoint', { machine, checkpoint: wanted }, signal)
    const names = await nameAddresses(session, machine, { addresses: [checkpoint.start] }, signal)
    const row = checkpointRow(checkpoint, names.get(checkpoint.start))
    output.result({ machine, checkpoint: checkpointData(checkpoint) }, row.join('  ').trimEnd())
    return EXIT_OK
  },
})
