/** One connection to a VICE: what was learned of it, whether its machine runs, and what must be put back when we go. */
import { z } from 'zod'
import { AppError } from '@shared/contract/errors'
import type { Checkpoint, VideoStandard } from '@shared/contract/machine'
import type { Picture, Register, Space } from '@shared/contract/memory'
import type { MonitorClient, Send } from './client'
import {
  advance,
  deleteCheckpoint,
  exit,
  getResource,
  listCheckpoints,
  nameBanks,
  nameRegisters,
  ping,
  quit,
  readDisplay,
  readMemory,
  readVersion,
  reset,
  setCheckpoint,
  setCondition,
  setResource,
  toggleCheckpoint,
  writeMemory,
  type CheckpointInfo,
  type Event,
  type RegisterName,
  type RegisterValue,
  type Request,
} from './codec'
import { BORDER_MODE, cropDisplay, NORMAL_BORDERS, standardOf } from './display'

/** Facts that outlive a crash of ours. */
export interface Notes {
  get(name: string): string | undefined
  set(name: string, value: string): void
  delete(name: string): void
}

/** Resources of VICE that we changed: what they were and what we made them. */
const borrowedSchema = z.record(z.string(), z.strictObject({ was: z.number(), set: z.number() }))
type Borrowed = z.infer<typeof borrowedSchema>

/** A condition that somebody else set: VICE says that there is one, but not what it says. */
const UNKNOWN_CONDITION = 'set in VICE itself'

/** What VICE does when the CPU jams. It tells its monitor only where it would ask the person; its default is to go on. */
const JAM_ACTION = 'JAMAction'
const ASK = 0

const never = new AbortController().signal

export class Session {
  readonly client: MonitorClient
  /** Most significant first, such as 3, 7, 1, 0. */
  readonly version: readonly number[]
  readonly #banks: ReadonlyMap<string, number>
  readonly #registerNames: readonly RegisterName[]
  readonly #notes: Notes
  readonly #noteName: string
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
  #borrowed: Borrowed = {}
  /** Whether a checkpoint may stop the machine at any time. */
  #mayStop = false
  readonly #temporary = new Set<number>()
  readonly #conditions = new Map<number, string>()

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
    session.#noteStops(checkpoints)
    await session.#restoreAfterCrash(signal)
    await session.readStandard(signal)
    await session.#borrowIfOther(JAM_ACTION, ASK, signal)
    if (!(await session.#isX64sc(signal))) await session.#borrowIfOther(BORDER_MODE, NORMAL_BORDERS, signal)
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
    this.#banks = learned.banks
    this.#registerNames = learned.registers
    this.#notes = memory.notes
    this.#noteName = memory.noteName
    this.#onChange = on.change
    this.#onHalt = on.halt
    client.onEvent((event) => this.#take(event))
    client.onSilence((silent) => {
      if (!silent) this.#goOn()
      this.#onChange()
    })
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
          if (this.#shouldRun && !this.#mayStop) void send(this.#leaving(exit()))
          return result
        },
        signal,
        deadline,
      )
    } finally {
      if (this.#mayStop) this.#goOn()
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
          const done = send(this.#leaving(request))
          return this.#lockStep ? Promise.all([done, send(ping())]) : done
        },
        signal,
        deadline,
      )
    } catch (error) {
      this.#setExecution(before)
      this.#goOn()
      throw error
    }
  }

