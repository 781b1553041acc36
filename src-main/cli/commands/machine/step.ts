import { setTimeout as wait } from 'node:timers/promises'
import { describeStop } from '@shared/checkpointStop'
import { AppError } from '@shared/contract/errors'
import type { MachineState } from '@shared/contract/machine'
import { nextMoments, type RunTarget } from '@shared/contract/running'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { choice, flag, machine, number, withDefault } from '../../parameters'
import { place, resolvePlace } from '../../place'
import type { Session } from '../../session'
import { UsageError } from '../../usageError'
import { describeRegisters, registersShape } from '../register/group'
import { machineGroup as group } from './group'

const POLL_MS = 20

export const machineStep = defineCommand({
  group,
  name: 'step',
  summary: 'Pause a machine, execute instructions, and show the registers.',
  details:
    'With --to or --to-next the machine runs to that place, at least one instruction, and pauses. On VICE, a BRK counts as an IRQ, as it jumps to the same handler, and a return is found by the call on the stack. A checkpoint ends a step, too. If a JSR does not return within ten seconds of the built-in C64’s time, the call ends with exit code 5, and the machine is paused in the routine.',
  options: {
    count: withDefault(number('N', 'How many instructions.', { min: 1, max: 65_535 }), 1),
    over: flag('Count a JSR with all that it calls as one.'),
    to: place('Run to this address.'),
    'to-next': choice(
      'MOMENT',
      'Run to the next raster line, frame, entry of an IRQ or NMI, or return of the routine that runs.',
      nextMoments,
    ),
    timeout: withDefault(number('S', 'How long --to and --to-next wait, in seconds.', { min: 1, max: 3600 }), 10),
    machine: machine('The machine to step.'),
  },
  data: {
    ...registersShape,
    'checkpoint?': 'the number of the checkpoint that stopped it on the way',
  },
  examples: ['step --count 10', 'step --over --machine vice:6502', "step --to '$ea31'", 'step --to-next frame'],
  run: async ({ output, signal, openSession }, { count, over, to, timeout, machine, ...values }) => {
    const next = values['to-next']
    if (to && next) throw new UsageError('Give --to or --to-next, not both.', 'step')
    if (over && (to || next))
      throw new UsageError('--over is for a step; leave it out with --to and --to-next.', 'step')
    const session = await openSession()
    session.requirePausable(machine)
    const target = next ?? (to && (await resolvePlace(openSession, machine, to, signal)).start)
    await session.connect(machine, signal)
    const { client } = session
    let stop: MachineState['stop'] = null
    if (target === undefined) {
      await client.call('machine.pause', { machine }, signal)
      await client.call('machine.step', { machine, count, over }, signal)
      stop = (await stateOf(session, machine, signal))?.stop ?? null
    } else stop = await runTo(session, { machine, to: target, timeout }, signal)
    const { registers } = await client.call('memory.registers', { machine }, signal)
    const { data, text } = await describeRegisters(session, machine, registers, signal)
    output.result(
      { ...data, ...(stop ? { checkpoint: stop.checkpoint } : {}) },
      stop ? [`${describeStop(stop)}.`, text] : text,
    )
    return EXIT_OK
  },
})

interface Run {
  readonly machine: string
  readonly to: RunTarget
  readonly timeout: number
}

async function stateOf({ client }: Session, machine: string, signal: AbortSignal): Promise<MachineState | undefined> {
  const { machines } = await client.call('machine.list', {}, signal)
  return machines.find((listed) => listed.machine === machine)
}

/**
 * @returns the checkpoint at which it stopped before
 * @throws AppError TIMEOUT; the machine then goes on running
 */
async function runTo(
  session: Session,
  { machine, to, timeout }: Run,
  signal: AbortSignal,
): Promise<MachineState['stop']> {
  await session.client.call('running.to', { machine, to }, signal)
  const deadline = performance.now() + timeout * 1000
  while (performance.now() < deadline) {
    const state = await stateOf(session, machine, signal)
    if (state?.execution !== 'running') return state?.stop ?? null
    await wait(POLL_MS, undefined, { signal })
  }
  throw new AppError('TIMEOUT', `${machine} did not come there in ${timeout} s, and runs on.`, {
    hint: 'Pause it with bridgedeck pause.',
  })
}
