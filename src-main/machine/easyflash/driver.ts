/** An EasyFlash 3 or Kung Fu Flash in a real C64: its menu takes programs over USB, and that is all it takes. */
import { setTimeout as sleep } from 'node:timers/promises'
import { parsePrg } from '@shared/c64/prg'
import { AppError } from '@shared/contract/errors'
import type { LinkAddress } from '@shared/contract/machineName'
import type { ByteStream } from '../bytestream/byteStream'
import { describeLink, open } from '../bytestream/open'
import { StreamReader } from '../bytestream/reader'
import { DeviceMachine, type DeviceSession } from '../deviceMachine'
import type { Offering, ProgramControl, Unsupported } from '../facets'
import type { Machine, MachineStatus } from '../machine'
import { withoutStorage } from '../unsupported'
import { ANSWER_SIZE, encodePiece, greeting, NUMBER_SIZE, parseAnswer, parseRequest } from './codec'

export interface EasyFlashOptions {
  readonly name: string
  readonly link: LinkAddress
}

/** The menu polls the line once a picture; a program or a game never does, ms. */
const ANSWER_DEADLINE_MS = 2_000
/** It answers “busy” while it writes to its flash or waits for a key, ms. */
const BUSY_DEADLINE_MS = 10_000
const BUSY_INTERVAL_MS = 100
/** A C64 takes about 20 KB a second, and asks for as much as it can hold, ms. */
const PIECE_DEADLINE_MS = 10_000
/** Not every menu confirms that it has closed the file, ms. */
const CLOSE_DEADLINE_MS = 500

const NO_MEMORY = 'An EasyFlash 3 or Kung Fu Flash hands bytes to its menu only: it cannot look into the C64’s memory.'
const NO_CONTROL = 'An EasyFlash 3 or Kung Fu Flash starts programs only; use the buttons on the cartridge.'

type Offered = 'runProgram'

const unsupported: Unsupported<Offered> = {
  readMemory: NO_MEMORY,
  writeMemory: NO_MEMORY,
  ramUnderRom: NO_MEMORY,
  registers: NO_MEMORY,
  setRegisters: NO_MEMORY,
  pause: NO_CONTROL,
  step: NO_CONTROL,
  reset: NO_CONTROL,
  warp: 'A real machine has one speed.',
  standard: 'A real machine is PAL or NTSC by its chips.',
  typeText: NO_CONTROL,
  keyMatrix: NO_CONTROL,
  joystick: NO_CONTROL,
  picture: NO_MEMORY,
  lockStep: NO_MEMORY,
  checkpoints: NO_CONTROL,
  checkpointConditions: NO_CONTROL,
  saveState: NO_MEMORY,
  resources: 'The cartridge’s settings are in its own menu.',
  quit: 'A real machine is not a program that can be quit.',
  reboot: NO_CONTROL,
  powerOff: NO_CONTROL,
  menuButton: NO_CONTROL,
  drives: 'Bridgedeck works the drives of an Ultimate only.',
  configuration: 'The cartridge’s settings are in its own menu.',
  ...withoutStorage('The cartridge gives no access to its files over USB.'),
  videoStream: NO_MEMORY,
  audioStream: NO_MEMORY,
  debugStream: 'Only an Ultimate 64 tells every access of its bus.',
}

export const createEasyFlashMachine = (options: EasyFlashOptions): Machine => new EasyFlashMachine(options)

class EasyFlashSession implements DeviceSession {
  /** The menu is asked only while it loads. */
  readonly silence = null
  readonly stream: ByteStream
  readonly reader: StreamReader

  constructor(stream: ByteStream) {
    this.stream = stream
    this.reader = new StreamReader(stream)
  }

  onLost(listener: (reason: AppError) => void): void {
    this.stream.onClose(listener)
  }
}

class EasyFlashMachine extends DeviceMachine<EasyFlashSession> implements Offering<Offered> {
  readonly kind = 'easyflash'
  readonly unsupported = unsupported
  readonly programs: ProgramControl
  readonly #link: LinkAddress
  #lastRun: Promise<unknown> = Promise.resolve()

