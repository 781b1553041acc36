import { setTimeout as sleep } from 'node:timers/promises'
import { formatAddress } from '@shared/c64/address'
import { parsePrg } from '@shared/c64/prg'
import { loadedBytes, startCommand } from '@shared/c64/programStart'
import { AppError } from '@shared/contract/errors'
import type { LinkAddress } from '@shared/contract/machineName'
import type { Register, Space } from '@shared/contract/memory'
import { describeLink, open } from '../bytestream/open'
import { checkSideEffects, typeThroughBuffer } from '../cpuView'
import { DeviceMachine } from '../deviceMachine'
import type { ExecutionControl, Offering, ProgramControl, RegisterAccess, TypingControl, Unsupported } from '../facets'
import type { Machine, MachineStatus, MemoryRange } from '../machine'
import { unsupportedByOtherDevices, withoutStorage } from '../unsupported'
import { StubClient } from './client'
import { hold, jump, readRegisters, type CpuRegisters } from './codec'
import { StubSampler } from './sampler'
import { registersOf, StubSession, withRegister } from './session'

export interface StubOptions {
  readonly name: string
  readonly link: LinkAddress
  /**
   * `budget` is a share of the machine's time, 0 to 1; `sideEffects` permits reading registers whose read changes the
   * machine.
   */
  readonly allowed: () => { readonly budget: number; readonly sideEffects: boolean }
}

const RELEASE_DEADLINE_MS = 1_000

const RESTART_DEADLINE_MS = 8_000
const RESTART_POLL_MS = 50

/** BASIC's pointer to the end of its program, which shows whether BASIC is up. */
const VARTAB = 0x2d
/** Below are the variables of the KERNAL and BASIC; the tape buffer is free. */
const LOWEST_PROGRAM = 0x033c

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
  ...unsupportedByOtherDevices,
  step: 'The stub can stop the CPU, but not run single instructions.',
  keyMatrix: 'The stub types through the KERNAL’s keyboard buffer; it cannot hold keys down.',
  joystick: 'The stub cannot control the joystick ports.',
  picture: 'The stub reads memory only; the VIC-II sends its picture to the monitor.',
  checkpoints: 'The stub cannot stop the CPU at an address.',
  checkpointConditions: 'The stub cannot stop the CPU at an address.',
  logPoints: 'The stub cannot see the CPU reach an address.',
  resources: 'The stub has no settings; you choose its speed when you start it.',
  reboot: 'The stub cannot control the reset line or the power; a soft reset works.',
  powerOff: 'The stub cannot switch the C64 off.',
  menuButton: 'Only an Ultimate has a menu button.',
  configuration: 'The stub has no settings; you choose its speed when you start it.',
  ...withoutStorage('The stub has no storage of its own.'),
  videoStream: 'A serial line is too slow for pictures.',
  audioStream: 'A serial line is too slow for sound.',
}

export const createStubMachine = (options: StubOptions): Machine => new StubMachine(options)

const PROGRAMS_ONLY = 'The stub loads programs into memory: PRG and P00 files only.'

class StubMachine extends DeviceMachine<StubSession, StubSampler> implements Offering<Offered> {
  readonly kind = 'stub'
  readonly unsupported = unsupported
  readonly #options: StubOptions

  readonly execution: ExecutionControl
  readonly registers: RegisterAccess
  readonly programs: ProgramControl
  readonly typing: TypingControl

