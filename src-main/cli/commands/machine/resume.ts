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
  summary: 'Resume a paused machine.',
  details:
    'Slow motion lasts until the machine is paused, resumed without --slow, or stopped by a checkpoint. With --until-stop the call waits until the machine stops, and says what stopped it; a machine that does not stop runs on.',
  options: {
    slow: number('N', 'Slow motion: instructions or raster lines per second.', { min: 1, max: MAX_SLOW_RATE }),
    unit: withDefault(choice('UNIT', 'What --slow counts.', slowUnits), 'instruction'),
    'until-stop': number('S', 'Wait until it stops, at most this many seconds.', { min: 1, max: 3600 }),
    machine: machine('The machine to resume.'),
  },
  data: { machine: 'the machine’s name', slow: '{ unit, perSecond }, or null', ...outcomeData },
  examples: ['resume --slow 50 --unit line', 'resume --until-stop 1', 'resume'],
  run: async ({ output, signal, openSession }, { machine, slow, unit, 'until-stop': seconds }) => {
    const session = await openSession()
    await session.connectLasting(machine, signal)
    const motion = slow === undefined ? null : { unit, perSecond: slow }
    if (motion) await session.client.call('running.slowly', { machine, ...motion }, signal)
    else await session.client.call('machine.resume', { machine }, signal)
    // A checkpoint at the current address stops it within a frame.
    const awaited = seconds === undefined ? { awaits: { frames: 1 }, seconds: 1 } : { awaits: 'stop' as const, seconds }
    const outcome = await outcomeOf(session, machine, awaited, signal)
    const goesOn = motion ? `${machine} runs at ${slowMotionText(motion)}.` : `${machine} is running.`
    const hasStopped = outcome.execution === 'paused' || outcome.execution === 'jammed'
    output.result({ machine, slow: motion, ...dataOf(outcome) }, [
      hasStopped
        ? `${machine} went on, and stands again.`
        : seconds === undefined
          ? goesOn
          : `${machine} did not stop in ${seconds} s, and runs on.`,
      ...outcomeLines(outcome),
    ])
    return EXIT_OK
  },
})
