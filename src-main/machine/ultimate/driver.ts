import { AppError, toFailure } from '@shared/contract/errors'
import type { Segment } from '@shared/contract/frames'
import type { StreamKind } from '@shared/contract/machine'
import type { HostAndPort } from '@shared/contract/machineName'
import type { Picture, Space } from '@shared/contract/memory'
import { checkRead, checkReachable, inSpace } from '../cpuView'
import { DeviceMachine } from '../deviceMachine'
import type {
  AudioBlock,
  ConfigurationControl,
  DisplayAccess,
  DriveControl,
  ExecutionControl,
  FileControl,
  ImageControl,
  JoystickControl,
  KeyControl,
  Offering,
  PowerControl,
  ProgramControl,
  StreamControl,
  TransferControl,
  TypingControl,
} from '../facets'
import { HardwareSampler } from '../hardwareSampler'
import { Listeners } from '../listeners'
import type { Machine, MachineStatus, MemoryRange } from '../machine'
import type { Notes } from '../notes'
import type { ReadCosts } from '../readPlan'
import { BusNotes } from './busNotes'
import type { DebugSample } from './debugReplay'
import { DMA_PORT } from './dmaService'
import {
  configurationControl,
  driveControl,
  executionControl,
  fileControl,
  imageControl,
  powerControl,
  transferControl,
  readPicture,
} from './facets'
import { FTP_PORT } from './ftp'
import { runProgram } from './programs'
import { UNKNOWN_FIRMWARE } from './replies'
import { Session } from './session'
import { requireCpuCycles } from './debugMode'
import { unsupportedByUltimates, type UltimateCapability } from './capabilities'
import { seenThrough, withoutPort } from './view'

export interface UltimateOptions extends HostAndPort {
  readonly name: string
  /**
   * What the user allows: a share of the machine's time, 0 to 1, and reading registers whose read changes the machine.
   */
  readonly allowed: () => { readonly budget: number; readonly sideEffects: boolean }
  readonly notes: Notes
  /** 64 on every real device. */
  readonly dmaPort?: number
  /** 21 on every real device. */
  readonly ftpPort?: number
}

/** The CPU stops for about one cycle per byte, and a little longer per read. A request takes the network 14 ms. */
const costs: ReadCosts = { cyclesPerStop: 50, cyclesPerByte: 1.01, gapWorthBridging: 512, longestRead: 0x4000 }

const DEVICE = 'The Ultimate'

const CLOSE_DEADLINE_MS = 4_000

export const createUltimateMachine = (options: UltimateOptions): Machine => new UltimateMachine(options)

class UltimateMachine extends DeviceMachine<Session, HardwareSampler> implements Offering<UltimateCapability> {
  readonly kind = 'ultimate'
  readonly #options: UltimateOptions
  readonly #audio = new Listeners<AudioBlock>()
  #notice: string | null = null
  readonly #requestedStreams = new Set<StreamKind>()
  /** Every sample holds all known memory, as any of them may be shown. */
  #segments: readonly Segment[] = []
  #picture: Picture | undefined
  #cost: number | undefined

  readonly execution: ExecutionControl
  readonly programs: ProgramControl
  readonly typing: TypingControl
  readonly keys: KeyControl
  readonly joystick: JoystickControl
  readonly display: DisplayAccess
  readonly power: PowerControl
  readonly drives: DriveControl
  readonly configuration: ConfigurationControl
  readonly files: FileControl
  readonly transfers: TransferControl
  readonly images: ImageControl
  readonly streams: StreamControl
  readonly writeNotes: BusNotes

