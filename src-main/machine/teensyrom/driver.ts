/** A TeensyROM in a real C64's expansion port, by USB or in the network; a TeensyROM+ reads and writes the C64's memory. */
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, toFailure } from '@shared/contract/errors'
import type { MachineFile, MachineState } from '@shared/contract/machine'
import type { LinkAddress } from '@shared/contract/machineName'
import type { Space } from '@shared/contract/memory'
import { open } from '../bytestream/open'
import { Connection } from '../connection'
import { checkReachable, checkSideEffects, typeThroughBuffer } from '../cpuView'
import { HardwareSampler } from '../hardwareSampler'
import { Listeners } from '../listeners'
import type { ExecutionControl, FileControl, Offering, TypingControl, Unsupported, ProgramControl } from '../facets'
import type { Machine, MachineStatus, MemoryRange, Sample, SampleRequest } from '../machine'
import type { ReadCosts } from '../readPlan'
import { TeensyRomClient } from './client'
import { isAtLeast, LONGEST_SEGMENT, type Drive, type Version } from './codec'
import { runProgram } from './programs'

export interface TeensyRomOptions {
  readonly name: string
  readonly link: LinkAddress
  /** What the person allows sampling: a share of the machine's time, and reading registers whose read changes the machine. */
  readonly allowed: () => { readonly budget: number; readonly sideEffects: boolean }
}

/** A DMA halts the CPU for 0.97 µs a byte and some 75 cycles on top; the line carries far more than that. */
const costs: ReadCosts = { cyclesPerStop: 80, cyclesPerByte: 1, gapWorthBridging: 0, longestRead: LONGEST_SEGMENT }

/** How often a device that went silent is asked whether it is back, ms. */
const ASK_AGAIN = 1_000

/** A device that boots says more than one thing: so many times it is asked what it is. */
const ATTEMPTS = 3

/** From here on a read no longer waits for ever where the screen is blanked. */
const SAFE_WITH_BLANK_SCREEN = [0, 8]

const nothingWished: SampleRequest = { mode: 'off', rate: 0, spaces: [], picture: false }

type Offered =
  'readMemory' | 'writeMemory' | 'pause' | 'reset' | 'runProgram' | 'typeText' | 'files' | 'folders' | 'runFile'

const general: Unsupported<Offered> = {
  ramUnderRom: 'TeensyROM reads memory as the CPU sees it at that moment: RAM under ROM and I/O cannot be reached.',
  registers: 'TeensyROM does not tell the CPU’s registers.',
  setRegisters: 'TeensyROM cannot set the CPU’s registers.',
  step: 'TeensyROM stops the CPU, but cannot let it go on for one instruction.',
  warp: 'A real machine has one speed.',
  standard: 'A real machine is PAL or NTSC by its chips.',
  keyMatrix: 'TeensyROM takes typed text only; it cannot hold a key down.',
  joystick: 'TeensyROM is not connected to the joystick ports.',
  picture: 'TeensyROM does not see the C64’s picture; what the VIC-II makes of memory goes to the monitor only.',
  lockStep: 'A real machine does not wait for its frames to be looked at.',
  checkpoints: 'TeensyROM cannot stop the CPU at an address.',
  checkpointConditions: 'TeensyROM cannot stop the CPU at an address.',
  saveState: 'The state of a real machine’s chips cannot be read out.',
  resources: 'TeensyROM’s settings are in its own menu.',
  quit: 'A real machine is not a program that can be quit.',
  reboot: 'TeensyROM starts anew with a reset.',
  powerOff: 'TeensyROM cannot switch the C64 off.',
  menuButton: 'A reset brings TeensyROM’s menu.',
  drives: 'Bridgedeck works the drives of an Ultimate only.',
  configuration: 'TeensyROM’s settings are in its own menu.',
  createImage: 'TeensyROM does not create disk images.',
  videoStream: 'TeensyROM does not see the C64’s picture.',
  audioStream: 'TeensyROM does not hear the C64’s sound.',
  debugStream: 'Only an Ultimate 64 tells every access of its bus.',
}

