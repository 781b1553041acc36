/** An Ultimate in the network: a real C64 (or the Ultimate 64's own) that is read and worked over REST, and seen by its streams. */
import { AppError, toFailure } from '@shared/contract/errors'
import type { Segment } from '@shared/contract/frames'
import type { ConfigurationItem, StreamKind } from '@shared/contract/machine'
import type { HostAndPort } from '@shared/contract/machineName'
import type { Picture, Space } from '@shared/contract/memory'
import { Connection } from '../connection'
import { checkReachable, checkSideEffects } from '../cpuView'
import { HardwareSampler } from '../hardwareSampler'
import { Listeners } from '../listeners'
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
  TypingControl,
  Unsupported,
  PowerControl,
  ProgramControl,
  StreamControl,
} from '../facets'
import type { Machine, MachineStatus, MemoryRange, Sample, SampleRequest } from '../machine'
import type { ReadCosts } from '../readPlan'
import type { DebugSample } from './debugReplay'
import { DMA_PORT } from './dmaService'
import { imageTypeOf, runProgram, runStoredFile } from './programs'
import { Session } from './session'
import type { Notes } from './streams'
import { seenThrough, withoutPort } from './view'

export interface UltimateOptions extends HostAndPort {
  readonly name: string
  /** What the person allows sampling: a share of the machine's time, and reading registers whose read changes the machine. */
  readonly allowed: () => { readonly budget: number; readonly sideEffects: boolean }
  readonly notes: Notes
  /** Of its DMA service; 64 on every real one. */
  readonly dmaPort?: number
}

/**
 * The CPU stands still for about a cycle a byte, and a little before that until it can be stopped. A request costs the
 * network more than it costs the C64: 14 ms.
 */
const costs: ReadCosts = { cyclesPerStop: 50, cyclesPerByte: 1.01, gapWorthBridging: 512, longestRead: 0x4000 }

/** How sentences begin. */
const DEVICE = 'The Ultimate'

/** How long leaving may take, ms. */
const CLOSE_DEADLINE = 4_000

/** How long the first picture may take once the video stream runs, ms. */
const PICTURE_DEADLINE = 2_000

type Offered =
  | 'readMemory'
  | 'writeMemory'
  | 'pause'
  | 'reset'
  | 'runProgram'
  | 'typeText'
  | 'keyMatrix'
  | 'joystick'
  | 'picture'
  | 'reboot'
  | 'powerOff'
  | 'menuButton'
  | 'drives'
  | 'configuration'
  | 'files'
  | 'createImage'
  | 'runFile'
  | 'videoStream'
  | 'audioStream'
  | 'debugStream'

const general: Unsupported<Offered> = {
  ramUnderRom: 'The Ultimate reads memory as the CPU sees it at that moment: RAM under ROM and I/O cannot be reached.',
  registers: 'The Ultimate does not tell the CPU’s registers.',
  setRegisters: 'The Ultimate cannot set the CPU’s registers.',
  step: 'The Ultimate stops the CPU, but cannot let it go on for one instruction.',
  warp: 'A real machine has one speed.',
  standard: 'PAL or NTSC is set in the Ultimate’s own menu, and takes a restart.',
  lockStep: 'A real machine does not wait for its frames to be looked at.',
  checkpoints: 'The Ultimate cannot stop the CPU at an address.',
  checkpointConditions: 'The Ultimate cannot stop the CPU at an address.',
  saveState: 'The state of a real machine’s chips cannot be read out.',
  resources: 'Its settings are under Configuration.',
  folders: 'The Ultimate tells of one file at a time; its folders are listed by an FTP program or its own menu.',
  quit: 'A real machine is not a program that can be quit.',
}

export const createUltimateMachine = (options: UltimateOptions): Machine => new UltimateMachine(options)