  constructor(options: UltimateOptions) {
    super(options.name)
    this.#options = options
    const session = () => this.live
    this.execution = executionControl(session, async () => this.sampler?.sampleNow())
    this.programs = {
      keepsMemory: true,
      choosesSongs: true,
      refuses: () => ({
        tape: 'The Ultimate starts tapes in its own menu only.',
        snapshot: 'Only VICE loads its snapshots.',
      }),
      run: (program, signal) => this.live.replaceMemory((session) => runProgram(program, session, signal)),
    }
    this.typing = { typeText: (text, signal) => this.live.input.typeText(text, signal) }
    this.keys = { setKeys: (keys, signal) => this.live.ask('keyMatrix', ({ input }) => input.setKeys(keys, signal)) }
    this.joystick = {
      setJoystick: (port, inputs, signal) =>
        this.live.ask('joystick', ({ input }) => input.setJoystick(port, inputs, signal)),
    }
    this.display = { read: (signal) => readPicture(this.live, signal) }
    this.power = powerControl(session)
    this.drives = driveControl(session)
    this.configuration = configurationControl(session)
    this.files = fileControl(session)
    this.transfers = transferControl(session)
    this.images = imageControl(session)
    this.streams = { set: (stream, on, signal) => this.#setStream(stream, on, signal), onAudio: this.#audio.add }
    this.writeNotes = new BusNotes({
      start: (signal) => this.#startForNotes(signal),
      stop: async (signal) => {
        if (!this.#requestedStreams.has('debug')) await this.live.streams.set('debug', false, signal)
        this.changed()
      },
      isRunning: () => this.session?.streams.isOn('debug') === true,
      read: async (address, signal) => (await this.live.read(address, 1, signal))[0] ?? 0,
    })
  }

  get needsConnection(): boolean {
    return this.writeNotes.count > 0
  }

  get unsupported(): Offering<UltimateCapability>['unsupported'] {
    return { ...unsupportedByUltimates, ...this.session?.unsupported }
  }

  override async disconnect(): Promise<void> {
    this.#requestedStreams.clear()
    this.writeNotes.clear()
    await super.disconnect()
  }

  override async wake(signal: AbortSignal): Promise<void> {
    const session = this.live
    await this.restartSampling(session)
    // Not `confirm`: a device that does not answer becomes silent first, as at any other time.
    await this.probe(session, signal)
  }

  async readMemory(range: MemoryRange, signal: AbortSignal): Promise<Uint8Array> {
    checkRead(DEVICE, range, this.#options.allowed())
    return inSpace(range.space, await this.live.read(range.address, range.length, signal))
  }

  async writeMemory(space: Space, address: number, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    checkReachable(DEVICE, space, address, bytes.length, 'write')
    const session = this.live
    await session.write(address, bytes, signal)
    const written = [{ space: 'cpu', address, length: bytes.length } as const]
    if (this.request.mode === 'off' || session.execution === 'paused') await this.sampler?.sampleNow(written)
    else this.sampler?.refresh(written)
  }

  protected get title(): string {
    const { host, port } = this.#options
    const where = port === 80 ? host : `${host}:${port}`
    const product = this.session?.info.product ?? 'Ultimate'
    return `${product} at ${where}`
  }

  protected async open(signal: AbortSignal, password: string | undefined): Promise<Session> {
    const { host, port, notes, dmaPort = DMA_PORT, ftpPort = FTP_PORT } = this.#options
    const session = await Session.open({
      address: { host, port },
      dmaPort,
      ftpPort,
      password: password ?? null,
      notes,
      on: {
        change: () => this.changed(),
        picture: (picture) => this.#takePicture(picture),
        audio: (block) => this.#audio.notify(block),
        accesses: (sample) => this.#takeAccesses(sample),
        bus: this.writeNotes,
        expired: (address, length) => this.writeNotes.expire(address, length),
        known: () => this.#segments.filter(({ space }) => space === 'cpu'),
      },
      signal,
    })
    this.#notice = null
    void this.#startRequestedStreams(session)
    return session
  }

  protected describe(session: Session): Partial<MachineStatus> {
    return {
      execution: session.execution,
      standard: session.standard,
      version: `${session.info.product}, firmware ${session.info.firmware}`,
      notices: this.#notices,
      streams: session.receiver.counts,
    }
  }

  protected createSampler(session: Session): HardwareSampler {
    this.#segments = []
    this.#picture = undefined
    return new HardwareSampler({
      read: ({ address, length }, signal) => session.sample(address, length, signal),
      spaces: ['cpu'],
      costs,
      allowed: this.#options.allowed,
      standard: () => session.standard,
      halted: () => session.execution === 'paused',
      emit: (sample) => {
        this.#cost = sample.cost
        if (session.replay) return
        this.#segments = sample.segments.flatMap(withoutPort)
        const picture = session.streams.isOn('video') ? this.#picture : undefined
        this.emit({ ...sample, segments: this.#segments, ...(picture ? { picture } : {}) })
      },
      onError: () => undefined,
    })
  }

  protected async probe(session: Session, signal: AbortSignal): Promise<void> {
    await session.wake(signal)
  }

  protected async close(session: Session | undefined): Promise<void> {
    await session?.close(AbortSignal.timeout(CLOSE_DEADLINE_MS)).catch(() => undefined)
  }

  protected abandon(session: Session): void {
    session.abandon()
  }

  async #startRequestedStreams(session: Session): Promise<void> {
    const noting: readonly StreamKind[] = this.writeNotes.count > 0 ? ['debug'] : []
    for (const stream of new Set([...this.#requestedStreams, ...noting])) {
      try {
        await session.streams.set(stream, true, session.ended)
      } catch (error) {
        if (session.ended.aborted) return
        this.#notice = `The ${stream} stream could not be restarted: ${toFailure(error).message}`
      }
      this.changed()
    }
  }

  get #notices(): string[] {
    const isSampled = this.request.mode !== 'off' && this.request.spaces.length > 0
    const closesMenu = isSampled && this.session?.readingClosesMenu === true
    const isUnknown = this.session?.info.firmware === UNKNOWN_FIRMWARE
    return [
      ...(isUnknown ? ['This device does not say what it is: Bridgedeck uses the calls that it answers.'] : []),
      ...(closesMenu
        ? ['With this firmware, reading memory closes the Ultimate’s own menu. To use the menu, switch sampling off.']
        : []),
      ...(this.#notice === null ? [] : [this.#notice]),
    ]
  }

  #takePicture(picture: Picture): void {
    this.#picture = picture
    if (this.request.picture) this.emit({ time: now(), segments: this.#segments, picture })
  }

  #takeAccesses({ segments, accesses }: DebugSample): void {
    const { replay } = this.live
    if (!replay) return
    this.#segments = this.request.spaces.flatMap((space) => seenThrough(space, segments, replay))
    this.emit({
      time: now(),
      segments: this.#segments,
      accesses,
      ...(this.#cost === undefined ? {} : { cost: this.#cost }),
    })
    this.#cost = undefined
  }

  /** Leaves a video stream alone: the device has no bandwidth for both. */
  async #startForNotes(signal: AbortSignal): Promise<void> {
    const session = this.live
    const { debugStream } = this.unsupported
    if (debugStream !== undefined) throw new AppError('UNSUPPORTED', debugStream)
    if (session.streams.isOn('video')) {
      throw new AppError('BUSY', 'The Ultimate has no bandwidth for its debug stream while its video stream runs.', {
        hint: 'Stop the video stream first.',
      })
    }
    await requireCpuCycles(session, signal)
    await session.ask('debugStream', () => session.streams.set('debug', true, signal))
    this.changed()
  }

  async #setStream(stream: StreamKind, on: boolean, signal: AbortSignal): Promise<void> {
    const session = this.live
    if (this.writeNotes.count > 0 && (on ? stream === 'video' : stream === 'debug')) throw neededForNotes()
    if (on) this.#requestedStreams.add(stream)
    else this.#requestedStreams.delete(stream)
    try {
      await session.ask(`${stream}Stream`, () => session.streams.set(stream, on, signal))
    } catch (error) {
      this.#requestedStreams.delete(stream)
      throw error
    } finally {
      for (const other of this.#requestedStreams) if (!session.streams.isOn(other)) this.#requestedStreams.delete(other)
      this.#notice = null
      this.changed()
    }
  }
}

const neededForNotes = (): AppError =>
  new AppError('BUSY', 'Writes are noted from the debug stream, which cannot run beside the video stream.', {
    hint: 'End the notes of writes first.',
  })

const now = (): number => performance.timeOrigin + performance.now()
