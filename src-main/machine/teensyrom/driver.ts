import { AppError, toFailure } from '@shared/contract/errors'
import type { MachineState } from '@shared/contract/machine'
import type { LinkAddress } from '@shared/contract/machineName'
import type { Space } from '@shared/contract/memory'
import { describeLink } from '../bytestream/open'
import { checkRead, checkReachable, inSpace, typeThroughBuffer } from '../cpuView'
import { DeviceMachine } from '../deviceMachine'
import type { ExecutionControl, FileControl, Offering, ProgramControl, TypingControl, Unsupported } from '../facets'
import { HardwareSampler } from '../hardwareSampler'
import type { Machine, MachineStatus, MemoryRange } from '../machine'
import type { ReadCosts } from '../readPlan'
import { unsupportedByOtherDevices } from '../unsupported'
import type { TeensyRomClient } from './client'
import { MAX_SEGMENT_BYTES } from './codec'
import { launchFile, listFiles } from './files'
import { runProgram } from './programs'
import { noticesOf, openSession, unsupportedBy, type TeensyRomSession } from './session'

export interface TeensyRomOptions {
  readonly name: string
  readonly link: LinkAddress
  /**
   * `budget` is a share of the machine's time, 0 to 1; `sideEffects` permits reading registers whose read changes the
   * machine.
   */
  readonly allowed: () => { readonly budget: number; readonly sideEffects: boolean }
}

/** A DMA halts the CPU for 0.97 µs per byte and about 75 cycles on top; the line is much faster than that. */
const costs: ReadCosts = { cyclesPerStop: 80, cyclesPerByte: 1, gapWorthBridging: 0, longestRead: MAX_SEGMENT_BYTES }

type Offered =
  | 'readMemory'
  | 'writeMemory'
  | 'pause'
  | 'reset'
  | 'runProgram'
  | 'typeText'
  | 'files'
  | 'folders'
  | 'runFile'

const unsupported: Unsupported<Offered> = {
  ...unsupportedByOtherDevices,
  ramUnderRom: 'TeensyROM reads memory as the CPU currently sees it, so RAM under ROM and I/O cannot be reached.',
  registers: 'TeensyROM cannot read the CPU’s registers.',
  setRegisters: 'TeensyROM cannot set the CPU’s registers.',
  step: 'TeensyROM can stop the CPU, but not run single instructions.',
  keyMatrix: 'TeensyROM accepts typed text only; it cannot hold keys down.',
  joystick: 'TeensyROM is not connected to the joystick ports.',
  picture: 'TeensyROM does not receive the C64’s picture; the VIC-II sends it to the monitor only.',
  checkpoints: 'TeensyROM cannot stop the CPU at an address.',
  checkpointConditions: 'TeensyROM cannot stop the CPU at an address.',
  logPoints: 'TeensyROM cannot see the CPU reach an address.',
  resources: 'TeensyROM’s settings are in its own menu.',
  reboot: 'TeensyROM restarts with a reset.',
  powerOff: 'TeensyROM cannot switch the C64 off.',
  menuButton: 'TeensyROM shows its menu after a reset.',
  configuration: 'TeensyROM’s settings are in its own menu.',
  transferFiles: 'Bridgedeck lists and starts TeensyROM’s files, but does not copy them.',
  createImage: 'TeensyROM cannot create disk images.',
  videoStream: 'TeensyROM does not receive the C64’s picture.',
  audioStream: 'TeensyROM does not receive the C64’s sound.',
}

export const createTeensyRomMachine = (options: TeensyRomOptions): Machine => new TeensyRomMachine(options)

const NO_MEDIA = 'TeensyROM starts PRG, P00, CRT and SID files only.'

class TeensyRomMachine extends DeviceMachine<TeensyRomSession, HardwareSampler> implements Offering<Offered> {
  readonly kind = 'teensyrom'
  readonly #options: TeensyRomOptions
  #execution: MachineState['execution'] = 'unknown'

  readonly execution: ExecutionControl
  readonly programs: ProgramControl
  readonly typing: TypingControl
  readonly files: FileControl