class UltimateMachine implements Machine, Offering<Offered> {
  readonly kind = 'ultimate'
  readonly name: string
  readonly #options: UltimateOptions
  readonly #status = new Listeners()
  readonly #samples = new Listeners<Sample>()
  readonly #audio = new Listeners<AudioBlock>()
  readonly onStatus = this.#status.add
  readonly onSample = this.#samples.add
  #session: Session | undefined
  #sampler: HardwareSampler | undefined
  #wish: SampleRequest = { mode: 'off', rate: 0, spaces: [], picture: false }
  readonly #connection = new Connection(() => {
    this.#notice = null
    this.#changed()
  })
  #notice: string | null = null
  /** Streams that the person switched on: they run again after the connection was lost. */
  readonly #wanted = new Set<StreamKind>()
  /** Every sample holds all that is known, as any of them may be the one that is shown. */
  #segments: readonly Segment[] = []
  #picture: Picture | undefined
  /** What sampling cost since the last sample, while samples come from the debug stream. */
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
  readonly images: ImageControl
  readonly streams: StreamControl

  constructor(options: UltimateOptions) {
    this.name = options.name
    this.#options = options
    this.execution = this.#executionControl()
    this.programs = {
      run: async (program, signal) => {
        await this.#live.run((session) => runProgram(program, session, signal))
        this.#live.memoryReplaced()
        this.#changed()
      },
    }
    this.typing = { typeText: (text, signal) => this.#live.input.typeText(text, signal) }
    this.keys = {
      setKeys: (keys, signal) => this.#live.ask('keyMatrix', () => this.#live.input.setKeys(keys, signal)),
    }
    this.joystick = {
      setJoystick: (port, inputs, signal) =>
        this.#live.ask('joystick', () => this.#live.input.setJoystick(port, inputs, signal)),
    }
    this.display = { read: (signal) => this.#readPicture(signal) }
    this.power = {
      reboot: async (signal) => {
        await this.#live.run((session) => session.api.reboot(signal))
        this.#live.memoryReplaced()
        this.#changed()
      },
      powerOff: (signal) => this.#live.ask('powerOff', (session) => session.api.powerOff(signal)),
      pressMenuButton: (signal) => this.#live.ask('menuButton', (session) => session.api.pressMenuButton(signal)),
    }
    this.drives = {
      list: (signal) => this.#live.ask('drives', (session) => session.api.drives(signal)),
      mount: async (drive, { name, bytes }, mode, signal) => {
        const image = { name, type: imageTypeOf(name), bytes }
        return this.#live.api.mount(drive, image, mode, signal)
      },
      remove: (drive, signal) => this.#live.api.remove(drive, signal),
      setMode: (drive, mode, signal) => this.#live.api.setDriveMode(drive, mode, signal),
      setEnabled: (drive, enabled, signal) => this.#live.api.setDriveEnabled(drive, enabled, signal),
      reset: (drive, signal) => this.#live.api.resetDrive(drive, signal),
    }
    this.configuration = {
      categories: (signal) => this.#live.ask('configuration', (session) => session.api.categories(signal)),
      read: (category, signal): Promise<ConfigurationItem[]> => this.#live.api.describeConfiguration(category, signal),
      set: (category, item, value, signal) => this.#live.api.setConfiguration(category, item, value, signal),
    }
    this.files = this.#fileControl()
    this.images = { create: (path, title, signal) => this.#createImage(path, title, signal) }
    this.streams = {
      set: (stream, on, signal) => this.#setStream(stream, on, signal),
      onAudio: this.#audio.add,
    }
  }

  get status(): MachineStatus {
    const session = this.#session
    const silence = session?.silence
    return {
      title: this.#title,
      connection: this.#connection.state === 'live' && silence ? 'stale' : this.#connection.state,
      reason: silence ? silence.message : this.#connection.reason,
      hint: silence ? (silence.hint ?? null) : this.#connection.hint,
      execution: session && !silence ? session.execution : 'unknown',
      standard: session?.standard ?? null,
      speed: null,
      warp: false,
      version: session ? `${session.info.product}, firmware ${session.info.firmware}` : null,
      notices: this.#notices,
      streams: session?.receiver.counts ?? [],
    }
  }

  get unsupported(): Offering<Offered>['unsupported'] {
    return { ...general, ...this.#session?.unsupported }
  }

  async connect(signal: AbortSignal, password?: string): Promise<void> {
    if (this.#session) return
    await this.#connection.attempt(async () => {
      const { host, port, notes, dmaPort = DMA_PORT } = this.#options
      const session = await Session.open({
        address: { host, port },
        dmaPort,
        password: password ?? null,
        notes,
        on: {
          change: () => this.#changed(),
          lost: (reason) => this.#lose(reason),
          picture: (picture) => this.#tellPicture(picture),
          audio: (block) => this.#audio.notify(block),
          accesses: (sample) => this.#tellAccesses(sample),
          known: () => this.#segments.filter(({ space }) => space === 'cpu'),
        },
        signal,
      })
      this.#session = session
      this.#sampler = this.#createSampler(session)
      this.#connection.set('live')
      void this.#startWanted(session)
    })
  }

  async disconnect(): Promise<void> {
    this.#wanted.clear()
    const session = this.#session
    this.#session = undefined
    await this.#endSampling()
    await session?.close(AbortSignal.timeout(CLOSE_DEADLINE)).catch(() => undefined)
    this.#connection.set('idle')
  }

  async wake(signal: AbortSignal): Promise<void> {
    const session = this.#live
    await this.#sampleAfresh(session)
    await session.wake(signal)
  }

  async setSampling(wish: SampleRequest): Promise<void> {
    this.#wish = wish
    this.#sampler?.set(wish)
    this.#changed()
  }

  async readMemory({ space, address, length }: MemoryRange, signal: AbortSignal): Promise<Uint8Array> {
    checkReachable(DEVICE, space, address, length, 'read')
    if (!this.#options.allowed().sideEffects) checkSideEffects(address, length)
    const bytes = await this.#live.read(address, length, signal)
    return space === 'colorRam' ? bytes.map((byte) => byte & 0x0f) : bytes
  }

  async writeMemory(space: Space, address: number, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    checkReachable(DEVICE, space, address, bytes.length, 'write')
    const session = this.#live
    await session.write(address, bytes, signal)
    const written = [{ space: 'cpu', address, length: bytes.length } as const]
    if (this.#wish.mode === 'off' || session.execution === 'paused') await this.#sampler?.sampleNow(written)
    else this.#sampler?.refresh(written)
  }

  // Connection

  #lose(reason: AppError): void {
    const session = this.#session
    if (!session) return
    this.#session = undefined
    session.abandon()
    void this.#endSampling()
    this.#connection.set('lost', reason.message, reason.hint)
  }

  async #endSampling(): Promise<void> {
    const sampler = this.#sampler
    this.#sampler = undefined
    await sampler?.stop()
  }

  /** With nothing known of memory. */
  async #sampleAfresh(session: Session): Promise<void> {
    await this.#endSampling()
    if (this.#session !== session) return
    this.#segments = []
    this.#picture = undefined
    this.#sampler = this.#createSampler(session)
    this.#sampler.set(this.#wish)
  }

  async #startWanted(session: Session): Promise<void> {
    for (const stream of this.#wanted) {
      try {
        await session.streams.set(stream, true, session.ended)
      } catch (error) {
        if (this.#session !== session) return
        this.#notice = `The ${stream} stream did not start again: ${toFailure(error).message}`
      }
      this.#changed()
    }
  }

  get #live(): Session {
    if (this.#session) return this.#session
    throw this.#connection.missing(this.#title)
  }

  get #title(): string {
    const { host, port } = this.#options
    const where = port === 80 ? host : `${host}:${port}`
    const product = this.#session?.info.product ?? 'Ultimate'
    return `${product} at ${where}`
  }

  get #notices(): string[] {
    const isSampled = this.#wish.mode !== 'off' && this.#wish.spaces.length > 0
    const closesMenu = isSampled && this.#session?.readingClosesMenu === true
    return [
      ...(closesMenu
        ? ['With this firmware, reading memory closes the Ultimate’s own menu: switch sampling off to use it.']
        : []),
      ...(this.#notice === null ? [] : [this.#notice]),
    ]
  }

  #changed(): void {
    this.#status.notify()
  }

  // Samples

  #createSampler(session: Session): HardwareSampler {
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
        this.#samples.notify({ ...sample, segments: this.#segments, ...(picture ? { picture } : {}) })
      },
      // Silence and loss show by themselves.
      onError: () => undefined,
    })
  }

  #tellPicture(picture: Picture): void {
    this.#picture = picture
    if (this.#wish.picture) this.#samples.notify({ time: now(), segments: this.#segments, picture })
  }

  #tellAccesses({ segments, accesses }: DebugSample): void {
    const { replay } = this.#live
    if (!replay) return
    this.#segments = this.#wish.spaces.flatMap((space) => seenThrough(space, segments, replay))
    this.#samples.notify({
      time: now(),
      segments: this.#segments,
      accesses,
      ...(this.#cost === undefined ? {} : { cost: this.#cost }),
    })
    this.#cost = undefined
  }

  // Facets

  #executionControl(): ExecutionControl {
    return {
      pause: async (signal) => {
        await this.#live.pause(signal)
        await this.#sampler?.sampleNow()
      },
      resume: (signal) => this.#live.resume(signal),
      reset: async (kind, signal) => {
        await this.#live.run((session) => (kind === 'soft' ? session.api.reset(signal) : session.api.reboot(signal)))
        this.#changed()
      },
    }
  }

  #fileControl(): FileControl {
    return {
      list: async (path, signal) => {
        const isFolder = path === '' || path.endsWith('/')
        if (isFolder) {
          throw new AppError('UNSUPPORTED', general.folders, {
            hint: 'Name one file.',
            details: { capability: 'folders' },
          })
        }
        const { filename, size } = await this.#live.ask('files', (session) => session.api.fileInfo(path, signal))
        return [{ name: filename, size, folder: false }]
      },
      run: async (path, signal) => {
        await this.#live.run((session) => runStoredFile(path, session, signal))
        this.#live.memoryReplaced()
        this.#changed()
      },
    }
  }

  async #createImage(path: string, title: string, signal: AbortSignal): Promise<void> {
    const kind = (['d64', 'd71', 'd81', 'dnp'] as const).find((ending) => path.toLowerCase().endsWith(`.${ending}`))
    if (!kind)
      throw new AppError('INVALID', `${path} is not the name of a disk image.`, {
        hint: 'End it in .d64, .d71, .d81 or .dnp.',
      })
    await this.#live.ask('createImage', (session) => session.api.createImage(kind, path, title, signal))
  }

  async #setStream(stream: StreamKind, on: boolean, signal: AbortSignal): Promise<void> {
    const session = this.#live
    if (on) this.#wanted.add(stream)
    else this.#wanted.delete(stream)
    try {
      await session.ask(`${stream}Stream`, () => session.streams.set(stream, on, signal))
    } catch (error) {
      this.#wanted.delete(stream)
      throw error
    } finally {
      for (const other of this.#wanted) if (!session.streams.isOn(other)) this.#wanted.delete(other)
      this.#notice = null
      this.#changed()
    }
  }

  /** The next picture of the video stream, which runs for that one only where it was off. */
  async #readPicture(signal: AbortSignal): Promise<Picture> {
    const session = this.#live
    const wasOn = session.streams.isOn('video')
    if (!wasOn && session.streams.isOn('debug')) {
      throw new AppError('CONFLICT', 'The Ultimate sends no picture while the debug stream runs.', {
        hint: 'Switch the debug stream off.',
      })
    }
    if (!wasOn) await session.ask('videoStream', () => session.streams.set('video', true, signal))
    try {
      return await session.nextPicture(AbortSignal.any([signal, AbortSignal.timeout(PICTURE_DEADLINE)]))
    } finally {
      if (!wasOn) await session.streams.set('video', false, signal)
    }
  }
}

const now = (): number => performance.timeOrigin + performance.now()
