import { AppError } from '@shared/contract/errors'
import { programFileKindOf, type ProgramFileKind } from '@shared/programFiles'
import type { Checkpoint, Logged } from '@shared/contract/checkpoints'
import type { ChipModels, HistoryLimits, VideoStandard } from '@shared/contract/machine'
import type { MemoryRun, Picture, Register, Space } from '@shared/contract/memory'
import type { RasterFrame } from '@shared/contract/rasterFrame'
import type { VideoFrame } from '@shared/contract/videoFrame'
import type { Interrupts, Profile, Trace } from '@shared/contract/running'
import type { RequestInput, RequestName, RequestOutput } from '../../rpc/protocol'
import { startWorker, type RunningWorker } from '../../rpc/startWorker'
import type {
  CheckpointControl,
  CheckpointLogAccess,
  DisplayAccess,
  ExecutionControl,
  JoystickControl,
  KeyControl,
  Offering,
  SteppingControl,
  TypingControl,
  RasterFrameAccess,
  VideoFrameAccess,
  Unsupported,
  ProgramControl,
  RegisterAccess,
  SpeedControl,
  SlowMotionControl,
  StateControl,
  TimeTravelControl,
  TracingControl,
  InterruptAccess,
  ProfilingControl,
} from '../facets'
import type { Machine, MachineStatus, MemoryRange, Sample, SampleRequest } from '../machine'
import { unsupportedByEmulators, type EmulatorCapability } from '../unsupported'
import { idleStatus } from '../machine'
import { Listeners } from '../listeners'
import type { KeptCheckpoints } from './checkpoints'
import { builtinProtocol, type BuiltinChannel, type WorkerSample } from './messages'
import type { RomPaths } from './roms'

export interface BuiltinOptions {
  readonly workerPath: string
  /** Has Bridgedeck's kernal.bin, basic.bin and chargen.bin. */
  readonly resources: string
  readonly roms: RomPaths
  readonly standard: VideoStandard
  readonly models: ChipModels
  readonly history: HistoryLimits
  /** Written each second; null to save nothing. */
  readonly statePath: string | null
  readonly autorun: string | null
}

type Offered = EmulatorCapability | 'keyMatrix' | 'rasterFrame' | 'saveState' | 'timeTravel' | 'slowMotion' | 'profile'

const unsupported: Unsupported<Offered> = {
  lockStep: 'The built-in C64 always sends a sample of every frame.',
  resources: 'Only VICE has resources; the built-in C64 has settings instead.',
  quit: 'The built-in C64 is part of Bridgedeck; disconnect it to stop it.',
  ...unsupportedByEmulators,
  audioStream: 'The built-in C64 makes no sound. VICE plays it on this computer, and an Ultimate 64 sends it here.',
  driveMemory: 'The built-in C64 has no disk drive.',
}

const inVice = 'Run it on the machine vice.'
const elsewhere = {
  cartridge: inVice,
  disk: `${inVice} The window also runs a single program of a D64, D71 or D81.`,
  tape: `${inVice} The window also runs a single program of a T64.`,
  snapshot: inVice,
  music: 'An Ultimate plays it, and VICE’s own vsid.',
} as const satisfies Record<Exclude<ProgramFileKind, 'prg'>, string>

const idle = idleStatus('Built-in C64')

const refused = {
  cartridge: 'The built-in C64 has no cartridge port: it runs PRG and P00 files only.',
  disk: 'The built-in C64 has no disk drive: it runs PRG and P00 files only.',
  tape: 'The built-in C64 has no tape: it runs PRG and P00 files only.',
  snapshot: 'The built-in C64 loads no snapshots of VICE: it runs PRG and P00 files only.',
  music: 'The built-in C64 makes no sound: it runs PRG and P00 files only.',
} as const satisfies Record<Exclude<ProgramFileKind, 'prg'>, string>

/** ms that the worker may take to save its state when stopped. */
const STOP_DEADLINE_MS = 2_000

export class BuiltinMachine implements Machine, Offering<Offered> {
  readonly name = 'builtin'
  readonly kind = 'builtin'
  readonly afterLoss = 'resumed'
  readonly unsupported = unsupported
  readonly #options: BuiltinOptions
  #status = idle
  readonly #statusListeners = new Listeners()
  readonly #sampleListeners = new Listeners<Sample>()
  readonly onStatus = this.#statusListeners.add
  readonly onSample = this.#sampleListeners.add
  #checkpoints: KeptCheckpoints | undefined
  #worker: RunningWorker<BuiltinChannel> | undefined
  #hasBasic = true