  constructor(options: TeensyRomOptions) {
    super(options.name)
    this.#options = options
    this.execution = this.#executionControl()
    this.programs = {
      keepsMemory: true,
      refuses: () => ({ disk: NO_MEDIA, tape: NO_MEDIA, snapshot: NO_MEDIA }),
      run: async (program, signal) => {
        await runProgram(this.live.client, program, signal)
        this.#setExecution('running')
      },
    }
    this.typing = { typeText: (text, signal) => typeThroughBuffer(text, this.#memory, signal) }
    this.files = {
      list: (path, signal) => listFiles(this.live.client, path, signal),
      run: async (path, signal) => {
        await launchFile(this.live.client, path, signal)
        this.#setExecution('running')
      },
    }
  }

  get unsupported(): Offering<Offered>['unsupported'] {
    return { ...unsupported, ...(this.session ? unsupportedBy(this.session) : {}) }
  }

  async readMemory(range: MemoryRange, signal: AbortSignal): Promise<Uint8Array> {
    checkRead('TeensyROM', range, this.#options.allowed())
    return inSpace(range.space, await this.#memory.read(range.address, range.length, signal))
  }

  async writeMemory(space: Space, address: number, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    checkReachable('TeensyROM', space, address, bytes.length, 'write')
    await this.#memory.write(address, bytes, signal)
    const written = [{ space: 'cpu', address, length: bytes.length } as const]
    if (this.request.mode === 'off' || this.#execution === 'paused') await this.sampler?.sampleNow(written)
    else this.sampler?.refresh(written)
  }

  protected get title(): string {
    return `TeensyROM at ${describeLink(this.#options.link)}`
  }

  protected async open(signal: AbortSignal): Promise<TeensyRomSession> {
    const session = await openSession(this.#options.link, signal)
    this.#execution = 'unknown'
    session.client.onSilence((silence) => {
      if (silence) void this.probeUntilAnswered(session)
      this.changed()
    })
    return session
  }

  protected describe(session: TeensyRomSession): Partial<MachineStatus> {
    const { standard, text } = session.version
    return { execution: this.#execution, standard, version: text, notices: noticesOf(session) }
  }

  protected createSampler({ client, noMemory }: TeensyRomSession): HardwareSampler | undefined {
    if (noMemory !== null) return undefined
    return new HardwareSampler({
      read: ({ address, length }, signal) => client.read(address, length, signal),
      spaces: ['cpu'],
      costs,
      allowed: this.#options.allowed,
      standard: () => this.session?.version.standard ?? null,
      halted: () => this.#execution === 'paused',
      emit: (sample) => {
        this.setReason(null)
        this.emit(sample)
      },
      onError: (error) => {
        const { code, message, hint } = toFailure(error)
        if (code !== 'TIMEOUT' && code !== 'LOST') this.setReason(message, hint)
      },
    })
  }

  protected async probe({ client }: TeensyRomSession, signal: AbortSignal): Promise<void> {
    await client.firmware(signal)
  }

  protected async close(session: TeensyRomSession | undefined): Promise<void> {
    await session?.client.close()
  }

  protected abandon({ client }: TeensyRomSession): void {
    void client.close()
  }

  get #memory(): TeensyRomClient {
    const { client, noMemory } = this.live
    if (noMemory === null) return client
    throw new AppError('UNSUPPORTED', noMemory, { details: { capability: 'readMemory' } })
  }

  #setExecution(execution: MachineState['execution']): void {
    this.#execution = execution
    this.changed()
  }

  #executionControl(): ExecutionControl {
    return {
      pause: async (signal) => {
        await this.live.client.pause(true, signal)
        this.#setExecution('paused')
        await this.sampler?.sampleNow()
      },
      resume: async (signal) => {
        await this.live.client.pause(false, signal)
        this.#setExecution('running')
      },
      reset: async (kind, signal) => {
        if (kind === 'power') {
          throw new AppError('UNSUPPORTED', 'TeensyROM cannot switch the C64 off and on.', {
            hint: 'Reset the C64, or use its power switch.',
          })
        }
        await this.live.client.reset(signal)
        this.#setExecution('running')
      },
    }
  }
}
