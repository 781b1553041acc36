/** One connection to a VICE: what was learned of it, whether its machine runs, and what must be put back when we go. */
import { AppError } from '@shared/contract/errors'
import type { VideoStandard } from '@shared/contract/machine'
import type { Picture, Register, Space } from '@shared/contract/memory'
import type { DeviceSession } from '../deviceMachine'
import type { Notes } from '../notes'
import { BorrowedResources, type RunCommand } from './borrowedResources'
import { Checkpoints } from './checkpoints'
import type { MonitorClient, Send } from './client'
import type { Request } from './codec'
import {
  advance,
  exit,
  getResource,
  listCheckpoints,
  nameBanks,
  nameRegisters,
  ping,
  quit,
  readDisplay,
  readVersion,
  reset,
  type RegisterName,
  type RegisterValue,
} from './commands'
import type { Event } from './events'
import { BORDER_MODE, cropDisplay, NORMAL_BORDERS, standardOf } from './display'
import { MemoryBanks } from './memoryBanks'

/** What VICE does when the CPU jams. It tells its monitor only where it would ask the person; its default is to go on. */
const JAM_ACTION = 'JAMAction'
const ASK = 0

const never = new AbortController().signal

export class Session implements DeviceSession {
  readonly client: MonitorClient
  /** Most significant first, such as 3, 7, 1, 0. */
  readonly version: readonly number[]
  readonly #registerNames: readonly RegisterName[]
  readonly #memory: MemoryBanks
  readonly #borrowed: BorrowedResources
  readonly checkpoints: Checkpoints
  readonly #onChange: () => void
  readonly #onHalt: () => void
  standard: VideoStandard | null = null
  execution: 'running' | 'paused' | 'jammed' = 'running'
  /** True while the machine stands still between the frames that we ask for. */
  #lockStep = false
  /** Whether the monitor holds the machine now, and since when. */
  #stopped = false
  #stoppedAt = 0
  #stoppedTime = 0
  #onStop: (() => void) | undefined