  constructor(options: BuiltinOptions) {
    this.#options = options
  }

  get status(): MachineStatus {
    return this.#status
  }

  async connect(signal: AbortSignal): Promise<void> {
    if (this.#worker) return
    if (signal.aborted) throw new AppError('CANCELLED', 'The built-in C64 was not started.')
    this.#setStatus({ ...idle, connection: 'connecting' })
    const { workerPath, resources, roms, standard, models, history, statePath, autorun } = this.#options
    const worker = startWorker(builtinProtocol, workerPath, {
      notices: {
        status: (status) => this.#setStatus({ ...this.#status, ...status }),
        notice: (notice) => this.#setStatus({ ...this.#status, notices: [...this.#status.notices, notice] }),
        checkpoints: (kept) => (this.#checkpoints = kept),
        sample: (sample) => this.#sampleListeners.notify(toSample(sample)),
      },
      onLost: ({ message }) => {
        this.#worker = undefined
        this.#setStatus({
          ...idle,
          connection: 'lost',
          reason: message,
          hint: 'Connect again; it resumes from its last saved state.',
        })
      },
    })
    this.#worker = worker
    try {
      const kept = { statePath, autorun, checkpoints: this.#checkpoints }
      const input = { resources, roms, standard, models, history, ...kept }
      const { notices, hasBasic } = await this.#call('start', input, signal)
      this.#hasBasic = hasBasic
      this.#setStatus({ ...this.#status, connection: 'live', notices })
    } catch (error) {
      await this.#end(worker, error instanceof AppError ? { reason: error.message, hint: error.hint ?? null } : {})
      throw error
    }
  }

  async disconnect(): Promise<void> {
    const worker = this.#worker
    if (!worker) {
      this.#setStatus(idle)
      return
    }
    // A worker that does not answer loses its last second; the state saved before that remains.
    await this.#call('stop', {}, AbortSignal.timeout(STOP_DEADLINE_MS)).catch(() => undefined)
    await this.#end(worker, null)
  }

  async setSampling({ mode, rate, spaces, picture }: SampleRequest): Promise<void> {
    await this.#call('setSampling', { mode, rate, spaces: [...spaces], picture })
  }

  readMemory({ space, address, length }: MemoryRange, signal: AbortSignal): Promise<Uint8Array> {
    return this.#call('readMemory', { space, address, length }, signal)
  }

  async writeMemory(space: Space, address: number, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    await this.#call('writeMemory', { space, address, bytes }, signal)
  }

  async writeRuns(runs: readonly MemoryRun[], signal: AbortSignal): Promise<void> {
    await Promise.all(runs.map(({ space, address, bytes }) => this.writeMemory(space, address, bytes, signal)))
  }

  readonly execution: ExecutionControl = {
    pause: (signal) => this.#send('pause', {}, signal),
    resume: (signal) => this.#send('resume', {}, signal),
    reset: (kind, signal) => this.#send('reset', { kind }, signal),
  }

  readonly stepping: SteppingControl = {
    step: (count, over, signal) => this.#send('step', { count, over }, signal),
    runTo: (to, signal) => this.#send('runTo', { to }, signal),
  }

  readonly registers: RegisterAccess = {
    read: (signal): Promise<Register[]> => this.#call('readRegisters', {}, signal),
    write: (name, value, signal): Promise<Register[]> => this.#call('writeRegister', { name, value }, signal),
  }

  readonly speed: SpeedControl = {
    setWarp: (warp, signal) => this.#send('setWarp', { warp }, signal),
    setStandard: (standard, signal) => this.#send('setStandard', { standard }, signal),
  }

  readonly programs: ProgramControl = {
    refuses: () => refused,
    hasBasic: () => this.#hasBasic,
    run: async ({ name, bytes }, signal) => {
      requireProgram(name)
      return (await this.#call('runProgram', { bytes }, signal)).started
    },
  }

  readonly typing: TypingControl = {
    /** Resolves when the text is queued; the machine reads it ten characters at a time. */
    typeText: (text, signal) => this.#send('typeText', { text }, signal),
  }

  readonly keys: KeyControl = {
    setKeys: (keys, signal) => this.#send('setKeys', { keys: [...keys] }, signal),
  }

  readonly joystick: JoystickControl = {
    setJoystick: (port, inputs, signal) => this.#send('setJoystick', { port, inputs: [...inputs] }, signal),
  }

  readonly display: DisplayAccess = {
    read: (signal): Promise<Picture> => this.#call('picture', {}, signal),
  }

  readonly checkpoints: CheckpointControl = {
    list: (signal): Promise<Checkpoint[]> => this.#call('listCheckpoints', {}, signal),
    set: (checkpoint, signal) => this.#call('setCheckpoint', checkpoint, signal),
    delete: (number, signal) => this.#send('deleteCheckpoint', { number }, signal),
    enable: (number, enabled, signal) => this.#send('enableCheckpoint', { number, enabled }, signal),
  }

  readonly checkpointLog: CheckpointLogAccess = {
    read: (after, signal): Promise<Logged[]> => this.#call('checkpointLog', { after }, signal),
  }

  readonly slowMotion: SlowMotionControl = { run: (slow, signal) => this.#send('slowly', slow, signal) }

  readonly tracing: TracingControl = {
    trace: (count, frames, signal): Promise<Trace> => this.#call('trace', { count, frames }, signal),
  }

  readonly interrupts: InterruptAccess = {
    follow: (frames, signal): Promise<Interrupts> => this.#call('interrupts', { frames }, signal),
  }

  readonly videoFrames: VideoFrameAccess = {
    follow: (signal): Promise<VideoFrame> => this.#call('videoFrame', {}, signal),
  }

  readonly rasterFrames: RasterFrameAccess = {
    follow: (signal): Promise<RasterFrame> => this.#call('rasterFrame', {}, signal),
  }

  readonly profiling: ProfilingControl = {
    profile: (frames, signal): Promise<Profile> => this.#call('profile', { frames }, signal),
    coverage: (seconds, signal) => this.#call('coverage', { seconds }, signal),
  }

  readonly timeTravel: TimeTravelControl = {
    goTo: (beforeEnd, signal) => this.#send('goTo', { beforeEnd }, signal),
    back: (unit, count, signal) => this.#send('back', { unit, count }, signal),
    toCheckpoint: (signal) => this.#send('toCheckpoint', {}, signal),
    toWrite: (address, signal) => this.#send('toWrite', { address }, signal),
    toLeftFuture: (signal) => this.#send('toLeftFuture', {}, signal),
    byteHistory: (address, signal) => this.#call('byteHistory', { address }, signal),
    inputs: (signal) => this.#call('pastInputs', {}, signal),
    point: (signal) => this.#call('pastPoint', {}, signal),
    returnTo: (point, signal) => this.#send('returnTo', point, signal),
  }

  readonly state: StateControl = {
    save: (past, signal) => this.#call('saveState', { past }, signal),
    load: (state, signal) => this.#send('loadState', { state }, signal),
  }

  async #send<Name extends RequestName<BuiltinChannel>>(
    name: Name,
    input: RequestInput<BuiltinChannel, Name>,
    signal: AbortSignal,
  ): Promise<void> {
    await this.#call(name, input, signal)
  }

  async #call<Name extends RequestName<BuiltinChannel>>(
    name: Name,
    input: RequestInput<BuiltinChannel, Name>,
    signal?: AbortSignal,
  ): Promise<RequestOutput<BuiltinChannel, Name>> {
    if (!this.#worker) throw new AppError('LOST', 'The built-in C64 is not running.', { hint: 'Connect it.' })
    return this.#worker.call(name, input, { signal })
  }

  async #end(
    worker: RunningWorker<BuiltinChannel>,
    lost: Pick<MachineStatus, 'reason' | 'hint'> | Record<string, never> | null,
  ): Promise<void> {
    if (worker === this.#worker) this.#worker = undefined
    await worker.end(new AppError('LOST', 'The built-in C64 was disconnected.'))
    this.#setStatus(lost === null ? idle : { ...idle, connection: 'lost', ...lost })
  }

  #setStatus(status: MachineStatus): void {
    this.#status = status
    this.#statusListeners.notify()
  }
}

function toSample(sample: WorkerSample): Sample {
  // Taken between two emulated frames: no time passes in the C64.
  return { ...sample, cost: 0 }
}

function requireProgram(name: string): void {
  const kind = programFileKindOf(name)
  if (kind === 'prg') return
  if (kind !== undefined)
    throw new AppError('UNSUPPORTED', `${name} was not run. ${refused[kind]}`, { hint: elsewhere[kind] })
  throw new AppError('INVALID', `${name} is not a C64 program.`, {
    hint: 'Choose a PRG or P00 file.',
  })
}
