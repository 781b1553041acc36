/** The driver for VICE: one that we start, or one that runs already with its binary monitor open. */
import { AppError } from '@shared/contract/errors'
import type { VideoStandard } from '@shared/contract/machine'
import type { Register, Space } from '@shared/contract/memory'
import type { JoystickInput } from '@shared/c64/keyboardMatrix'
import { textToPetscii } from '@shared/c64/petscii'
import { parsePrg } from '@shared/c64/prg'
import type {
  CheckpointControl,
  DisplayAccess,
  ExecutionControl,
  JoystickControl,
  Offering,
  SteppingControl,
  TypingControl,
  Unsupported,
  ProcessControl,
  ProgramControl,
  RegisterAccess,
  ResourceAccess,
  SpeedControl,
} from '../facets'
import type { Machine, MachineStatus, MemoryRange, Sample, SampleRequest } from '../machine'
import { Connection } from '../connection'
import { unsupportedByEmulators } from '../unsupported'
import { Listeners } from '../listeners'
import { MonitorClient, type MonitorAddress } from './client'
import {
  autostart,
  feedKeyboard,
  getResource,
  ping,
  readPalette,
  readRegisters,
  setJoyport,
  setResource,
  writeRegister,
} from './codec'
import { adoptVice, startVice, type ViceProcess, type ViceProcessOptions } from './process'
import { nothingWished, Sampler } from './sampler'
import { Session, type Notes } from './session'

export interface ViceMachineOptions {
  readonly name: string
  /** Where a VICE listens already; null starts one. */
  readonly attach: MonitorAddress | null
  /** How to start one; asked at each start, so that changed settings count. */
  readonly process: () => ViceProcessOptions
  /** A VICE of ours that still runs from before a crash, to go on with. */
  readonly adopt: { readonly pid: number; readonly port: number } | null
  readonly notes: Notes
}

/** How long a VICE may take for what is more than a look or a poke, ms. */
const LONG_DEADLINE = 4_000
/** How long leaving may take, ms. */
const CLOSE_DEADLINE = 3_000

/** The I/O simulation, which takes the joystick's lines from the monitor. */
const SIMULATED_JOYSTICK = 37

/** Bits of the control port, low when pressed. */
const joystickBits: Record<JoystickInput, number> = { up: 1, down: 2, left: 4, right: 8, fire: 16 }
const ALL_LINES = 0xff

/** VICE's keyboard queue takes this much at a time. */
const FEED_PIECE = 255

type Offered =
  | 'readMemory'
  | 'writeMemory'
  | 'ramUnderRom'
  | 'registers'
  | 'setRegisters'
  | 'pause'
  | 'step'
  | 'reset'
  | 'warp'
  | 'standard'
  | 'runProgram'
  | 'typeText'
  | 'joystick'
  | 'picture'
  | 'lockStep'
  | 'checkpoints'
  | 'checkpointConditions'
  | 'resources'
  | 'quit'

const general: Unsupported<Offered> = {
  keyMatrix: 'VICE’s monitor takes typed text only; it cannot hold a key down.',
  saveState: 'VICE writes its snapshots to its own computer’s disk and does not hand them over.',
  ...unsupportedByEmulators,
}

const diskOrTape = /\.(d64|d71|d80|d81|d82|g64|g71|p64|x64|nib|t64|tap|lnx)$/i
const cartridge = /\.crt$/i

export const createViceMachine = (options: ViceMachineOptions): Machine => new ViceMachine(options)

