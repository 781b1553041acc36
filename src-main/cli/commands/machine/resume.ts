import { MAX_SLOW_RATE, slowUnits } from '@shared/contract/machine'
import { slowMotionText } from '@shared/slowMotion'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { choice, machine, number, withDefault } from '../../parameters'
import { machineGroup as group } from './group'

export const machineResume = defineCommand({
  group,
  name: 'resume',
  summary: 'Let a paused machine run.',
  details: 'In slow motion it runs until it is paused, resumed without --slow, or a checkpoint stops it.',
  options: {
    slow: number('N', 'In slow motion: so many instructions or raster lines a second.', { min: 1, max: MAX_SLOW_RATE }),
    unit: withDefault(choice('UNIT', 'What --slow counts.', slowUnits), 'instruction'),
    machine: machine('The machine to resume.'),
  },
  data: { machine: 'the machine’s name', execution: 'running', slow: '{ unit, perSecond }, or null' },
  examples: ['resume --slow 50 --unit line', 'resume'],
  run: async ({ output, signal, openSession }, { machine, slow, unit }) => {
    const session = await openSession()
    await session.connectLasting(machine, signal)
    if (slow === undefined) {
      await session.client.call('machine.resume', { machine }, signal)
      output.result({ machine, execution: 'running', slow: null }, `${machine} is running.`)
    } else {
      const motion = { unit, perSecond: slow }
      await session.client.call('running.slowly', { machine, ...motion }, signal)
      output.result({ machine, execution: 'running', slow: motion }, `${machine} runs at ${slowMotionText(motion)}.`)
    }
    return EXIT_OK
  },
})
