import { pinsOf } from '@shared/c64/banking'
import { framesPerSecond } from '@shared/c64/frameRate'
import type { ExpressionBank } from '@shared/c64/expressions/expression'
import { AppError } from '@shared/contract/errors'
import type { CheckpointStop } from '@shared/contract/checkpoints'
import type { VideoStandard } from '@shared/contract/machine'
import type { Picture, Register, Space } from '@shared/contract/memory'
import type { DeviceSession } from '../deviceMachine'
import { CheckpointLog } from '../checkpointLog'
import type { Notes } from '../notes'
import { BorrowedResources, type RunCommand } from './borrowedResources'
import { Checkpoints, findRegister, type NoteMachine } from './checkpoints'
import type { MonitorClient, Send } from './client'
import {
  exit,
  getResource,
  listCheckpoints,
  nameBanks,
  nameRegisters,
  quit,
  readDisplay,
  readRegisters,
  readVersion,
  type CheckpointInfo,
  type RegisterName,
  type RegisterValue,
} from './commands'
import { BORDER_MODE, cropDisplay, NORMAL_BORDERS, standardOf } from './display'
import { findWriter } from './findWriter'
import { Follower } from './follower'
import { InterruptFollower } from './interruptFollower'
import { NotedWrites } from './notedWrites'
import { MemoryBanks } from './memoryBanks'
import { RunControl } from './runControl'
import { RunTo } from './runTo'
import { stoppedMachine } from './stoppedMachine'
import { StepTracer } from './stepTracer'
import { versionText } from './versionText'
import { VideoFrameFollower } from './videoFrameFollower'

/** What VICE does when the CPU jams. Only "ask the user" is reported to the monitor; VICE's default is to continue. */
const JAM_ACTION = 'JAMAction'
const ASK_USER = 0

const never = new AbortController().signal

export class Session implements DeviceSession {
  readonly client: MonitorClient
  /** Most significant first, such as 3, 7, 1, 0. */
  readonly version: readonly number[]
  readonly #registerNames: readonly RegisterName[]
  readonly #memory: MemoryBanks
  readonly #borrowed: BorrowedResources
  readonly checkpoints: Checkpoints
  readonly runControl: RunControl
  readonly runTo: RunTo
  readonly log = new CheckpointLog()
  readonly notedWrites = new NotedWrites(this)
  readonly follower = new Follower(this)
  readonly interrupts = new InterruptFollower(this, this.follower)
  readonly videoFrames = new VideoFrameFollower(this, this.follower)
  readonly tracer = new StepTracer(this)
  /** Only the control ports that were used; a pressed line is 0. */
  readonly joystickLines = new Map<1 | 2, number>()
  readonly #onChange: () => void
  #lastStop: { readonly stop: CheckpointStop; readonly departures: number } | undefined
  standard: VideoStandard | null = null

  /**
   * Also restores what a crashed session left changed.
   * @param memory where borrowed resources are stored, in case of a crash
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
    await session.#borrowed.borrowIfOther(JAM_ACTION, ASK_USER, signal)
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
    this.#onChange = on.change
    this.runTo = new RunTo(this)
    this.runControl = new RunControl(client, {
      onChange: () => {
        if (this.execution !== 'running') {
          this.follower.drop()
          this.runTo.forget(never).catch(() => undefined) // lost: the connection reports it
        }
        on.change()
      },
      onHalt: (checkpoint) => {
        if (checkpoint && !this.runTo.owns(checkpoint.number)) this.#noteStop(checkpoint).catch(() => undefined) // lost: the connection reports it
        on.halt()
      },
      onCheckpoint: (checkpoint, isLeaving) => this.checkpoints.hit(checkpoint, isLeaving),
      placeOf: (values) => this.#placeOf(values),
      note: (send, registers) => this.#note(send, this.nameValues(registers)),
      mayStop: () => this.checkpoints.mayStop,
      frameTime: () => 1_000 / framesPerSecond[this.standard ?? 'pal'],
    })
    const { command } = this.runControl
    this.#borrowed = new BorrowedResources(command, memory)
    this.checkpoints = new Checkpoints(command, this.noteMachine, (logged) => this.log.add(logged))
    client.onSilence(() => this.#onChange())
  }

  get execution(): RunControl['execution'] {
    return this.runControl.execution
  }

  get stop(): CheckpointStop | null {
    const last = this.#lastStop
    return last && this.execution === 'paused' && last.departures === this.runControl.departures ? last.stop : null
  }

  get command(): RunCommand {
    return this.runControl.command
  }

  get silence(): DeviceSession['silence'] {
    if (!this.client.silent) return null
    return {
      message: 'VICE does not answer: it is paused, or shows a dialog in its own window.',
      hint: 'Continue in VICE’s window; Bridgedeck then resumes automatically.',
    }
  }

  onLost(listener: (reason: AppError) => void): void {
    this.client.onClose(listener)
  }

  get versionText(): string {
    return versionText(this.version)
  }

  isAtLeast(major: number, minor: number): boolean {
    const [ownMajor = 0, ownMinor = 0] = this.version
    return ownMajor > major || (ownMajor === major && ownMinor >= minor)
  }

  async quit(signal: AbortSignal): Promise<void> {
    await this.client.trap((send) => send(quit()), signal)
  }

  /** 1 to 65,536 bytes. */
  read(send: Send, space: Space, address: number, length: number): Promise<Uint8Array> {
    return this.#memory.read(send, space, address, length)
  }