class ViceMachine implements Machine, Offering<Offered> {
  readonly kind = 'vice'
  readonly name: string
  readonly #options: ViceMachineOptions
  #adopt: ViceMachineOptions['adopt']
  readonly #statusListeners = new Listeners()
  readonly #sampleListeners = new Listeners<Sample>()
  readonly onStatus = this.#statusListeners.add
  readonly onSample = this.#sampleListeners.add
  #wish = nothingWished
  readonly #connection = new Connection(() => {
    this.#failure = null
    this.#changed()
  })
  #failure: string | null = null
  #session: Session | undefined
  #sampler: Sampler | undefined
  #process: ViceProcess | undefined

  readonly execution: ExecutionControl
  readonly registers: RegisterAccess
  readonly speed: SpeedControl
  readonly programs: ProgramControl
  readonly stepping: SteppingControl
  readonly typing: TypingControl
  readonly joystick: JoystickControl
  readonly display: DisplayAccess
  readonly checkpoints: CheckpointControl
  readonly resources: ResourceAccess
  readonly process: ProcessControl

  constructor(options: ViceMachineOptions) {
    this.name = options.name
    this.#options = options
    this.#adopt = options.adopt
    this.execution = this.#executionControl()
    this.registers = this.#registerAccess()
    this.speed = this.#speedControl()
    this.programs = { run: (program, signal) => this.#run(program, signal) }
    this.stepping = this.#steppingControl()
    this.typing = this.#typingControl()
    this.joystick = this.#joystickControl()
    this.display = {
      read: async (signal) => {
        const session = this.#live
        return session.command((send) => session.picture(send), signal)
      },
      palette: async (signal) => {
        // VICE 3.5 has no command for it.
        if (this.#live.client.api === 1) return null
        return this.#live.command((send) => send(readPalette()), signal)
      },
    }
    this.checkpoints = {
      list: (signal) => this.#live.listCheckpoints(signal),
      set: (checkpoint, signal) => this.#live.setCheckpoint(checkpoint, signal),
      delete: (number, signal) => this.#live.deleteCheckpoint(number, signal),
      enable: (number, enabled, signal) => this.#live.enableCheckpoint(number, enabled, signal),
    }
    this.resources = {
      get: (name, signal) => this.#live.command((send) => send(getResource(name)), signal),
      set: async (name, value, signal) => {
        await this.#live.command((send) => send(setResource(name, value)), signal)
        await this.#live.readStandard(signal)
      },
    }
    this.process = { quit: (signal) => this.#quit(signal) }
  }

  get status(): MachineStatus {
    const session = this.#session
    const isSilent = session?.client.silent === true
    return {
      title: this.#title,
      connection: this.#connection.state === 'live' && isSilent ? 'stale' : this.#connection.state,
      reason: isSilent
        ? 'VICE does not answer: it is paused in its own window, or shows a dialog there.'
        : (this.#failure ?? this.#connection.reason),
      hint: isSilent ? 'Let it go on in VICE’s window; Bridgedeck goes on by itself then.' : this.#connection.hint,
      execution: session ? (isSilent ? 'unknown' : session.execution) : 'unknown',
      standard: session?.standard ?? null,
      speed: this.#sampler?.speed ?? null,
      warp: this.#sampler?.warp ?? false,
      version: session?.versionText ?? null,
      notices: this.#notices,
    }
  }

  get unsupported(): Offering<Offered>['unsupported'] {
    const missing: Partial<Record<Offered, string>> = {}
    if (this.#session?.client.api === 1)
      missing.joystick = 'VICE 3.5’s monitor cannot move a joystick; 3.6 and later can.'
    if (!this.#isLocal) missing.runProgram = 'VICE runs on another computer and cannot read the files of this one.'
    return { ...general, ...missing }
  }

  /** A VICE of ours that outlived its bridge is taken over once, by the first connection. */
  get afterLoss(): 'startedAnew' | 'unknown' {
    return this.#options.attach === null ? 'startedAnew' : 'unknown'
  }

  get samplesOnRequestOnly(): boolean {
    return this.#session?.isAtLeast(3, 9) === false
  }

  async connect(signal: AbortSignal): Promise<void> {
    if (this.#session) return
    await this.#connection.attempt(async () => {
      await this.#endProcess()
      try {
        await this.#begin(await this.#openClient(signal), signal)
      } catch (error) {
        await this.#endProcess()
        throw error
      }
    })
  }

  async #endProcess(): Promise<void> {
    await this.#process?.end()
    this.#process = undefined
  }

  async disconnect(): Promise<void> {
    const session = this.#session
    const process = this.#process
    this.#session = undefined
    this.#process = undefined
    await this.#endSampling()
    if (process) session?.abandon()
    // What cannot be put back now is put back when this VICE is attached again.
    else await session?.close(AbortSignal.timeout(CLOSE_DEADLINE)).catch(() => undefined)
    await process?.end()
    this.#connection.set('idle')
  }

  /** A VICE on this computer slept with it. */
  async wake(signal: AbortSignal): Promise<void> {
    if (this.#isLocal) return
    const session = this.#live
    try {
      await session.command((send) => send(ping()), signal)
    } catch (error) {
      if (this.#session !== session) throw error
      session.client.close()
      this.#lose(
        new AppError('LOST', `${this.#title} does not answer since this computer slept.`, {
          hint: 'It is connected anew by itself.',
        }),
      )
      throw error
    }
  }

  async setSampling(wish: SampleRequest): Promise<void> {
    this.#wish = wish
    this.#failure = null
    await this.#sampler?.setWish(wish)
    this.#changed()
  }

  async readMemory({ space, address, length }: MemoryRange, signal: AbortSignal): Promise<Uint8Array> {
    if (address + length > 0x10000) throw new AppError('INVALID', 'The range goes past $FFFF.')
    const session = this.#live
    return session.command((send) => session.read(send, space, address, length), signal)
  }

  async writeMemory(space: Space, address: number, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    checkWrite(space, address, bytes)
    const session = this.#live
    await session.command((send) => session.write(send, space, address, bytes), signal)
    await this.#sampleIfStanding()
  }

  // Connection

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

  async #begin(client: MonitorClient, signal: AbortSignal): Promise<void> {
    const { host, port } = this.#options.attach ?? { host: '127.0.0.1', port: this.#process?.port ?? 0 }
    const memory = { notes: this.#options.notes, noteName: `vice:${host}:${port}` }
    const on = { change: () => this.#changed(), halt: () => void this.#sampler?.once() }
    const session = await Session.open(client, memory, on, signal).catch((error: unknown) => {
      client.close() // or it would keep VICE's only place
      throw error
    })
    client.onClose((reason) => this.#lose(reason))
    this.#session = session
    this.#sampler = new Sampler(session, {
      sample: (sample) => {
        this.#sampleListeners.notify(sample)
      },
      failure: (message) => {
        this.#failure = `Sampling stopped: ${message}`
        this.#changed()
      },
    })
    this.#connection.set('live')
  }

  #lose(reason: AppError): void {
    const session = this.#session
    if (!session) return
    this.#session = undefined
    if (this.#process) session.abandon()
    void this.#endSampling()
    this.#connection.set('lost', reason.message, reason.hint)
  }

  async #endSampling(): Promise<void> {
    const sampler = this.#sampler
    this.#sampler = undefined
    await sampler?.stop()
  }

  async #quit(signal: AbortSignal): Promise<void> {
    const session = this.#live
    this.#session = undefined
    await this.#endSampling()
    try {
      await session.quit(signal)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'LOST') throw error // it may end before its answer is out
    } finally {
      session.abandon()
      await this.#process?.end()
      this.#process = undefined
      this.#connection.set('idle', 'VICE was quit.')
    }
  }

  get #live(): Session {
    if (this.#session) return this.#session
    throw this.#notConnected()
  }

  #notConnected(): AppError {
    return this.#connection.missing(this.#title)
  }

  get #title(): string {
    const { attach } = this.#options
    return attach ? `VICE at ${attach.host}:${attach.port}` : 'VICE'
  }

  get #isLocal(): boolean {
    const { attach } = this.#options
    return attach === null || /^(localhost|::1|127\.[\d.]+)$/i.test(attach.host)
  }

  get #notices(): string[] {
    const session = this.#session
    if (!session) return []
    const notices: string[] = []
    if (!session.isAtLeast(3, 9)) {
      notices.push(
        `Live sampling starts when you ask for it: in ${session.versionText}, looking can disturb the running program, and after a register is changed the next instruction may run twice. VICE 3.9 and later have neither fault.`,
      )
    }
    if (this.#process?.hasCommodoreRoms === false) {
      notices.push(
        'This VICE has no Commodore ROMs and runs on Bridgedeck’s own: programs (PRG) start, BASIC and disks do not.',
      )
    }
    return notices
  }

  #changed(): void {
    this.#statusListeners.notify()
  }

  // Facets

  async #sampleIfStanding(): Promise<void> {
    if (this.#session?.execution !== 'running' || this.#wish.mode === 'off') await this.#sampler?.once()
  }

  #executionControl(): ExecutionControl {
    return {
      pause: async (signal) => {
        await this.#live.pause(signal)
        await this.#sampleIfStanding()
      },
      resume: (signal) => this.#live.resume(signal),
      reset: (kind, signal) => this.#live.reset(kind, signal),
    }
  }

  #registerAccess(): RegisterAccess {
    return {
      read: async (signal) => {
        const session = this.#live
        return session.nameValues(await session.command((send) => send(readRegisters()), signal))
      },
      write: async (name, value, signal) => {
        const session = this.#live
        const { id, bits } = session.registerNamed(name)
        if (name === 'LIN' || name === 'CYC')
          throw new AppError('UNSUPPORTED', `${name} is where the raster is; it cannot be set.`)
        if (value >= 2 ** bits) throw new AppError('INVALID', `${name} has ${bits} bits; ${value} does not fit.`)
        const registers: Register[] = session.nameValues(
          await session.command((send) => send(writeRegister(id, value)), signal),
        )
        await this.#sampleIfStanding()
        return registers
      },
    }
  }

  #speedControl(): SpeedControl {
    return {
      setWarp: async (warp, signal) => {
        if (!this.#sampler) throw this.#notConnected()
        await this.#sampler.setWarp(warp, signal)
        this.#changed()
      },
      setStandard: async (standard: VideoStandard, signal) => {
        const session = this.#live
        await session.command((send) => send(setResource('MachineVideoStandard', standard === 'pal' ? 1 : 2)), signal)
        await session.readStandard(signal)
      },
    }
  }

  #steppingControl(): SteppingControl {
    return {
      step: async (count, over, signal) => {
        await this.#live.step(count, over, signal, LONG_DEADLINE)
        await this.#sampleIfStanding()
      },
    }
  }

  #typingControl(): TypingControl {
    return {
      typeText: async (text, signal) => {
        const petscii = textToPetscii(text)
        const pieces = Array.from({ length: Math.ceil(petscii.length / FEED_PIECE) }, (_, index) =>
          petscii.subarray(index * FEED_PIECE, (index + 1) * FEED_PIECE),
        )
        await this.#live.command((send) => Promise.all(pieces.map((piece) => send(feedKeyboard(piece)))), signal)
      },
    }
  }

  #joystickControl(): JoystickControl {
    return {
      setJoystick: async (port, inputs, signal) => {
        const session = this.#live
        await session.borrow(`JoyPort${port}Device`, SIMULATED_JOYSTICK, signal)
        const pressed = inputs.reduce((bits, input) => bits | joystickBits[input], 0)
        await session.command((send) => send(setJoyport(port, ALL_LINES & ~pressed)), signal)
      },
    }
  }

  async #run({ name, path, bytes }: Parameters<ProgramControl['run']>[0], signal: AbortSignal): Promise<void> {
    const session = this.#live
    if (diskOrTape.test(name) || cartridge.test(name)) {
      if (this.#process?.hasCommodoreRoms === false) {
        throw new AppError('UNSUPPORTED', `${name} needs the Commodore ROMs, and this VICE has none.`, {
          hint: 'Load a PRG instead, or put the ROMs into VICE’s data folder and start it again.',
        })
      }
    } else {
      parsePrg(bytes)
    }
    await session.restart(autostart(path), signal, LONG_DEADLINE)
  }
}

function checkWrite(space: Space, address: number, bytes: Uint8Array): void {
  const end = address + bytes.length
  if (bytes.length === 0) throw new AppError('INVALID', 'There is nothing to write.')
  if (end > 0x10000) throw new AppError('INVALID', 'The range goes past $FFFF.')
  if (space === 'rom')
    throw new AppError('UNSUPPORTED', 'ROM cannot be written.', { hint: 'Write to the RAM under it (space ram).' })
  if (space === 'io' && (address < 0xd000 || end > 0xe000))
    throw new AppError('INVALID', 'The I/O registers are at $D000 to $DFFF.')
  if (space === 'colorRam' && (address < 0xd800 || end > 0xdc00))
    throw new AppError('INVALID', 'Colour RAM is at $D800 to $DBFF.')
}
