import { AppError } from '@shared/contract/errors'
import type { MemoryRun, Space } from '@shared/contract/memory'
import { DeviceMachine } from '../deviceMachine'
import type {
  CheckpointControl,
  CheckpointLogAccess,
  DisplayAccess,
  DriveMemoryAccess,
  ExecutionControl,
  InterruptAccess,
  JoystickControl,
  Offering,
  ProcessControl,
  ProgramControl,
  RegisterAccess,
  ResourceAccess,
  SpeedControl,
  SteppingControl,
  TracingControl,
  TypingControl,
  VideoFrameAccess,
  WriteNotes,
} from '../facets'
import type { Machine, MachineStatus, MemoryRange, SampleRequest } from '../machine'
import type { Notes } from '../notes'
import { checkEnd, romIsReadOnly } from '../refusals'
import { MonitorClient, type MonitorAddress } from './client'
import { ping } from './commands'
import {
  checkpointControl,
  checkpointLogAccess,
  displayAccess,
  executionControl,
  interruptAccess,
  joystickControl,
  programControl,
  registerAccess,
  resourceAccess,
  speedControl,
  steppingControl,
  tracingControl,
  writeNotes,
  typingControl,
  videoFrameAccess,
  type LiveVice,
} from './facets'
import { driveMemoryAccess } from './driveMemory'
import { Heartbeat } from './heartbeat'
import { findListener, processTime } from './processTime'
import { adoptVice, startVice, type ViceProcess, type ViceProcessOptions } from './process'
import { Sampler } from './sampler'
import { Session } from './session'
import { unsupportedByVice, type ViceCapability } from './capabilities'

export interface ViceMachineOptions {
  readonly name: string
  /** Null starts one. */
  readonly attach: MonitorAddress | null
  readonly process: () => ViceProcessOptions
  readonly adopt: { readonly pid: number; readonly port: number } | null
  readonly notes: Notes
}

const CLOSE_DEADLINE_MS = 3_000

/** ms: writes this close together share a sample, taken at the latest this long after the first. */
const WRITES_IN_A_ROW_MS = 150
const MAX_UNSEEN_MS = 500

export const createViceMachine = (options: ViceMachineOptions): Machine => new ViceMachine(options)

class ViceMachine extends DeviceMachine<Session, Sampler> implements Offering<ViceCapability> {
  readonly kind = 'vice'
  readonly #options: ViceMachineOptions
  #adopt: ViceMachineOptions['adopt']
  #process: ViceProcess | undefined
  #sampleTimer: NodeJS.Timeout | undefined
  #unseenSince: number | undefined

  readonly execution: ExecutionControl
  readonly stepping: SteppingControl
  readonly tracing: TracingControl
  readonly interrupts: InterruptAccess
  readonly videoFrames: VideoFrameAccess
  readonly driveMemory: DriveMemoryAccess
  readonly registers: RegisterAccess
  readonly speed: SpeedControl
  readonly programs: ProgramControl
  readonly typing: TypingControl
  readonly joystick: JoystickControl
  readonly display: DisplayAccess
  readonly checkpoints: CheckpointControl
  readonly checkpointLog: CheckpointLogAccess
  readonly writeNotes: WriteNotes
  readonly resources: ResourceAccess
  readonly process: ProcessControl

