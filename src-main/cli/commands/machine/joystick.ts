import { joystickInputs, type JoystickInput } from '@shared/c64/keyboardMatrix'
import { framesPerSecond } from '@shared/c64/frameRate'
import { counted } from '@shared/countedText'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { stateOf } from '../../graphicsMemory'
import { holdFor, holdOptions, holdTime, requireNoTime } from '../../holdTime'
import { choices, machine, number, optional, withDefault } from '../../parameters'
import { UsageError } from '../../usageError'
import { machineGroup as group } from './group'

const NONE = 'none'
const MAX_STEPS = 100
const MAX_FRAMES = 3_000

interface Push {
  readonly inputs: readonly JoystickInput[]
  readonly frames: number
}

export const machineJoystick = defineCommand({
  group,
  name: 'joystick',
  summary: 'Push and release a joystick of a machine.',
  details:
    'With --keep it stays pushed, for a machine that is paused or stepped; “joystick none” lets it go. A sequence is pushed in its order, each for a number of frames: "left 25, left+fire 5, none 10, up 3".',
  positionals: { inputs: choices('INPUT', 'The direction, or fire; several at once.', [...joystickInputs, NONE]) },
  options: {
    port: withDefault(number('PORT', 'The port of the joystick.', { min: 1, max: 2 }), 2),
    ...holdOptions,
    sequence: optional('SEQUENCE', 'Several inputs, one after the other, instead of INPUT.', readSequence),
    machine: machine('The machine.'),
  },
  data: { machine: 'the machine’s name', port: '1 or 2', inputs: 'their names', held: 'ms, or null for kept' },
  examples: ['joystick left fire', 'joystick up --port 1 --frames 25', 'joystick --sequence "left 25, left+fire 5"'],
  run: async (context, { inputs, port: written, hold, frames, keep, sequence, machine }) => {
    const { output, signal } = context
    if ((inputs.length === 0) === (sequence === undefined))
      throw new UsageError('Give INPUT (up, down, left, right, fire or none), or --sequence.', 'joystick')
    if (inputs.includes(NONE) && inputs.length > 1)
      throw new UsageError('none stands alone: it lets all go.', 'joystick')
    if (keep || sequence) requireNoTime([hold, frames])
    if (keep && sequence) throw new UsageError('Give --keep or --sequence, not both.', 'joystick')
    const port = written === 1 ? 1 : 2
    const session = await context.openSession()
    await session.connectLasting(machine, signal)
    const pushed = inputs.filter((input) => input !== NONE)
    const push = (held: readonly JoystickInput[], signal: AbortSignal) =>
      session.client.call('machine.setJoystick', { machine, port, inputs: [...held] }, signal)
    if (keep || inputs.includes(NONE)) {
      await push(pushed, signal)
      const said =
        pushed.length === 0 ? `Nothing is held in port ${port}.` : `${pushed.join(' and ')} stays held in port ${port}.`
      output.result({ machine, port, inputs: pushed, held: null }, said)
      return EXIT_OK
    }
    const standard = (await stateOf(session, machine, signal)).standard ?? 'pal'
    if (sequence) {
      for (const { inputs, frames } of sequence)
        await holdFor(
          holdTime({ hold: undefined, frames }, standard),
          (isHeld, signal) => push(isHeld ? inputs : [], signal),
          signal,
        )
      const held = sequence.reduce((sum, { frames }) => sum + frames, 0)
      output.result(
        {
          machine,
          port,
          inputs: sequence.map(({ inputs }) => inputs.join('+') || NONE),
          held: Math.ceil((held * 1000) / framesPerSecond[standard]),
        },
        `Pushed ${counted(sequence.length, 'step')} of ${counted(held, 'frame')} together in port ${port}.`,
      )
      return EXIT_OK
    }
    const held = holdTime({ hold, frames }, standard)
    await holdFor(held, (isHeld, signal) => push(isHeld ? pushed : [], signal), signal)
    output.result(
      { machine, port, inputs: pushed, held },
      `Held ${pushed.join(' and ')} in port ${port} for ${held} ms.`,
    )
    return EXIT_OK
  },
})

function readSequence(text: string): Push[] {
  const steps = text.split(',').map((step) => step.trim())
  if (steps.length > MAX_STEPS) throw new UsageError(`A sequence has ${MAX_STEPS} steps at most.`, 'joystick')
  return steps.map((step) => {
    const [, names = '', frames = ''] = /^([a-z+]+) +(\d{1,4})$/.exec(step) ?? []
    const inputs = names === NONE ? [] : names.split('+')
    const count = Number(frames)
    if (names === '' || count < 1 || count > MAX_FRAMES || !inputs.every(isInput))
      throw new UsageError(`“${step.slice(0, 40)}” is no step, such as left 25, left+fire 5 or none 10.`, 'joystick')
    return { inputs: inputs.filter(isInput), frames: count }
  })
}

const isInput = (name: string): name is JoystickInput => joystickInputs.some((input) => input === name)