  /** Lets the machine make exactly one frame and carries out `work` at its end. Undefined while it is paused. */
  frame<Result>(work: (send: Send) => Promise<Result>, signal: AbortSignal): Promise<Result | undefined> {
    return this.client.trap((send) => {
      if (this.execution !== 'running') return Promise.resolve(undefined)
      void send(this.#leaving(exit()))
      return work(send)
    }, signal)
  }

  /** Stops the machine at the end of a frame, to run on only by {@link frame}; or lets it run freely again. */
  async setLockStep(lockStep: boolean): Promise<void> {
    if (this.#lockStep === lockStep) return
    this.#lockStep = lockStep
    if (lockStep) await this.client.trap((send) => send(ping()), never)
    else this.#goOn()
  }

  async pause(signal: AbortSignal): Promise<void> {
    if (this.execution !== 'running') return
    this.#setExecution('paused')
    try {
      await this.client.trap((send) => send(ping()), signal)
    } catch (error) {
      this.#setExecution('running')
      this.#goOn()
      throw error
    }
  }

  async resume(signal: AbortSignal): Promise<void> {
    if (this.execution === 'running') return
    if (this.execution === 'jammed') {
      throw new AppError('CONFLICT', 'The CPU is jammed: it does not go on by itself.', { hint: 'Reset the machine.' })
    }
    this.#setExecution('running')
    await this.client.trap((send) => (this.#lockStep ? Promise.resolve() : send(this.#leaving(exit()))), signal)
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

  // Memory and registers

  /** Sends for 1 to 65,536 bytes. */
  async read(send: Send, space: Space, address: number, length: number): Promise<Uint8Array> {
    const bank = this.#bank(space)
    const end = address + length - 1
    // VICE 3.5 writes past its own buffer when asked for all 64 KiB at once.
    const ends = this.client.api === 1 && length > 0x8000 ? [address + 0x7fff, end] : [end]
    const parts = await Promise.all(
      ends.map((last, index) => send(readMemory(bank, index === 0 ? address : address + 0x8000, last))),
    )
    const [first = new Uint8Array(0)] = parts
    const bytes = parts.length === 1 ? first : new Uint8Array(Buffer.concat(parts))
    if (space === 'io' || space === 'colorRam' || (space === 'cpu' && showsIo(bytes, address)))
      keepLowNibbles(bytes, address)
    return bytes
  }

  /** Sends 1 to 65,536 bytes; VICE counts those of one command in 16 bits. */
  write(send: Send, space: Space, address: number, bytes: Uint8Array): Promise<unknown> {
    const bank = this.#bank(space)
    const parts = bytes.length > 0x8000 ? [bytes.subarray(0, 0x8000), bytes.subarray(0x8000)] : [bytes]
    return Promise.all(parts.map((part, index) => send(writeMemory(bank, address + index * 0x8000, part))))
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

  // Checkpoints

  async listCheckpoints(signal: AbortSignal): Promise<Checkpoint[]> {
    const list = await this.command((send) => send(listCheckpoints()), signal)
    this.#noteStops(list)
    return list.map((info) => this.#describe(info))
  }

  async setCheckpoint(wanted: Omit<Checkpoint, 'number' | 'hits'>, signal: AbortSignal): Promise<Checkpoint> {
    const { condition } = wanted
    // It waits for its condition before it may stop anything. And VICE takes a temporary checkpoint for "until" and
    // leaves its monitor at once, so it gets a lasting one, which is deleted when hit.
    const request = setCheckpoint({ ...wanted, temporary: false, enabled: wanted.enabled && condition === null })
    if (wanted.stop && wanted.enabled) this.#mayStop = true
    const set = await this.command((send) => send(request), signal)
    if (wanted.temporary) this.#temporary.add(set.number)
    if (condition !== null) {
      try {
        await this.command(
          (send) =>
            Promise.all([
              send(setCondition(set.number, condition)),
              send(toggleCheckpoint(set.number, wanted.enabled)),
            ]),
          signal,
        )
      } catch (error) {
        await this.deleteCheckpoint(set.number, never)
        if (!(error instanceof AppError) || error.code !== 'INVALID') throw error
        throw new AppError('INVALID', `VICE does not understand the condition “${condition}”.`, {
          hint: 'Write it as in VICE’s monitor, such as: A == $05 && X > 3.',
        })
      }
      this.#conditions.set(set.number, condition)
    }
    return { ...this.#describe({ ...set, hasCondition: condition !== null }), enabled: wanted.enabled }
  }

  async deleteCheckpoint(number: number, signal: AbortSignal): Promise<void> {
    const [, list] = await this.command(
      (send) => Promise.all([send(deleteCheckpoint(number)), send(listCheckpoints())]),
      signal,
    )
    this.#noteStops(list)
  }

  async enableCheckpoint(number: number, enabled: boolean, signal: AbortSignal): Promise<void> {
    if (enabled) this.#mayStop = true
    const [, list] = await this.command(
      (send) => Promise.all([send(toggleCheckpoint(number, enabled)), send(listCheckpoints())]),
      signal,
    )
    this.#noteStops(list)
  }

  // Resources

  async readStandard(signal: AbortSignal): Promise<void> {
    const value = await this.command((send) => send(getResource('MachineVideoStandard')), signal)
    // 1 PAL, 2 NTSC, 3 old NTSC, 4 PAL-N
    this.standard = value === 1 || value === 4 ? 'pal' : 'ntsc'
    this.#onChange()
  }

  /** Sets a number resource until it is given back. What it was is written down first, in case we crash. */
  async borrow(name: string, value: number, signal: AbortSignal): Promise<void> {
    if (this.#borrowed[name]?.set === value) return
    const was = this.#borrowed[name]?.was ?? (await this.command((send) => send(getResource(name)), signal))
    if (typeof was !== 'number') throw new AppError('INTERNAL', `VICE’s resource ${name} is not a number.`)
    this.#borrowed[name] = { was, set: value }
    this.#writeNote()
    await this.command((send) => send(setResource(name, value)), signal)
  }

  async giveBack(name: string, signal: AbortSignal): Promise<void> {
    const borrowed = this.#borrowed[name]
    if (!borrowed) return
    await this.command((send) => send(setResource(name, borrowed.was)), signal)
    this.#borrowed = Object.fromEntries(Object.entries(this.#borrowed).filter(([other]) => other !== name))
    this.#writeNote()
  }

  /** Puts back what was borrowed and takes away our temporary checkpoints; then the machine goes on without us. */
  async close(signal: AbortSignal): Promise<void> {
    try {
      for (const name of Object.keys(this.#borrowed)) await this.giveBack(name, signal)
      for (const number of this.#temporary) await this.deleteCheckpoint(number, signal)
    } finally {
      this.client.close()
    }
  }

  /** For a VICE that ends with us: nothing is to be put back. */
  abandon(): void {
    this.client.close()
    this.#notes.delete(this.#noteName)
  }

  // Within

  get #shouldRun(): boolean {
    return this.execution === 'running' && !this.#lockStep
  }

  /** Lets the machine go on if it stands although it should run, as after a trap whose answers came late. */
  #goOn(): void {
    const trap = this.client.trap(
      (send) => (this.#shouldRun && this.#stopped ? send(this.#leaving(exit())) : Promise.resolve()),
      never,
    )
    trap.catch(() => undefined) // late again: tried again when VICE answers; lost: the connection says so
  }

  /**
   * The event that tells that the machine goes on follows the answer; the next trap may be decided on between the two.
   * So the answer of a command that leaves the monitor counts.
   */
  #leaving(request: Request<unknown>): Request<unknown> {
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

  #take(event: Event): void {
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
        this.#hit(event.checkpoint)
        break
      case 'jam':
        this.#halt('jammed')
        break
    }
  }

  #hit(checkpoint: CheckpointInfo): void {
    if (checkpoint.stop) {
      this.#mayStop = true // it may have been set in VICE's own monitor
      this.#halt('paused')
    }
    if (this.#temporary.has(checkpoint.number)) this.deleteCheckpoint(checkpoint.number, never).catch(() => undefined)
  }

  #noteStops(checkpoints: readonly CheckpointInfo[]): void {
    this.#mayStop = checkpoints.some(({ stop, enabled }) => stop && enabled)
    const numbers = new Set(checkpoints.map(({ number }) => number))
    for (const number of this.#temporary) if (!numbers.has(number)) this.#temporary.delete(number)
    for (const number of this.#conditions.keys()) if (!numbers.has(number)) this.#conditions.delete(number)
  }

  #describe({ hasCondition, ...info }: CheckpointInfo): Checkpoint {
    return {
      ...info,
      temporary: info.temporary || this.#temporary.has(info.number),
      condition: this.#conditions.get(info.number) ?? (hasCondition ? UNKNOWN_CONDITION : null),
    }
  }

  #bank(space: Space): number {
    const name = space === 'colorRam' ? 'io' : space
    const bank = this.#banks.get(name)
    if (bank === undefined) throw new AppError('UNSUPPORTED', `This VICE has no memory bank “${name}”.`)
    return bank
  }

  #writeNote(): void {
    if (Object.keys(this.#borrowed).length === 0) this.#notes.delete(this.#noteName)
    else this.#notes.set(this.#noteName, JSON.stringify(this.#borrowed))
  }

  async #borrowIfOther(name: string, wanted: number, signal: AbortSignal): Promise<void> {
    const value = await this.command((send) => send(getResource(name)).catch(() => wanted), signal)
    if (value !== wanted) await this.borrow(name, wanted, signal)
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

  async #restoreAfterCrash(signal: AbortSignal): Promise<void> {
    const left = parseNote(this.#notes.get(this.#noteName))
    for (const [name, { was, set }] of Object.entries(left)) {
      const now = await this.command((send) => send(getResource(name)), signal)
      // Another value means another VICE, or that the person changed it since.
      if (now === set) await this.command((send) => send(setResource(name, was)), signal)
    }
    this.#notes.delete(this.#noteName)
  }
}

function parseNote(note: string | undefined): Borrowed {
  if (note === undefined) return {}
  try {
    return borrowedSchema.parse(JSON.parse(note))
  } catch {
    return {} // not ours to read: there is nothing to put back
  }
}

/** Whether the 6510 port at $0001, where the bytes cover it, lets the CPU see the I/O area: CHAREN, and LORAM or HIRAM. */
function showsIo(bytes: Uint8Array, address: number): boolean {
  const port = bytes[1 - address] ?? 0
  return (port & 0x04) !== 0 && (port & 0x03) !== 0
}

/** Colour RAM is four bits wide; what VICE gives for the others is noise. */
function keepLowNibbles(bytes: Uint8Array, address: number): void {
  const end = Math.min(address + bytes.length, 0xdc00)
  for (let at = Math.max(address, 0xd800); at < end; at++) bytes[at - address] = (bytes[at - address] ?? 0) & 0x0f
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
