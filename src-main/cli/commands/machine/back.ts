import { backUnits } from '@shared/contract/timeTravel'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { choice, flag, machine, number, withDefault } from '../../parameters'
import { describeRegisters, registersShape } from '../register/group'
import { place, resolvePlace } from '../../place'
import { UsageError } from '../../usageError'
import { machineGroup as group } from './group'

export const machineBack = defineCommand({
  group,
  name: 'back',
  summary: 'Go back in the machine’s history, and show the registers.',
  details: 'The machine is paused there. resume goes on from there as it went before, until you change something.',
  options: {
    count: withDefault(number('N', 'How many units.', { min: 1, max: 65_535 }), 1),
    unit: withDefault(
      choice('UNIT', 'What one unit is; call is an instruction, or a whole call that has just returned.', backUnits),
      'instruction',
    ),
    'to-checkpoint': flag('To the last time that a checkpoint stopped it, or would have.'),
    'to-write': place('To the instruction that wrote what this address holds.'),
    'to-now': flag('To the end of the history.'),
    'to-left-future': flag('Undo a change that you made in the past: to the end of the history before it.'),
    machine: machine('The machine.'),
  },
  data: registersShape,
  examples: ['back', "back --to-write '$00a2'", 'back --to-checkpoint', 'back --unit frame --count 50'],
  run: async ({ output, signal, openSession }, { count, unit, machine, ...to }) => {
    const targets = [to['to-checkpoint'], to['to-write'] !== undefined, to['to-now'], to['to-left-future']]
    if (targets.filter(Boolean).length > 1) throw new UsageError('Give one of the --to options, not several.', 'back')
    const session = await openSession()
    session.requirePausable(machine)
    const write = to['to-write'] && (await resolvePlace(openSession, machine, to['to-write'], signal))
    await session.connect(machine, signal)
    const { client } = session
    if (to['to-checkpoint']) await client.call('timeTravel.toCheckpoint', { machine }, signal)
    else if (write) await client.call('timeTravel.toWrite', { machine, address: write.start }, signal)
    else if (to['to-now']) await client.call('timeTravel.goTo', { machine, beforeEnd: 0 }, signal)
    else if (to['to-left-future']) await client.call('timeTravel.toLeftFuture', { machine }, signal)
    else await client.call('timeTravel.back', { machine, unit, count }, signal)
    const { registers } = await client.call('memory.registers', { machine }, signal)
    const { data, text } = await describeRegisters(session, machine, registers, signal)
    output.result(data, text)
    return EXIT_OK
  },
})
