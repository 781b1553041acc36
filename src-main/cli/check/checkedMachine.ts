import { setTimeout as sleep } from 'node:timers/promises'
import { describeStop } from '@shared/checkpointStop'
import { formatAddress } from '@shared/c64/address'
import type { C64Key, JoystickInput } from '@shared/c64/keyboardMatrix'
import { AppError } from '@shared/contract/errors'
import type { Capability, MachineState } from '@shared/contract/machine'
import { MAX_FOLLOWED_FRAMES, nextMoments, type RunTarget } from '@shared/contract/running'
import { framesPerSecond } from '@shared/c64/frameRate'
import { requireGoodRun } from '@shared/outcomeProblem'
import { readScreen } from '../screenText'
import type { Session } from '../session'
import { CheckFailed } from './results'

const PROMPT_WAIT_S = 20
const POLL_MS = 20
/** ms between polls of a machine that runs as fast as the computer can. */
const FAST_POLL_MS = 2

const isMoment = (text: string): text is (typeof nextMoments)[number] =>
  (nextMoments as readonly string[]).includes(text)

export class CheckedMachine {
  readonly name: string
  readonly session: Session
  readonly #signal: AbortSignal
  readonly #capabilities: MachineState['capabilities']
  readonly #framesPerSecond: number
  /** It runs for exact numbers of frames, as fast as it can, and stands still between calls. */
  readonly #isExact: boolean
  readonly #hadWarp: boolean
  readonly #labelFiles: string[] = []
  readonly #joysticks = new Set<1 | 2>()
  #holdsKeys = false

  private constructor(session: Session, state: MachineState, signal: AbortSignal) {
    this.name = state.machine
    this.session = session
    this.#signal = signal
    this.#capabilities = state.capabilities
    this.#framesPerSecond = framesPerSecond[state.standard ?? 'pal']
    this.#isExact = ['profile', 'warp', 'pause'].every((name) => state.capabilities[name as Capability] === null)
    this.#hadWarp = state.warp
  }

  static async open(session: Session, name: string, signal: AbortSignal): Promise<CheckedMachine> {
    await session.connect(name, signal)
    return new CheckedMachine(session, await stateOf(session, name, signal), signal)
  }

  can(capability: Capability): boolean {
    return this.#capabilities[capability] === null
  }

  require(capability: Capability): void {
    const reason = this.#capabilities[capability]
    if (reason !== null) throw notPossible(this.name, reason)
  }

