/** A C64 with our stub in its memory, on a SwiftLink or Turbo232: docs/serial-protocol.md. */
import { setTimeout as sleep } from 'node:timers/promises'
import { formatAddress } from '@shared/c64/address'
import { parsePrg } from '@shared/c64/prg'
import { AppError } from '@shared/contract/errors'
import type { LinkAddress } from '@shared/contract/machineName'
import type { Register, Space } from '@shared/contract/memory'
import { open } from '../bytestream/open'
import { Connection } from '../connection'
import { checkSideEffects, typeThroughBuffer } from '../cpuView'
import {
  idleStatus,
  type Machine,
  type MachineStatus,
  type MemoryRange,
  type Sample,
  type SampleRequest,
} from '../machine'
import { Listeners } from '../listeners'
import type { ExecutionControl, Offering, TypingControl, Unsupported, ProgramControl, RegisterAccess } from '../facets'
import { withoutStorage } from '../unsupported'
import { StubClient } from './client'
import { hold, jump, readRegisters, type CpuRegisters, type Hello } from './codec'
import { nothingWished, StubSampler } from './sampler'
import { registersOf, StubSession, withRegister } from './session'

export interface StubOptions {
  readonly name: string
  readonly link: LinkAddress
  /** What the person allows sampling: a share of the machine's time, and reading registers whose read changes the machine. */
  readonly allowed: () => { readonly budget: number; readonly sideEffects: boolean }
}

/** How often a stub that fell silent is asked whether it is back, ms. */
const RECALL = 1_000

/** How long the KERNAL may take from a reset to BASIC's prompt, and how often it is looked at, ms. */
const RESTART_DEADLINE = 8_000
const POLL = 50

/** BASIC's pointers: where its program ends (VARTAB, ARYTAB, STREND), and where LOAD said that it ends. */
const VARTAB = 0x2d
const LOAD_END = 0xae
const BASIC_START = 0x0801
/** Below are the variables of the KERNAL and BASIC, and the screen. */
const LOWEST_PROGRAM = 0x0400

type Offered =
  | 'readMemory'
  | 'writeMemory'
  | 'ramUnderRom'
  | 'registers'
  | 'setRegisters'
  | 'pause'
  | 'reset'
  | 'runProgram'
  | 'typeText'

const unsupported: Unsupported<Offered> = {
  step: 'The stub stops the program between two instructions, but cannot let it go on for one.',
  warp: 'A real machine has one speed.',
  standard: 'PAL or NTSC is soldered in.',
  keyMatrix: 'The stub types through the KERNAL’s keyboard buffer; it cannot hold a key down.',
  joystick: 'The stub has no hand on the control ports.',
  picture: 'The stub reads memory; what the VIC-II makes of it goes to the monitor only.',
  lockStep: 'A real machine does not wait for its frames to be looked at.',
  checkpoints: 'The stub cannot stop the CPU at an address.',
  checkpointConditions: 'The stub cannot stop the CPU at an address.',
  saveState: 'The state of a real machine’s chips cannot be read out.',
  resources: 'The stub has no settings; its speed is chosen when it is started.',
  quit: 'A real machine is not a program that can be quit.',
  reboot: 'A serial line does not reach the reset line or the power; a reset jumps through the KERNAL’s.',
  powerOff: 'A serial line does not reach the power.',
  menuButton: 'The menu button is the Ultimate’s.',
  drives: 'Bridgedeck works the drives of an Ultimate only.',
  configuration: 'The stub has no settings; its speed is chosen when it is started.',
  ...withoutStorage('The stub has no storage of its own.'),
  videoStream: 'A serial line is too slow for pictures.',
  audioStream: 'A serial line is too slow for sound.',
  debugStream: 'Only an Ultimate 64 tells every access of its bus.',
}

export const createStubMachine = (options: StubOptions): Machine => new StubMachine(options)

class StubMachine implements Machine, Offering<Offered> {
  readonly kind = 'stub'
  readonly name: string
  readonly unsupported = unsupported
  readonly #options: StubOptions
  readonly #status = new Listeners()
  readonly #samples = new Listeners<Sample>()
  readonly onStatus = this.#status.add
  readonly onSample = this.#samples.add
  #session: StubSession | undefined
  #sampler: StubSampler | undefined
  #wish = nothingWished
  readonly #connection = new Connection(() => this.#changed())

  readonly execution: ExecutionControl
  readonly registers: RegisterAccess
  readonly programs: ProgramControl
  readonly typing: TypingControl

