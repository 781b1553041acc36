import { joystickInputs } from '@shared/c64/keyboardMatrix'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { stateOf } from '../../graphicsMemory'
import { holdFor, holdOptions, holdTime } from '../../holdTime'
import { choices, machine, number, withDefault } from '../../parameters'
import { UsageError } from '../../usageError'
import { machineGroup as group } from './group'

export const machineJoystick = defineCommand({
  group,
  name: 'joystick',
  summary: 'Push a joystick of a machine, and let it go.',
  positionals: { inputs: choices('INPUT', 'The direction, or fire; several at once.', joystickInputs) },
  options: {
    port: withDefault(number('PORT', 'The port of the joystick.', { min: 1, max: 2 }), 2),
    ...holdOptions,
    machine: machine('The machine.'),
  },
  data: { machine: 'the machine’s name', port: '1 or 2', inputs: 'their names', held: 'ms' },
  examples: ['joystick left fire', 'joystick up --port 1 --frames 25'],
  run: async ({ output, signal, openSession }, { inputs, port: written, hold, frames, machine }) => {
    if (inputs.length === 0) throw new UsageError('INPUT is missing: up, down, left, right or fire.', 'joystick')
    const port = written === 1 ? 1 : 2
    const session = await openSession()
    await session.connectLasting(machine, signal)
    const held = holdTime({ hold, frames }, (await stateOf(session, machine, signal)).standard ?? 'pal')
    const push = (isHeld: boolean, signal: AbortSignal) =>
      session.client.call('machine.setJoystick', { machine, port, inputs: isHeld ? [...inputs] : [] }, signal)
    await holdFor(held, push, signal)
    output.result({ machine, port, inputs, held }, `Held ${inputs.join(' and ')} in port ${port} for ${held} ms.`)
    return EXIT_OK
  },
})