  /**
   * @param program absolute path
   * @param labels absolute path
   */
  async begin(
    { program, labels }: { readonly program: string | null; readonly labels: string | null },
    signal = this.#signal,
  ) {
    const { client } = this.session
    const machine = this.name
    this.require('reset')
    await this.#release(signal)
    await client.call('machine.reset', { machine, kind: 'power' }, signal)
    await this.#resume(signal)
    if (program === null) {
      await this.#goOnFast(signal)
      await this.until(
        async () => ((await this.screen(signal)).some((row) => row.startsWith('READY.')) ? true : null),
        {
          seconds: PROMPT_WAIT_S,
          signal,
          failure: (screen) => ({
            message: `${machine} did not show READY. after its reset.`,
            expected: 'READY.',
            found: screen,
          }),
        },
      )
    } else {
      if (this.#isExact) await client.call('machine.setWarp', { machine, warp: false }, signal)
      const run = { machine, path: program, watch: false }
      const { name, started } = await client.call('machine.runProgram', run, signal)
      const outcome = { machine, awaits: 'now' as const, seconds: 0 }
      if (started === false) requireGoodRun(name, started, await client.call('running.outcome', outcome, signal))
      await this.#goOnFast(signal)
    }
    if (labels === null) return
    const { path, problem } = await client.call('labels.load', { machine, path: labels }, signal)
    this.#labelFiles.push(path)
    if (problem !== null) throw new AppError('INVALID', problem)
  }

  async end(): Promise<void> {
    const ignored = (): undefined => undefined
    // The call may be over already, and the machine must still be left in order.
    const signal = AbortSignal.timeout(10_000)
    await this.#release(signal).catch(ignored)
    if (this.#isExact)
      await this.session.client
        .call('machine.setWarp', { machine: this.name, warp: this.#hadWarp }, signal)
        .catch(ignored)
    if (this.can('pause')) await this.#resume(signal).catch(ignored)
  }

  /** All values are of one moment, where the machine can be paused. */
  async standing<Value>(read: () => Promise<Value>, signal = this.#signal): Promise<Value> {
    const isRunning = this.can('pause') && (await this.state(signal)).execution === 'running'
    if (!isRunning) return read()
    await this.session.client.call('machine.pause', { machine: this.name }, signal)
    try {
      return await read()
    } finally {
      await this.#resume(signal)
    }
  }

  state(signal = this.#signal): Promise<MachineState> {
    return stateOf(this.session, this.name, signal)
  }

  async screen(signal = this.#signal): Promise<readonly string[]> {
    return (await readScreen(this.session, this.name, signal)).rows
  }

  async advance(frames: number, signal: AbortSignal): Promise<void> {
    if (this.#isExact) {
      for (let left = frames; left > 0; left -= MAX_FOLLOWED_FRAMES) {
        const some = Math.min(left, MAX_FOLLOWED_FRAMES)
        await this.session.client.call('running.profile', { machine: this.name, frames: some }, signal)
      }
      return
    }
    const stood = (await this.state(signal)).execution === 'paused'
    if (stood) await this.#resume(signal)
    await sleep((frames * 1000) / this.#framesPerSecond, undefined, { signal })
    if (stood) await this.session.client.call('machine.pause', { machine: this.name }, signal)
  }

  framesIn = (seconds: number): number => Math.max(1, Math.round(seconds * this.#framesPerSecond))

  /**
   * Seconds are the C64's own where it runs for exact frames.
   * @throws CheckFailed when the time is over or the CPU stops
   */
  async until<Value>(
    look: () => Promise<Value | null>,
    { seconds, failure, signal, mayStop = false }: Until,
  ): Promise<Value> {
    const deadline = performance.now() + seconds * 1000
    const frames = this.framesIn(seconds)
    if (!this.#isExact) await this.#resume(signal)
    for (let frame = 0; ; frame++) {
      const found = await look()
      if (found !== null) return found
      const state = await this.state(signal)
      const stop = stopOf(state)
      const isOver = this.#isExact ? frame >= frames : performance.now() > deadline
      if (isOver || (stop !== null && !mayStop)) {
        const mismatch = failure(
          (await this.screen(signal))
            .map((row) => row.trimEnd())
            .join('\n')
            .trimEnd(),
        )
        throw new CheckFailed(stop === null ? mismatch : { ...mismatch, message: `${mismatch.message} ${stop}` })
      }
      if (this.#isExact) await this.advance(1, signal)
      else await sleep(POLL_MS, undefined, { signal })
    }
  }

  async hasStopped(signal: AbortSignal): Promise<boolean> {
    return stopOf(await this.state(signal)) !== null
  }

  /**
   * @param place an address, a label, or a moment such as `frame`
   * @throws CheckFailed where it does not come there
   */
  async runTo(place: string, seconds: number, signal: AbortSignal): Promise<void> {
    const to = isMoment(place) ? place : await this.resolve(place, signal)
    await this.runToTarget(to, { name: place, seconds }, signal)
  }

  async runToTarget(
    to: RunTarget,
    { name, seconds, deadline = performance.now() + seconds * 1000 }: RunToOptions,
    signal: AbortSignal,
  ): Promise<void> {
    this.require('step')
    const { client } = this.session
    await client.call('running.to', { machine: this.name, to }, signal)
    for (;;) {
      const state = await this.state(signal)
      const stop = stopOf(state)
      const where = async () => `PC = ${formatAddress((await this.registers(signal)).get('PC') ?? 0)}`
      if (stop !== null)
        throw new CheckFailed({ message: `It did not come to ${name}. ${stop}`, expected: name, found: await where() })
      if (state.execution !== 'running') return
      if (performance.now() > deadline) {
        await client.call('machine.pause', { machine: this.name }, signal)
        throw new CheckFailed({
          message: `It did not come to ${name} in ${seconds} s.`,
          expected: name,
          found: await where(),
        })
      }
      await sleep(this.#isExact ? FAST_POLL_MS : POLL_MS, undefined, { signal })
    }
  }

  async drawFrame(signal: AbortSignal): Promise<void> {
    if (!this.can('step') || !this.can('pause')) return
    const { execution } = await this.state(signal)
    try {
      for (let frame = 0; frame < 2; frame++)
        await this.runToTarget('frame', { name: 'the next frame', seconds: 5 }, signal)
    } catch (error) {
      if (!(error instanceof CheckFailed)) throw error
    }
    if (execution === 'running') await this.#resume(signal)
  }

  /**
   * Executes one instruction.
   * @returns the CPU's clock before it
   * @throws AppError UNSUPPORTED where the machine tells none
   */
  async clock(signal: AbortSignal): Promise<number> {
    this.require('trace')
    const { traced } = await this.session.client.call(
      'running.trace',
      { machine: this.name, count: 1, frames: null },
      signal,
    )
    const clock = traced[0]?.clock ?? null
    if (clock === null) throw notPossible(this.name, 'It does not tell the cycles of its CPU; the built-in C64 does.')
    return clock
  }

  async resolve(text: string, signal: AbortSignal): Promise<number> {
    return (await this.range(text, false, signal)).start
  }

  range(text: string, range: boolean, signal: AbortSignal): Promise<{ readonly start: number; readonly end: number }> {
    return this.session.client.call('labels.resolve', { machine: this.name, text, range }, signal)
  }

  async registers(signal: AbortSignal): Promise<ReadonlyMap<string, number>> {
    const { registers } = await this.session.client.call('memory.registers', { machine: this.name }, signal)
    return new Map(registers.map(({ name, value }) => [name, value]))
  }

  async holdJoystick(port: 1 | 2, inputs: readonly JoystickInput[], signal: AbortSignal): Promise<void> {
    this.require('joystick')
    this.#joysticks.add(port)
    await this.session.client.call('machine.setJoystick', { machine: this.name, port, inputs: [...inputs] }, signal)
  }

  async holdKeys(keys: readonly C64Key[], signal: AbortSignal): Promise<void> {
    this.require('keyMatrix')
    this.#holdsKeys = keys.length > 0
    await this.session.client.call('machine.setKeys', { machine: this.name, keys: [...keys] }, signal)
  }

  async #release(signal: AbortSignal): Promise<void> {
    for (const port of this.#joysticks) await this.holdJoystick(port, [], signal)
    if (this.#holdsKeys) await this.holdKeys([], signal)
    const { client } = this.session
    for (const file of this.#labelFiles.splice(0))
      await client.call('labels.clear', { machine: this.name, file }, signal)
  }

  async #goOnFast(signal: AbortSignal): Promise<void> {
    if (!this.#isExact) return
    await this.session.client.call('machine.pause', { machine: this.name }, signal)
    await this.session.client.call('machine.setWarp', { machine: this.name, warp: true }, signal)
  }

  async #resume(signal: AbortSignal): Promise<void> {
    if (this.can('pause') && (await this.state(signal)).execution === 'paused')
      await this.session.client.call('machine.resume', { machine: this.name }, signal)
  }
}

interface RunToOptions {
  readonly name: string
  readonly seconds: number
  readonly deadline?: number
}

interface Until {
  readonly seconds: number
  readonly failure: (screen: string) => CheckFailed['mismatch']
  readonly signal: AbortSignal
  readonly mayStop?: boolean
}

async function stateOf({ client }: Session, machine: string, signal: AbortSignal): Promise<MachineState> {
  const { machines } = await client.call('machine.list', {}, signal)
  const state = machines.find((listed) => listed.machine === machine)
  if (state?.connection === 'live') return state
  throw new AppError('LOST', `${machine}: ${state?.reason ?? 'The connection is gone.'}`)
}

function stopOf({ execution, stop, reason }: MachineState): string | null {
  if (execution === 'jammed') return reason ?? 'The CPU is jammed.'
  return stop === null ? null : `${describeStop(stop)}.`
}

const notPossible = (machine: string, reason: string): AppError =>
  new AppError('UNSUPPORTED', `Not possible on ${machine}: ${reason}`, {
    hint: 'List the machines that the case is for with machines.',
  })