export const createTeensyRomMachine = (options: TeensyRomOptions): Machine => new TeensyRomMachine(options)

interface Session {
  readonly client: TeensyRomClient
  readonly firmware: 'full' | 'minimal'
  readonly version: Version
  /** Why it reads no memory; null where it does. */
  readonly noMemory: string | null
}

class TeensyRomMachine implements Machine, Offering<Offered> {
  readonly kind = 'teensyrom'
  readonly name: string
  readonly #options: TeensyRomOptions
  readonly #status = new Listeners()
  readonly #samples = new Listeners<Sample>()
  readonly onStatus = this.#status.add
  readonly onSample = this.#samples.add
  #session: Session | undefined
  #sampler: HardwareSampler | undefined
  #wish = nothingWished
  readonly #connection = new Connection(() => this.#status.notify())
  #execution: MachineState['execution'] = 'unknown'

  readonly execution: ExecutionControl
  readonly programs: ProgramControl
  readonly typing: TypingControl
  readonly files: FileControl

  constructor(options: TeensyRomOptions) {
    this.name = options.name
    this.#options = options
    this.execution = this.#executionControl()
    this.programs = {
      run: async (program, signal) => {
        await runProgram(this.#live.client, program, signal)
        this.#setExecution('running')
      },
    }
    this.typing = {
      typeText: (text, signal) => {
        const { client } = this.#withMemory
        return typeThroughBuffer(text, client, signal)
      },
    }
    this.files = {
      list: (path, signal) => this.#listFiles(path, signal),
      run: async (path, signal) => {
        const place = placeOf(path)
        if (!place) throw noStorage(path)
        await this.#live.client.launch(place.drive, place.path, signal)
        this.#setExecution('running')
      },
    }
  }

  get status(): MachineStatus {
    const session = this.#session
    const silence = session?.client.silence ?? null
    return {
      title: this.#title,
      connection: this.#connection.state === 'live' && silence ? 'stale' : this.#connection.state,
      reason: silence?.message ?? this.#connection.reason,
      hint: silence ? (silence.hint ?? null) : this.#connection.hint,
      execution: session && !silence ? this.#execution : 'unknown',
      standard: session?.version.standard ?? null,
      speed: null,
      warp: false,
      version: session?.version.text ?? null,
      notices: session ? noticesOf(session) : [],
    }
  }

  get unsupported(): Offering<Offered>['unsupported'] {
    const noMemory = this.#session?.noMemory ?? null
    if (noMemory === null) return general
    return {
      ...general,
      readMemory: noMemory,
      writeMemory: noMemory,
      typeText: `Text goes through the C64’s memory. ${noMemory}`,
      ...minimalLimits(this.#session),
    }
  }

  async connect(signal: AbortSignal): Promise<void> {
    if (this.#session) return
    await this.#connection.attempt(async () => {
      await this.#begin(signal)
    })
  }

  async disconnect(): Promise<void> {
    const session = this.#session
    this.#session = undefined
    await this.#endSampling()
    await session?.client.close()
    this.#connection.set('idle')
  }

  async wake(signal: AbortSignal): Promise<void> {
    const session = this.#live
    // Nothing that was read before is known any more.
    await this.#endSampling()
    try {
      await session.client.firmware(signal)
    } catch (error) {
      if (this.#session !== session) throw error
      this.#lose(
        new AppError('LOST', `${this.#title} does not answer since this computer slept.`, {
          hint: 'It is connected anew by itself.',
        }),
      )
      void session.client.close()
      throw error
    }
    if (this.#session !== session || session.noMemory !== null) return
    this.#sampler = this.#createSampler(session.client)
    this.#sampler.set(this.#wish)
  }

  async setSampling(wish: SampleRequest): Promise<void> {
    this.#wish = wish
    this.#sampler?.set(wish)
  }

  async readMemory({ space, address, length }: MemoryRange, signal: AbortSignal): Promise<Uint8Array> {
    checkReachable('TeensyROM', space, address, length, 'read')
    if (!this.#options.allowed().sideEffects) checkSideEffects(address, length)
    const bytes = await this.#withMemory.client.read(address, length, signal)
    return space === 'colorRam' ? bytes.map((byte) => byte & 0x0f) : bytes
  }

  async writeMemory(space: Space, address: number, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    checkReachable('TeensyROM', space, address, bytes.length, 'write')
    await this.#withMemory.client.write(address, bytes, signal)
    const written = [{ space: 'cpu', address, length: bytes.length } as const]
    if (this.#wish.mode === 'off' || this.#execution === 'paused') await this.#sampler?.sampleNow(written)
    else this.#sampler?.refresh(written)
  }

  // Connection

  async #begin(signal: AbortSignal): Promise<void> {
    const stream = await open(this.#options.link, signal)
    const client = new TeensyRomClient(stream, this.#where)
    try {
      this.#session = await identify(client, this.#where, signal)
    } catch (error) {
      await client.close()
      throw error
    }
    this.#execution = 'unknown'
    if (this.#session.noMemory === null) this.#sampler = this.#createSampler(client)
    this.#connection.set('live')
    client.onSilence((silence) => this.#onSilence(client, silence))
    // Last: it may have ended already.
    stream.onClose((reason) => this.#lose(reason))
  }

  #lose(reason: AppError): void {
    if (!this.#session) return
    this.#session = undefined
    void this.#endSampling()
    this.#connection.set('lost', reason.message, reason.hint)
  }

  #onSilence(client: TeensyRomClient, silence: AppError | null): void {
    if (silence) void this.#askUntilItAnswers(client)
    this.#status.notify()
  }

  /** Whoever else gets an answer from it ends the silence as well. */
  async #askUntilItAnswers(client: TeensyRomClient): Promise<void> {
    while (this.#session?.client === client && client.silence) {
      await sleep(ASK_AGAIN, undefined, { ref: false })
      await client.firmware(new AbortController().signal).catch(() => undefined)
    }
  }

  async #endSampling(): Promise<void> {
    const sampler = this.#sampler
    this.#sampler = undefined
    await sampler?.stop()
  }

  #createSampler(client: TeensyRomClient): HardwareSampler {
    return new HardwareSampler({
      read: ({ address, length }, signal) => client.read(address, length, signal),
      spaces: ['cpu'],
      costs,
      allowed: this.#options.allowed,
      standard: () => this.#session?.version.standard ?? null,
      halted: () => this.#execution === 'paused',
      emit: (sample) => {
        this.#setReason(null)
        this.#samples.notify(sample)
      },
      onError: (error) => {
        // Silence and loss show by themselves.
        const { code, message, hint } = toFailure(error)
        if (code !== 'TIMEOUT' && code !== 'LOST') this.#setReason(message, hint)
      },
    })
  }

  get #live(): Session {
    if (this.#session) return this.#session
    throw this.#connection.missing(this.#title)
  }

  get #withMemory(): Session {
    const session = this.#live
    if (session.noMemory !== null)
      throw new AppError('UNSUPPORTED', session.noMemory, { details: { capability: 'readMemory' } })
    return session
  }

  get #where(): string {
    const { link } = this.#options
    return link.kind === 'serial'
      ? link.device
      : `${link.host.includes(':') ? `[${link.host}]` : link.host}:${link.port}`
  }

  get #title(): string {
    return `TeensyROM at ${this.#where}`
  }

  #setReason(reason: string | null, hint: string | null = null): void {
    if (this.#connection.reason !== reason) this.#connection.set(this.#connection.state, reason, hint)
  }

  #setExecution(execution: MachineState['execution']): void {
    this.#execution = execution
    this.#status.notify()
  }