  constructor({ name, link }: EasyFlashOptions) {
    super(name)
    this.#link = link
    this.programs = { run: (program, signal) => this.#run(program, signal) }
  }

  readMemory(): Promise<Uint8Array> {
    return Promise.reject(new AppError('UNSUPPORTED', NO_MEMORY, { details: { capability: 'readMemory' } }))
  }

  writeMemory(): Promise<void> {
    return Promise.reject(new AppError('UNSUPPORTED', NO_MEMORY, { details: { capability: 'writeMemory' } }))
  }

  protected get title(): string {
    return `EasyFlash at ${describeLink(this.#link)}`
  }

  protected describe(): Partial<MachineStatus> {
    return {
      notices: ['Programs start while the cartridge’s menu is on the screen. Memory cannot be seen on this machine.'],
    }
  }

  protected async open(signal: AbortSignal): Promise<EasyFlashSession> {
    return new EasyFlashSession(await open(this.#link, signal))
  }

  protected async close(session: EasyFlashSession | undefined): Promise<void> {
    session?.reader.stop()
    await session?.stream.close()
  }

  protected abandon({ reader }: EasyFlashSession): void {
    reader.stop()
  }

  /** Nothing can be asked of it without starting a program. */
  protected probe(): Promise<void> {
    return Promise.resolve()
  }

  protected createSampler(): undefined {
    return undefined
  }

  /** One after the other: there is one line. */
  #run({ name, bytes }: { name: string; bytes: Uint8Array }, signal: AbortSignal): Promise<void> {
    const done = this.#lastRun.then(() => send(this.live, prgOf(name, bytes), signal))
    this.#lastRun = done.catch(() => undefined)
    return done
  }
}

function prgOf(name: string, bytes: Uint8Array): Uint8Array {
  if (/\.(crt|d64|d71|d81|g64|t64|tap|sid)$/i.test(name)) {
    throw new AppError('UNSUPPORTED', `${name} is no program (PRG), and the cartridge takes nothing else.`, {
      hint: 'Choose a PRG or P00 file.',
    })
  }
  const { loadAddress, bytes: loaded } = parsePrg(bytes)
  return Buffer.concat([Uint8Array.of(loadAddress & 0xff, loadAddress >> 8), loaded])
}

/** Throws TIMEOUT where nothing answers in time, and what the menu refuses. */
async function send(session: EasyFlashSession, prg: Uint8Array, signal: AbortSignal): Promise<void> {
  await greet(session, signal)
  let at = 0
  for (;;) {
    const wanted = parseRequest(await receive(session, NUMBER_SIZE, PIECE_DEADLINE_MS, signal))
    if (wanted === 0) break
    const piece = prg.subarray(at, at + wanted)
    await transmit(session, encodePiece(piece), PIECE_DEADLINE_MS, signal)
    at += piece.length
    if (piece.length > 0) continue
    await session.reader.readExactly(NUMBER_SIZE, { deadline: CLOSE_DEADLINE_MS, signal }).catch(() => undefined)
    break
  }
  if (at < prg.length)
    throw new AppError('CONFLICT', 'The C64 took only a part of the program.', {
      hint: 'Reset it to the cartridge’s menu, then try again.',
    })
}

async function greet(session: EasyFlashSession, signal: AbortSignal): Promise<void> {
  const end = performance.now() + BUSY_DEADLINE_MS
  for (;;) {
    session.reader.take()
    await transmit(session, greeting, ANSWER_DEADLINE_MS, signal)
    if (parseAnswer(await receive(session, ANSWER_SIZE, ANSWER_DEADLINE_MS, signal)) === 'load') return
    if (performance.now() > end) {
      throw new AppError('BUSY', 'The cartridge’s menu is busy and asks to wait.', {
        hint: 'Look at the C64’s screen, then try again.',
      })
    }
    await sleep(BUSY_INTERVAL_MS)
  }
}

/** A C64 that hangs takes nothing more, and then neither does the line. */
async function transmit(
  { stream }: EasyFlashSession,
  bytes: Uint8Array,
  deadline: number,
  signal: AbortSignal,
): Promise<void> {
  const time = AbortSignal.timeout(deadline)
  await stream.write(bytes, AbortSignal.any([signal, time])).catch((error: unknown) => {
    throw time.aborted && !signal.aborted ? silent() : error
  })
}

async function receive(
  { reader }: EasyFlashSession,
  length: number,
  deadline: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  return reader.readExactly(length, { deadline, signal }).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'TIMEOUT' ? silent() : error
  })
}

const silent = (): AppError =>
  new AppError('TIMEOUT', 'The cartridge does not answer.', {
    hint: 'Bring its menu to the screen (its menu button, or switch the C64 off and on), then try again.',
  })