  constructor(options: ViceMachineOptions) {
    super(options.name)
    this.#options = options
    this.#adopt = options.adopt
    const vice: LiveVice = {
      session: () => this.live,
      sampler: () => this.sampler,
      hasCommodoreRoms: () => this.#process?.hasCommodoreRoms !== false,
      sampleIfStopped: () => this.#sampleIfStopped(),
      changed: () => this.changed(),
    }
    this.execution = executionControl(vice)
    this.stepping = steppingControl(vice)
    this.tracing = tracingControl(vice)
    this.interrupts = interruptAccess(vice)
    this.videoFrames = videoFrameAccess(vice)
    this.driveMemory = driveMemoryAccess(() => vice.session())
    this.registers = registerAccess(vice)
    this.speed = speedControl(vice)
    this.programs = programControl(vice)
    this.typing = typingControl(vice)
    this.joystick = joystickControl(vice)
    this.display = displayAccess(vice)
    this.checkpoints = checkpointControl(vice)
    this.checkpointLog = checkpointLogAccess(vice)
    this.writeNotes = writeNotes(vice)
    this.resources = resourceAccess(vice)
    this.process = { quit: (signal) => this.#quit(signal) }
  }

  get unsupported(): Offering<ViceCapability>['unsupported'] {
    return {
      ...unsupportedByVice,
      ...(this.session?.client.api === 1 ? { joystick: 'Joysticks need VICE 3.6 or later.' } : {}),
      ...(this.#isLocal
        ? {}
        : { runProgram: 'This VICE runs on another computer and cannot read the files of this one.' }),
    }
  }

  get needsConnection(): boolean {
    return this.session?.checkpoints.needUs === true
  }

  get afterLoss(): 'restarted' | 'unknown' {
    return this.#options.attach === null ? 'restarted' : 'unknown'
  }

  get samplesOnRequestOnly(): boolean {
    return this.#options.attach !== null && this.session?.isAtLeast(3, 9) === false
  }

  get samplingRisk(): string | undefined {
    return this.session && riskOf(this.session)
  }

  /** A VICE on this computer slept with it: there is nothing to confirm. */
  override async wake(signal: AbortSignal): Promise<void> {
    if (!this.#isLocal) await this.confirm(this.live, signal)
  }

  override async setSampling(request: SampleRequest): Promise<void> {
    this.setReason(null)
    await super.setSampling(request)
  }

  async readMemory({ space, address, length }: MemoryRange, signal: AbortSignal): Promise<Uint8Array> {
    checkEnd(address + length)
    const session = this.live
    return session.command((send) => session.read(send, space, address, length), signal)
  }

  async writeMemory(space: Space, address: number, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    await this.writeRuns([{ space, address, bytes }], signal)
  }

  async writeRuns(runs: readonly MemoryRun[], signal: AbortSignal): Promise<void> {
    for (const { space, address, bytes } of runs) checkWrite(space, address, bytes)
    const session = this.live
    await session.command(
      (send) => Promise.all(runs.map(({ space, address, bytes }) => session.write(send, space, address, bytes))),
      signal,
    )
    await this.#sampleWritten()
  }

  protected get title(): string {
    const { attach } = this.#options
    return attach ? `VICE at ${attach.host}:${attach.port}` : 'VICE'
  }

  protected async open(signal: AbortSignal): Promise<Session> {
    await this.#endProcess()
    try {
      return await this.#openSession(await this.#openClient(signal), signal)
    } catch (error) {
      await this.#endProcess()
      throw error
    }
  }

  protected describe(session: Session): Partial<MachineStatus> {
    const risk = riskOf(session)
    return {
      execution: session.execution,
      stop: session.stop,
      standard: session.standard,
      speed: this.sampler?.speed ?? null,
      warp: this.sampler?.warp ?? false,
      version: session.versionText,
      notices: [...this.#warnings, ...(risk === undefined ? [] : [risk])],
      warnings: this.#warnings,
      logged: session.log.count,
    }
  }

  protected createSampler(session: Session): Sampler {
    return new Sampler(session, {
      sample: (sample) => this.emit(sample),
      failure: (message) => this.setReason(`Sampling stopped: ${message}`),
    })
  }

  protected async probe(session: Session, signal: AbortSignal): Promise<void> {
    await session.command((send) => send(ping()), signal)
  }

  protected async close(session: Session | undefined): Promise<void> {
    if (this.#process) session?.abandon()
    // What cannot be restored now is restored when this VICE is attached again.
    else await session?.close(AbortSignal.timeout(CLOSE_DEADLINE_MS)).catch(() => undefined)
    await this.#endProcess()
  }

  protected abandon(session: Session): void {
    if (this.#process) session.abandon()
    else session.client.close()
  }

  async #openClient(signal: AbortSignal): Promise<MonitorClient> {
    const { attach } = this.#options
    if (attach) return MonitorClient.connect(attach, signal)
    this.#process = await this.#startOrAdopt(signal)
    return this.#process.client
  }

  async #startOrAdopt(signal: AbortSignal): Promise<ViceProcess> {
    const options = this.#options.process()
    const adopt = this.#adopt
    this.#adopt = null
    if (!adopt) return startVice(options, signal)
    try {
      return await adoptVice(adopt, options, signal)
    } catch (error) {
      if (signal.aborted) throw error
      return startVice(options, signal)
    }
  }

  async #openSession(client: MonitorClient, signal: AbortSignal): Promise<Session> {
    const { host, port } = this.#options.attach ?? { host: '127.0.0.1', port: this.#process?.port ?? 0 }
    const memory = { notes: this.#options.notes, noteName: `vice:${host}:${port}` }
    const on = { change: () => this.changed(), halt: () => void this.sampler?.once() }
    try {
      const session = await Session.open(client, memory, on, signal)
      this.#startHeartbeat(session, port)
      return session
    } catch (error) {
      client.close() // frees VICE's only connection
      throw error
    }
  }

  #startHeartbeat(session: Session, port: number): void {
    const isOld = !session.isAtLeast(3, 9)
    const pid = isOld && this.#isLocal ? findListener(port) : Promise.resolve(null)
    new Heartbeat({
      client: session.client,
      waits: () => session.runControl.isStepping,
      ask: () => session.command((send) => send(ping()), new AbortController().signal),
      disturbs: () => isOld && session.execution === 'running',
      processTime: async () => {
        const found = await pid
        return found === null ? undefined : processTime(found)
      },
    })
  }

  async #endProcess(): Promise<void> {
    const process = this.#process
    this.#process = undefined
    await process?.end()
  }

  async #quit(signal: AbortSignal): Promise<void> {
    const live = this.live
    await this.leave(async () => {
      try {
        await live.quit(signal)
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'LOST') throw error // VICE may end before it answers
      } finally {
        live.abandon()
        await this.#endProcess()
      }
    }, 'VICE was quit.')
  }

  get #isLocal(): boolean {
    const { attach } = this.#options
    return attach === null || /^(localhost|::1|127\.[\d.]+)$/i.test(attach.host)
  }

  get #warnings(): string[] {
    return this.#process?.hasCommodoreRoms === false
      ? ['This VICE has no Commodore ROMs and uses Bridgedeck’s own: programs (PRG) run, BASIC and disks do not.']
      : []
  }

  /**
   * A running machine takes each command only at the end of a frame, so a write does not wait for the sample as well.
   */
  async #sampleWritten(): Promise<void> {
    if (this.session?.execution !== 'running') await this.sampler?.once()
    else if (this.request.mode === 'off') {
      const now = performance.now()
      this.#unseenSince ??= now
      clearTimeout(this.#sampleTimer)
      const delay = Math.min(WRITES_IN_A_ROW_MS, this.#unseenSince + MAX_UNSEEN_MS - now)
      this.#sampleTimer = setTimeout(() => this.#sampleLater(), delay)
    }
  }

  #sampleLater(): void {
    this.#unseenSince = undefined
    void this.sampler?.once()
  }

  async #sampleIfStopped(): Promise<void> {
    if (this.session?.execution !== 'running' || this.request.mode === 'off') await this.sampler?.once()
  }
}

const riskOf = (session: Session): string | undefined =>
  session.isAtLeast(3, 9) ? undefined : `${session.versionText} may glitch while watched; VICE 3.9 does not.`

function checkWrite(space: Space, address: number, bytes: Uint8Array): void {
  const end = address + bytes.length
  if (bytes.length === 0) throw new AppError('INVALID', 'There is nothing to write.')
  checkEnd(end)
  if (space === 'rom') throw romIsReadOnly()
  if (space === 'io' && (address < 0xd000 || end > 0xe000))
    throw new AppError('INVALID', 'The I/O registers are at $D000 to $DFFF.')
  if (space === 'colorRam' && (address < 0xd800 || end > 0xdc00))
    throw new AppError('INVALID', 'Colour RAM is at $D800 to $DBFF.')
}
