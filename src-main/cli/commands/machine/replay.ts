import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { filePath, flag, machine, required } from '../../parameters'
import { table } from '../../printed'
import { describeRegisters, registersShape } from '../register/group'
import { loadState } from '../state/loadState'
import { machineGroup as group } from './group'

const ALL_CYCLES = 100_000_000_000

export const machineReplay = defineCommand({
  group,
  name: 'replay',
  summary: 'Replay what happened on another C64, from a saved state.',
  details:
    'For a file of state save --past. The machine runs through the same time again, and is then paused at the start, or with --end at the end. resume plays it; step and back go through it.',
  positionals: { file: required(filePath('A file of state save --past.')) },
  options: { end: flag('Pause at the end instead of the start.'), machine: machine('The machine that gets it.') },
  data: {
    ...registersShape,
    path: 'absolute path',
    seconds: 'how long it lasts',
    inputs: '[{ seconds, text }], what came from outside, since the start',
  },
  examples: ['replay bug.state', 'replay bug.state --end --json'],
  run: async (context, { file, end, machine }) => {
    const { output, signal } = context
    const session = await context.openSession()
    session.requirePausable(machine)
    await session.connectLasting(machine, signal)
    const { client } = session
    await client.call('machine.pause', { machine }, signal)
    await loadState(context, session, machine, file.path)
    const { clock, clockRate, start, inputs, more } = await client.call('timeTravel.inputs', { machine }, signal)
    if (!end) await client.call('timeTravel.goTo', { machine, beforeEnd: ALL_CYCLES }, signal)
    const { registers } = await client.call('memory.registers', { machine }, signal)
    const described = await describeRegisters(session, machine, registers, signal)
    const since = (when: number): number => Math.round(((when - start) / clockRate) * 1000) / 1000
    const given = inputs.map((input) => ({ seconds: since(input.clock), text: input.text }))
    output.result({ ...described.data, path: file.path, seconds: since(clock), inputs: given }, [
      `${file.written}: ${since(clock).toFixed(1)} s of a C64. ${machine} stands at ${end ? 'its end' : 'its begin'}; resume plays on.`,
      table([
        ...(more > 0 ? [['', `${more} earlier inputs are left out`]] : []),
        ...given.map(({ seconds, text }) => [`${seconds.toFixed(3)} s`, text]),
      ]),
      described.text,
    ])
    return EXIT_OK
  },
})