  constructor(options: StubOptions) {
    this.name = options.name
    this.#options = options
    this.execution = {
      pause: (signal) => this.#setHeld(true, signal),
      resume: (signal) => this.#setHeld(false, signal),
      reset: async (kind, signal) => {
        if (kind === 'power')
          throw new AppError('UNSUPPORTED', 'The stub cannot switch the C64 off and on.', { hint: 'Use a soft reset.' })
        await this.#restart(this.#live, signal)
      },
    }
    this.registers = {
      read: async (signal) => registersOf(await this.#live.client.request(readRegisters(), signal)),
      write: (name, value, signal) => this.#setRegister(name, value, signal),
    }
    this.programs = { run: ({ name, bytes }, signal) => this.#run(name, bytes, signal) }
    this.typing = { typeText: (text, signal) => typeThroughBuffer(text, this.#ram(), signal) }
  }

  get status(): MachineStatus {
    const session = this.#session
    const base = {
      ...idleStatus(this.#title),
      connection: this.#connection.state,
      reason: this.#connection.reason,
      hint: this.#connection.hint,
    }
    if (!session) return base
    const { hello: stub, client, held } = session
    const silence = client.silent
      ? {
          connection: 'stale' as const,
          reason: 'The stub does not answer: a program has taken the NMI or the stub’s memory, or the cable is out.',
          hint: `Bridgedeck goes on by itself once it answers. On the C64, SYS ${stub.start + speedEntry(stub)} starts it again.`,
          execution: 'unknown' as const,
        }
      : { execution: held ? ('paused' as const) : ('running' as const) }
    return {
      ...base,
      ...silence,
      standard: stub.standard,
      version: `Bridgedeck’s serial stub, ${stub.baud.toLocaleString('en')} baud`,
      notices: [
        `The stub is at ${formatAddress(stub.start)} to ${formatAddress(stub.end - 1)}: a program that uses that memory ends it.`,
      ],
    }
  }

  async connect(signal: AbortSignal): Promise<void> {
    if (this.#session) return
    const { link } = this.#options
    await this.#connection.attempt(async () => {
      const stream = await open(link, signal)
      const { client, hello: stub } = await StubClient.connect(
        stream,
        link.kind === 'serial' ? link.baud : null,
        signal,
      )
      this.#begin(new StubSession(client, stub))
    })
  }

  async disconnect(): Promise<void> {
    const session = this.#session
    this.#session = undefined
    await this.#endSampling()
    // A program that we stopped must not stand still for ever.
    if (session?.held && !session.client.silent)
      await session.setHeld(false, AbortSignal.timeout(RECALL)).catch(() => undefined)
    await session?.client.close()
    this.#connection.set('idle')
  }

  async wake(signal: AbortSignal): Promise<void> {
    const session = this.#live
    // Nothing that was read before is known any more.
    await this.#endSampling()
    try {
      await session.greet(signal)
    } catch (error) {
      this.#lose(
        session,
        new AppError('LOST', `${this.#title} does not answer since this computer slept.`, {
          hint: 'It is connected anew by itself.',
        }),
      )
      throw error
    }
    if (this.#session !== session) return
    this.#sampler = this.#createSampler(session)
    this.#sampler.set(this.#wish)
  }

  async setSampling(wish: SampleRequest): Promise<void> {
    this.#wish = wish
    this.#sampler?.set(wish)
  }

  async readMemory(range: MemoryRange, signal: AbortSignal): Promise<Uint8Array> {
    const { space, address, length } = range
    const readsChips = space === 'io' || space === 'cpu' || space === 'colorRam'
    if (readsChips && !this.#options.allowed().sideEffects) checkSideEffects(address, length)
    return this.#live.read(range, signal)
  }

  async writeMemory(space: Space, address: number, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    await this.#live.write(space, address, bytes, signal)
    await this.#sampler?.sampleNow({ space, address, length: bytes.length })
  }

  // Connection

  #begin(session: StubSession): void {
    this.#session = session
    session.client.onClose((reason) => this.#lose(session, reason))
    session.client.onSilence((silent) => {
      this.#changed()
      if (silent) void this.#recall(session)
    })
    this.#sampler = this.#createSampler(session)
    this.#connection.set('live')
  }

  #createSampler(session: StubSession): StubSampler {
    return new StubSampler(session, { allowed: this.#options.allowed, emit: (sample) => this.#samples.notify(sample) })
  }

  /** Asks until the stub answers again, or the session ends. */
  async #recall(session: StubSession): Promise<void> {
    while (this.#session === session && session.client.silent) {
      await sleep(RECALL)
      if (this.#session !== session) return
      await session.greet(AbortSignal.timeout(RECALL)).catch(() => undefined)
    }
    this.#changed()
  }

  #lose(session: StubSession, reason: AppError): void {
    if (this.#session !== session) return
    this.#session = undefined
    void session.client.close()
    void this.#endSampling()
    this.#connection.set('lost', reason.message, reason.hint)
  }

  async #endSampling(): Promise<void> {
    const sampler = this.#sampler
    this.#sampler = undefined
    await sampler?.stop()
  }

  get #live(): StubSession {
    if (this.#session) return this.#session
    throw this.#connection.missing(this.#title)
  }

  get #title(): string {
    const { link } = this.#options
    return `C64 at ${link.kind === 'serial' ? link.device : `${link.host}:${link.port}`}`
  }

  #changed(): void {
    this.#status.notify()
  }

  // Facets

  #ram(): Parameters<typeof typeThroughBuffer>[1] {
    const session = this.#live
    return {
      read: (address, length, signal) => session.read({ space: 'ram', address, length }, signal),
      write: (address, bytes, signal) => session.write('ram', address, bytes, signal),
    }
  }

  async #setHeld(held: boolean, signal: AbortSignal): Promise<void> {
    await this.#live.setHeld(held, signal)
    this.#changed()
    if (held) await this.#sampler?.sampleNow()
  }

  async #setRegister(name: string, value: number, signal: AbortSignal): Promise<Register[]> {
    const session = this.#live
    const wasHeld = session.held
    await session.client.request(hold(true), signal)
    try {
      const changed = withRegister(await session.client.request(readRegisters(), signal), name, value)
      await session.client.request(jump(changed), signal)
      return registersOf(changed)
    } finally {
      if (!wasHeld) await session.client.request(hold(false), signal)
    }
  }