  constructor(options: StubOptions) {
    super(options.name)
    this.#options = options
    this.execution = {
      pause: (signal) => this.#setHeld(true, signal),
      resume: (signal) => this.#setHeld(false, signal),
      reset: async (kind, signal) => {
        if (kind === 'power')
          throw new AppError('UNSUPPORTED', 'The stub cannot switch the C64 off and on.', { hint: 'Use a soft reset.' })
        await this.#restart(this.live, signal)
      },
    }
    this.registers = {
      read: async (signal) => registersOf(await this.live.client.request(readRegisters(), signal)),
      write: (name, value, signal) => this.#setRegister(name, value, signal),
    }
    this.programs = {
      keepsMemory: true,
      run: ({ name, bytes }, signal) => this.#run(name, bytes, signal),
      refuses: () => ({
        cartridge: PROGRAMS_ONLY,
        disk: PROGRAMS_ONLY,
        tape: PROGRAMS_ONLY,
        snapshot: PROGRAMS_ONLY,
        music: PROGRAMS_ONLY,
      }),
    }
    this.typing = { typeText: (text, signal) => typeThroughBuffer(text, this.#ram(), signal) }
  }

  async readMemory(range: MemoryRange, signal: AbortSignal): Promise<Uint8Array> {
    const { space, address, length } = range
    const readsChips = space === 'io' || space === 'cpu' || space === 'colorRam'
    if (readsChips && !this.#options.allowed().sideEffects) checkSideEffects(address, length)
    return this.live.read(range, signal)
  }

  async writeMemory(space: Space, address: number, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    await this.live.write(space, address, bytes, signal)
    await this.sampler?.sampleNow({ space, address, length: bytes.length })
  }

  protected get title(): string {
    return `C64 at ${describeLink(this.#options.link)}`
  }

  protected async open(signal: AbortSignal): Promise<StubSession> {
    const { link } = this.#options
    const stream = await open(link, signal)
    const baud = link.kind === 'serial' ? link.baud : null
    const { client, hello: stub } = await StubClient.connect(stream, describeLink(link), baud, signal)
    const session = new StubSession(client, stub)
    client.onSilence((silent) => {
      this.changed()
      if (silent) void this.probeUntilAnswered(session).then(() => this.changed())
    })
    return session
  }

  protected describe({ hello: stub, held }: StubSession): Partial<MachineStatus> {
    return {
      execution: held ? 'paused' : 'running',
      standard: stub.standard,
      version: `Bridgedeck’s serial stub, ${stub.baud.toLocaleString('en')} baud`,
      notices: [
        `The stub occupies ${formatAddress(stub.start)} to ${formatAddress(stub.end - 1)}. A program that uses this memory overwrites it.`,
      ],
    }
  }

  protected createSampler(session: StubSession): StubSampler {
    return new StubSampler(session, { allowed: this.#options.allowed, emit: (sample) => this.emit(sample) })
  }

  protected probe(session: StubSession, signal: AbortSignal): Promise<void> {
    return session.greet(signal)
  }

  protected async close(session: StubSession | undefined): Promise<void> {
    // A program that was paused must not stay paused.
    if (session?.held && !session.client.silent)
      await session.setHeld(false, AbortSignal.timeout(RELEASE_DEADLINE_MS)).catch(() => undefined)
    await session?.client.close()
  }

  protected abandon({ client }: StubSession): void {
    void client.close()
  }

  #ram(): Parameters<typeof typeThroughBuffer>[1] {
    const session = this.live
    return {
      read: (address, length, signal) => session.read({ space: 'ram', address, length }, signal),
      write: (address, bytes, signal) => session.write('ram', address, bytes, signal),
    }
  }

  async #setHeld(held: boolean, signal: AbortSignal): Promise<void> {
    await this.live.setHeld(held, signal)
    this.changed()
    if (held) await this.sampler?.sampleNow()
  }

  async #setRegister(name: string, value: number, signal: AbortSignal): Promise<Register[]> {
    const session = this.live
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

  /** Resets the C64 but keeps the stub; resolves at BASIC's prompt. */
  async #restart(session: StubSession, signal: AbortSignal): Promise<void> {
    const { client } = session
    await session.setHeld(true, signal)
    const registers = await client.request(readRegisters(), signal)
    await client.request(jump({ ...registers, pc: session.hello.restart } satisfies CpuRegisters), signal)
    await session.setHeld(false, signal)
    this.changed()
    const end = performance.now() + RESTART_DEADLINE_MS
    // The KERNAL clears VARTAB, BASIC's NEW sets it.
    while (!(await this.#isBasicUp(session, signal))) {
      if (performance.now() > end) {
        throw new AppError('TIMEOUT', 'BASIC’s prompt did not appear after the reset.', {
          hint: 'Check the C64’s screen. If it hangs, switch it off and on, and start the stub again.',
        })
      }
      await sleep(RESTART_POLL_MS, undefined, { signal })
    }
  }

  async #isBasicUp(session: StubSession, signal: AbortSignal): Promise<boolean> {
    try {
      const [low, high] = await session.read({ space: 'ram', address: VARTAB, length: 2 }, signal)
      return low === 0x03 && high === 0x08
    } catch (error) {
      // The stub cannot answer while the KERNAL initialises the machine.
      if (error instanceof AppError && error.code === 'TIMEOUT' && !signal.aborted) return false
      throw error
    }
  }

  async #run(name: string, file: Uint8Array, signal: AbortSignal): Promise<void> {
    const session = this.live
    const program = parsePrg(file)
    const { loadAddress, end } = program
    const { start, end: stubEnd } = session.hello
    if (loadAddress < stubEnd && end > start) {
      throw new AppError(
        'CONFLICT',
        `${name} loads to ${formatAddress(loadAddress)}-${formatAddress(end - 1)}, which overlaps the stub.`,
        { hint: 'Assemble the stub for another address: STUB in resources/c64/stub/stub.asm.' },
      )
    }
    if (loadAddress < LOWEST_PROGRAM) {
      throw new AppError('UNSUPPORTED', `${name} loads over system variables, which the stub cannot do.`)
    }
    await this.#restart(session, signal)
    for (const { address, bytes } of loadedBytes(program)) await session.write('ram', address, bytes, signal)
    await typeThroughBuffer(startCommand(program), this.#ram(), signal)
  }
}
