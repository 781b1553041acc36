import { MAX_SLOW_RATE, slowUnits } from '@shared/contract/machine'
import { slowMotionText } from '@shared/slowMotion'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { dataOf, outcomeData, outcomeLines, outcomeOf } from '../../outcomes'
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
  data: { machine: 'the machine’s name', slow: '{ unit, perSecond }, or null', ...outcomeData },
  examples: ['resume --slow 50 --unit line', 'resume'],
  run: async ({ output, signal, openSession }, { machine, slow, unit }) => {
    const session = await openSession()
    await session.connectLasting(machine, signal)
    const motion = slow === undefined ? null : { unit, perSecond: slow }
    if (motion) await session.client.call('running.slowly', { machine, ...motion }, signal)
    else await session.client.call('machine.resume', { machine }, signal)
    // A checkpoint where it goes on stops it within a frame.
    const outcome = await outcomeOf(session, machine, { awaits: { frames: 1 }, seconds: 1 }, signal)
    const goesOn = motion ? `${machine} runs at ${slowMotionText(motion)}.` : `${machine} is running.`
    output.result({ machine, slow: motion, ...dataOf(outcome) }, [
      outcome.ended === 'stopped' ? `${machine} went on, and stands again.` : goesOn,
      ...outcomeLines(outcome),
    ])
    return EXIT_OK
  },
})