  /** 1 to 65,536 bytes. */
  write(send: Send, space: Space, address: number, bytes: Uint8Array): Promise<unknown> {
    return this.#memory.write(send, space, address, bytes)
  }

  borrow(...resource: Parameters<BorrowedResources['borrow']>): Promise<void> {
    return this.#borrowed.borrow(...resource)
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

  #placeOf(values: readonly RegisterValue[]): string {
    const places = this.nameValues(values).filter(({ name }) => name === 'PC' || name === 'LIN' || name === 'CYC')
    return places.map(({ name, value }) => `${name}=${value}`).join(' ')
  }

  registerNamed(name: string): RegisterName {
    const found = this.#registerNames.find((register) => register.name === name)
    if (found) return found
    throw new AppError('NOT_FOUND', `There is no register ${name}.`, {
      hint: `Registers: ${this.#registerNames.map((register) => register.name).join(', ')}.`,
    })
  }

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

  /**
   * Restores borrowed resources and deletes the checkpoints that need us; closing the connection lets the machine run.
   */
  async close(signal: AbortSignal): Promise<void> {
    await this.follower.close(disconnected())
    try {
      await this.#borrowed.giveAllBack(signal)
      await this.checkpoints.deleteOurs(signal)
    } finally {
      this.client.close()
    }
  }

  abandon(): void {
    void this.follower.close(disconnected())
    this.client.close()
    this.#borrowed.forget()
  }

  async #noteStop(info: CheckpointInfo): Promise<void> {
    const { number, start, end, operations } = info
    const condition = this.checkpoints.conditionOf(info)
    const { departures } = this.runControl
    const time = Date.now()
    const [values, memory] = await this.command(
      (send) => Promise.all([send(readRegisters()), this.read(send, 'cpu', 0, 0x10000)]),
      never,
    )
    const registers = this.nameValues(values)
    const [pc = 0, x = 0, y = 0] = ['PC', 'X', 'Y'].map((name) => findRegister(registers, name))
    const [only] = operations
    const operation = operations.length === 1 && only !== undefined ? only : null
    const writer = operation === 'store' ? findWriter({ memory, pc, x, y }, start, end) : undefined
    const by = writer ? { address: writer.address, text: writer.text } : null
    const hit = this.checkpoints.fromHitOf(number) > 1 ? info.hits : null
    const stop = { checkpoint: number, time, pc, start, end, operation, by, condition, hit, pins: pinsOf(registers) }
    this.#lastStop = { stop, departures }
    this.#onChange()
  }

  async #note(send: Send, registers: readonly Register[]): Promise<void> {
    await Promise.all(this.checkpoints.takeNotes().map(({ note, hit }) => note(send, { hit, registers })))
  }

  readonly noteMachine: NoteMachine =
    (banks, take) =>
    async (send, { hit }) => {
      const [values, ...memory] = await Promise.all([
        send(readRegisters()),
        ...[...banks].map(async (bank) => [bank, await this.#readBank(send, bank)] as const),
      ])
      take(stoppedMachine(this.nameValues(values), new Map(memory)), hit)
      this.#onChange()
    }

  async #readBank(send: Send, bank: ExpressionBank): Promise<Uint8Array> {
    if (bank !== 'io') return this.read(send, bank, 0, 0x10000)
    const [seen, chips] = await Promise.all([this.read(send, 'cpu', 0, 0x10000), this.read(send, 'io', 0xd000, 0x1000)])
    seen.set(chips, 0xd000)
    return seen
  }

  /** The cycle-exact x64sc has chip models, the older x64 does not. */
  #isX64sc(signal: AbortSignal): Promise<boolean> {
    const find = (send: Send) =>
      send(getResource('VICIIModel')).then(
        () => true,
        () => false,
      )
    return this.command(find, signal)
  }
}

const disconnected = (): AppError => new AppError('CANCELLED', 'VICE was disconnected.')