  /**
   * Learns what this VICE is and puts back what an earlier session of ours, ended by a crash, left changed.
   * @param noteName under which that is written down
   * @param on.halt the machine stopped by itself: at a checkpoint, by a jam, from VICE's own window
   */
  static async open(
    client: MonitorClient,
    memory: { notes: Notes; noteName: string },
    on: { change: () => void; halt: () => void },
    signal: AbortSignal,
  ): Promise<Session> {
    const [banks, registers, version, checkpoints] = await client.trap((send) => {
      const version = client.api === 1 ? Promise.resolve([3, 5]) : send(readVersion())
      const all = Promise.all([send(nameBanks()), send(nameRegisters()), version, send(listCheckpoints())])
      void send(exit())
      return all
    }, signal)
    const session = new Session(client, { banks, registers, version }, memory, on)
    session.checkpoints.update(checkpoints)
    await session.#borrowed.restoreAfterCrash(signal)
    await session.readStandard(signal)
    await session.#borrowed.borrowIfOther(JAM_ACTION, ASK, signal)
    if (!(await session.#isX64sc(signal))) await session.#borrowed.borrowIfOther(BORDER_MODE, NORMAL_BORDERS, signal)
    return session
  }

  private constructor(
    client: MonitorClient,
    learned: { banks: ReadonlyMap<string, number>; registers: readonly RegisterName[]; version: readonly number[] },
    memory: { notes: Notes; noteName: string },
    on: { change: () => void; halt: () => void },
  ) {
    this.client = client
    this.version = learned.version
    this.#memory = new MemoryBanks(learned.banks, client.api)
    this.#registerNames = learned.registers
    const command: RunCommand = (work, signal) => this.command(work, signal)
    this.#borrowed = new BorrowedResources(command, memory)
    this.checkpoints = new Checkpoints(command)
    this.#onChange = on.change
    this.#onHalt = on.halt
    client.onEvent((event) => this.#onEvent(event))
    client.onSilence((silent) => {
      if (!silent) this.#letRun()
      this.#onChange()
    })
  }

  get silence(): DeviceSession['silence'] {
    if (!this.client.silent) return null
    return {
      message: 'VICE does not answer: it is paused in its own window, or shows a dialog there.',
      hint: 'Let it go on in VICE’s window; Bridgedeck resumes by itself then.',
    }
  }

  onLost(listener: (reason: AppError) => void): void {
    this.client.onClose(listener)
  }

  get versionText(): string {
    const last = this.version.findLastIndex((part) => part !== 0)
    return `VICE ${this.version.slice(0, Math.max(last + 1, 2)).join('.')}`
  }

  isAtLeast(major: number, minor: number): boolean {
    const [ownMajor = 0, ownMinor = 0] = this.version
    return ownMajor > major || (ownMajor === major && ownMinor >= minor)
  }

  /** How long the monitor has held the running machine altogether, ms. */
  get stoppedTime(): number {
    return this.#stoppedTime
  }

  /** Carries out commands in one trap and leaves the machine as it was: running, or stopped. */
  async command<Result>(
    work: (send: Send) => Promise<Result>,
    signal: AbortSignal,
    deadline?: number,
  ): Promise<Result> {
    try {
      return await this.client.trap(
        (send) => {
          const result = work(send)
          // A checkpoint may have stopped the machine just before the trap; a blind "go on" would run past it. Where
          // there is one, its event is awaited first.
          if (this.#shouldRun && !this.checkpoints.mayStop) void send(this.#leavingMonitor(exit()))
          return result
        },
        signal,
        deadline,
      )
    } finally {
      if (this.checkpoints.mayStop) this.#letRun()
    }
  }

  /** One command that lets the machine go on by itself. */
  async restart(request: Request<unknown>, signal: AbortSignal, deadline?: number): Promise<void> {
    const before = this.execution
    try {
      await this.client.trap(
        (send) => {
          this.#setExecution('running')
          // In lock-step the machine is to stand again after one frame.
          const done = send(this.#leavingMonitor(request))
          return this.#lockStep ? Promise.all([done, send(ping())]) : done
        },
        signal,
        deadline,
      )
    } catch (error) {
      this.#setExecution(before)
      this.#letRun()
      throw error
    }
  }

  /** Lets the machine make exactly one frame and carries out `work` at its end. Undefined while it is paused. */
  frame<Result>(work: (send: Send) => Promise<Result>, signal: AbortSignal): Promise<Result | undefined> {
    return this.client.trap((send) => {
      if (this.execution !== 'running') return Promise.resolve(undefined)
      void send(this.#leavingMonitor(exit()))
      return work(send)
    }, signal)
  }

  /** Stops the machine at the end of a frame, to run on only by {@link frame}; or lets it run freely again. */
  async setLockStep(lockStep: boolean): Promise<void> {
    if (this.#lockStep === lockStep) return
    this.#lockStep = lockStep
    if (lockStep) await this.client.trap((send) => send(ping()), never)
    else this.#letRun()
  }

  async pause(signal: AbortSignal): Promise<void> {
    if (this.execution !== 'running') return
    this.#setExecution('paused')
    try {
      await this.client.trap((send) => send(ping()), signal)
    } catch (error) {
      this.#setExecution('running')
      this.#letRun()
      throw error
    }
  }

  async resume(signal: AbortSignal): Promise<void> {
    if (this.execution === 'running') return
    if (this.execution === 'jammed') {
      throw new AppError('CONFLICT', 'The CPU is jammed: it does not go on by itself.', { hint: 'Reset the machine.' })
    }
    this.#setExecution('running')
    await this.client.trap((send) => (this.#lockStep ? Promise.resolve() : send(this.#leavingMonitor(exit()))), signal)
  }

  /** Steps and stays paused. Stepping over a call that does not return in time leaves the machine running. */
  async step(count: number, over: boolean, signal: AbortSignal, deadline: number): Promise<void> {
    let stepping = false
    const stopped = new Promise<void>((resolve) => {
      this.#onStop = () => {
        if (stepping) resolve()
      }
    })
    await this.client.trap((send) => {
      this.#setExecution('paused')
      // Events keep their order with answers: the first stop after the answer is the one that ends the step.
      return send({ ...advance(count, over), parse: () => (stepping = true) })
    }, signal)
    await Promise.race([stopped, elapsed(deadline, signal)])
    this.#onStop = undefined
    if (this.#stopped) return
    this.#setExecution('running')
    throw new AppError('TIMEOUT', 'The step has not ended yet: the machine runs on until it does.', {
      hint: 'Pause it to see where it is.',
    })
  }

  async reset(kind: 'soft' | 'power', signal: AbortSignal): Promise<void> {
    await this.restart(reset(kind), signal)
  }

  async quit(signal: AbortSignal): Promise<void> {
    await this.client.trap((send) => send(quit()), signal)
  }

  // Memory, registers and resources

  /** Sends for 1 to 65,536 bytes. */
  read(send: Send, space: Space, address: number, length: number): Promise<Uint8Array> {
    return this.#memory.read(send, space, address, length)
  }

  /** Sends 1 to 65,536 bytes. */
  write(send: Send, space: Space, address: number, bytes: Uint8Array): Promise<unknown> {
    return this.#memory.write(send, space, address, bytes)
  }

  /** Sets a number resource until it is given back. */
  borrow(name: string, value: number, signal: AbortSignal): Promise<void> {
    return this.#borrowed.borrow(name, value, signal)
  }

  giveBack(name: string, signal: AbortSignal): Promise<void> {
    return this.#borrowed.giveBack(name, signal)
  }

  nameValues(values: readonly RegisterValue[]): Register[] {
    return values.flatMap(({ id, value }) => {
      const known = this.#registerNames.find((register) => register.id === id)
      return known ? [{ name: known.name, bits: Math.min(known.bits, 16), value }] : []
    })
  }

  registerNamed(name: string): RegisterName {
    const found = this.#registerNames.find((register) => register.name === name)
    if (found) return found
    throw new AppError('NOT_FOUND', `There is no register ${name}.`, {
      hint: `There are ${this.#registerNames.map((register) => register.name).join(', ')}.`,
    })
  }

  /** Sends for the visible picture. */
  async picture(send: Send): Promise<Picture> {
    const [display, borderMode] = await Promise.all([
      send(readDisplay()),
      send(getResource(BORDER_MODE)).catch(() => 0),
    ])
    this.standard = standardOf(display)
    return cropDisplay(display, Number(borderMode))
  }

  async readStandard(signal: AbortSignal): Promise<void> {
    const value = await this.command((send) => send(getResource('MachineVideoStandard')), signal)
    // 1 PAL, 2 NTSC, 3 old NTSC, 4 PAL-N
    this.standard = value === 1 || value === 4 ? 'pal' : 'ntsc'
    this.#onChange()
  }

  /** Puts back what was borrowed and takes away our temporary checkpoints; then the machine goes on without us. */
  async close(signal: AbortSignal): Promise<void> {
    try {
      await this.#borrowed.giveAllBack(signal)
      await this.checkpoints.deleteTemporary(signal)
    } finally {
      this.client.close()
    }
  }

  /** For a VICE that ends with us: nothing is to be put back. */
  abandon(): void {
    this.client.close()
    this.#borrowed.forget()
  }

  // Running and stopping

  get #shouldRun(): boolean {
    return this.execution === 'running' && !this.#lockStep
  }

  /** Lets the machine go on if it stands although it should run, as after a trap whose answers came late. */
  #letRun(): void {
    const trap = this.client.trap(
      (send) => (this.#shouldRun && this.#stopped ? send(this.#leavingMonitor(exit())) : Promise.resolve()),
      never,
    )
    trap.catch(() => undefined) // late again: tried again when VICE answers; lost: the connection says so
  }

  /**
   * The event that tells that the machine goes on follows the answer; the next trap may be decided on between the two.
   * So the answer of a command that leaves the monitor counts.
   */
  #leavingMonitor(request: Request<unknown>): Request<unknown> {
    return {
      ...request,
      parse: (body, items) => {
        this.#noteResumed()
        return request.parse(body, items)
      },
    }
  }

  #noteResumed(): void {
    if (this.#stopped && this.#shouldRun) this.#stoppedTime += performance.now() - this.#stoppedAt
    this.#stopped = false
  }

  #setExecution(execution: Session['execution']): void {
    if (this.execution === execution) return
    this.execution = execution
    this.#stoppedAt = performance.now() // a pause that the person made is no cost of ours
    this.#onChange()
  }

  #halt(execution: 'paused' | 'jammed'): void {
    if (this.execution !== 'running') return
    this.#setExecution(execution)
    this.#onHalt()
  }

  #onEvent(event: Event): void {
    switch (event.kind) {
      case 'stopped':
        this.#stopped = true
        this.#stoppedAt = performance.now()
        this.#onStop?.()
        // Nobody asked: it was stopped by its own monitor.
        if (!this.client.busy && this.#shouldRun) this.#halt('paused')
        break
      case 'resumed':
        this.#noteResumed()
        break
      case 'checkpoint':
        if (event.checkpoint.stop) this.#halt('paused')
        this.checkpoints.noteHit(event.checkpoint)
        break
      case 'jam':
        this.#halt('jammed')
        break
    }
  }

  /** The cycle-exact x64sc has chip models, the older x64 has not. */
  #isX64sc(signal: AbortSignal): Promise<boolean> {
    const find = (send: Send) =>
      send(getResource('VICIIModel')).then(
        () => true,
        () => false,
      )
    return this.command(find, signal)
  }
}

function elapsed(time: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = (): void => {
      clearTimeout(timer)
      reject(new AppError('CANCELLED', 'The operation was cancelled.'))
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', cancel)
      resolve()
    }, time)
    signal.addEventListener('abort', cancel, { once: true })
  })
}