  /** The KERNAL's reset, but the stub stays; resolves at BASIC's prompt. */
  async #restart(session: StubSession, signal: AbortSignal): Promise<void> {
    const { client } = session
    await session.setHeld(true, signal)
    const registers = await client.request(readRegisters(), signal)
    await client.request(jump({ ...registers, pc: session.hello.restart } satisfies CpuRegisters), signal)
    await session.setHeld(false, signal)
    this.#changed()
    const end = performance.now() + RESTART_DEADLINE
    // The KERNAL clears the pointer, BASIC's NEW sets it.
    while (!(await this.#isBasicUp(session, signal))) {
      if (performance.now() > end) {
        throw new AppError('TIMEOUT', 'The C64 did not come to BASIC’s prompt after the reset.', {
          hint: 'Look at its screen. Where it hangs, switch it off and on, and start the stub again.',
        })
      }
      await sleep(POLL, undefined, { signal })
    }
  }

  async #isBasicUp(session: StubSession, signal: AbortSignal): Promise<boolean> {
    try {
      const [low, high] = await session.read({ space: 'ram', address: VARTAB, length: 2 }, signal)
      return low === 0x03 && high === 0x08
    } catch (error) {
      // It takes no requests while the KERNAL sets the machine up.
      if (error instanceof AppError && error.code === 'TIMEOUT' && !signal.aborted) return false
      throw error
    }
  }

  async #run(name: string, file: Uint8Array, signal: AbortSignal): Promise<void> {
    const session = this.#live
    const { loadAddress, bytes, end } = parsePrg(file)
    const { start, end: stubEnd } = session.hello
    if (loadAddress < stubEnd && end > start) {
      throw new AppError(
        'CONFLICT',
        `${name} loads at ${formatAddress(loadAddress)} to ${formatAddress(end - 1)}, where the stub is.`,
        {
          hint: 'Assemble the stub for another address: STUB in resources/c64/stub/stub.asm.',
        },
      )
    }
    if (loadAddress < LOWEST_PROGRAM || (loadAddress < 0xe000 && end > 0xd000)) {
      throw new AppError(
        'UNSUPPORTED',
        `${name} loads over the system’s variables or the I/O area, which only a loader in the C64 can.`,
      )
    }
    await this.#restart(session, signal)
    await session.write('ram', loadAddress, bytes, signal)
    const pointer = Uint8Array.of(end & 0xff, end >> 8)
    const isBasic = loadAddress === BASIC_START
    if (isBasic) await session.write('ram', VARTAB, Uint8Array.of(...pointer, ...pointer, ...pointer), signal)
    await session.write('ram', LOAD_END, pointer, signal)
    await typeThroughBuffer(isBasic ? 'run\n' : `sys${loadAddress}\n`, this.#ram(), signal)
  }
}

/** The stub's entries lie three bytes apart in the order of their speeds. */
const speedEntry = ({ baud }: Hello): number => [38_400, 57_600, 115_200, 230_400].indexOf(baud) * 3