  // Facets

  #executionControl(): ExecutionControl {
    return {
      pause: async (signal) => {
        await this.#live.client.pause(true, signal)
        this.#setExecution('paused')
        await this.#sampler?.sampleNow()
      },
      resume: async (signal) => {
        await this.#live.client.pause(false, signal)
        this.#setExecution('running')
      },
      reset: async (kind, signal) => {
        if (kind === 'power') {
          throw new AppError('UNSUPPORTED', 'TeensyROM cannot switch the C64 off and on.', {
            hint: 'Reset it, or use its own switch.',
          })
        }
        await this.#live.client.reset(signal)
        this.#setExecution('running')
      },
    }
  }

  async #listFiles(path: string, signal: AbortSignal): Promise<MachineFile[]> {
    if (/^\/*$/.test(path))
      return [
        { name: 'sd', size: null, folder: true },
        { name: 'usb', size: null, folder: true },
      ]
    const place = placeOf(path)
    if (!place) throw noStorage(path)
    return this.#live.client.listDirectory(place.drive, place.path, signal)
  }
}

/** Its storage and the path there; undefined where the path begins with neither. */
function placeOf(path: string): { readonly drive: Drive; readonly path: string } | undefined {
  const [, top, rest = ''] = /^\/*([^/]*)(.*)$/.exec(path) ?? []
  return top === 'sd' || top === 'usb' ? { drive: top, path: rest === '' ? '/' : rest } : undefined
}

const noStorage = (path: string): AppError =>
  new AppError('NOT_FOUND', `TeensyROM has no storage that ${path.slice(0, 40)} could be on.`, {
    hint: 'Its folders are below /sd and /usb.',
  })

/** Asks what it is. Throws UNREACHABLE where something else answers, TIMEOUT where nothing does. */
async function identify(client: TeensyRomClient, where: string, signal: AbortSignal): Promise<Session> {
  try {
    await client.settle(signal)
    const firmware = await insist(client, signal, () => client.firmware(signal))
    const version = await insist(client, signal, () => client.version(signal))
    const noMemory =
      firmware === 'minimal' ? MINIMAL : await insist(client, signal, () => findMemoryLimit(client, version, signal))
    return { client, firmware, version, noMemory }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'CONFLICT') throw error
    throw new AppError('UNREACHABLE', `What answers at ${where} is not a TeensyROM.`, {
      hint: 'Check the port or the address.',
      cause: error,
    })
  }
}

/** While the device boots it says things by itself: a question is asked again. */
async function insist<Result>(
  client: TeensyRomClient,
  signal: AbortSignal,
  ask: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask()
    } catch (error) {
      const isWorthAsking = error instanceof AppError && (error.code === 'TIMEOUT' || error.code === 'CONFLICT')
      if (!isWorthAsking || attempt === ATTEMPTS) throw error
      await client.settle(signal)
    }
  }
}

const MINIMAL =
  'A large cartridge runs, and with it TeensyROM’s minimal firmware, which has no access to memory or files: reset the C64 to its menu, and connect again.'

const minimalLimits = (session: Session | undefined): Partial<Record<Offered, string>> =>
  session?.firmware === 'minimal' ? { files: MINIMAL, folders: MINIMAL, runFile: MINIMAL, pause: MINIMAL } : {}

async function findMemoryLimit(client: TeensyRomClient, version: Version, signal: AbortSignal): Promise<string | null> {
  const said = await client.probeMemory(signal)
  if (said === null) return null
  const isPlus = version.text.includes('+')
  const why = isPlus ? 'this firmware does not read memory; 0.7.2.5 and later do' : 'reading memory takes a TeensyROM+'
  return `${version.text || 'This TeensyROM'} has no access to the C64’s memory: ${why}.`
}

function noticesOf({ version, noMemory }: Session): string[] {
  const notices: string[] = []
  if (noMemory === null && !isAtLeast(version, SAFE_WITH_BLANK_SCREEN)) {
    notices.push(
      'With TeensyROM firmware before 0.8, reading memory while a program has the screen blanked can hang the C64 until it is switched off: turn sampling off for such programs.',
    )
  }
  if (version.isC128)
    notices.push('This is a C128: TeensyROM’s writes to its memory are known to go wrong now and then.')
  return notices
}
