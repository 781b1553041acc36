/** An EasyFlash 3 or Kung Fu Flash in a real C64: its menu takes programs over USB, and that is all it takes. */
import { setTimeout as sleep } from 'node:timers/promises'
import { parsePrg } from '@shared/c64/prg'
import { AppError } from '@shared/contract/errors'
import type { LinkAddress } from '@shared/contract/machineName'
import type { ByteStream } from '../bytestream/byteStream'
import { open } from '../bytestream/open'
import { StreamReader } from '../bytestream/reader'
import { Connection } from '../connection'
import { idleStatus, type Machine, type MachineStatus, type Sample } from '../machine'
import { Listeners } from '../listeners'
import { withoutStorage } from '../unsupported'
import type { Offering, ProgramControl, Unsupported } from '../facets'
import { ANSWER_SIZE, encodePiece, greeting, NUMBER_SIZE, parseAnswer, parseRequest } from './codec'

export interface EasyFlashOptions {
  readonly name: string
  readonly link: LinkAddress
}

/** The menu looks at the line between two pictures; a program or a game never does, ms. */
const ANSWER_DEADLINE = 2_000
/** While it writes to its flash or waits for a key, it asks for patience, ms. */
const PATIENCE = 10_000
const ASK_AGAIN = 100
/** A C64 takes some 20 KB a second, and asks for all it can hold, ms. */
const PIECE_DEADLINE = 10_000
/** Not every menu says that it has closed the file, ms. */
const CLOSE_DEADLINE = 500

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

interface Session {
  readonly stream: ByteStream
  readonly reader: StreamReader
}

class EasyFlashMachine implements Machine, Offering<Offered> {
  readonly kind = 'easyflash'
  readonly name: string
  readonly unsupported = unsupported
  readonly #link: LinkAddress
  readonly #status = new Listeners()
  readonly onStatus = this.#status.add
  /** It has nothing to sample. */
  readonly onSample = new Listeners<Sample>().add
  #session: Session | undefined
  readonly #connection = new Connection(() => this.#status.notify())
  #last: Promise<unknown> = Promise.resolve()

  readonly programs: ProgramControl

  constructor({ name, link }: EasyFlashOptions) {
    this.name = name
    this.#link = link
    this.programs = { run: (program, signal) => this.#run(program, signal) }
  }

  get status(): MachineStatus {
    return {
      ...idleStatus(this.#title),
      connection: this.#connection.state,
      reason: this.#connection.reason,
      hint: this.#connection.hint,
      notices: this.#session
        ? ['Programs start while the cartridge’s menu is on the screen. Memory cannot be seen on this machine.']
        : [],
    }
  }

  async connect(signal: AbortSignal): Promise<void> {
    if (this.#session) return
    await this.#connection.attempt(async () => {
      const stream = await open(this.#link, signal)
      this.#session = { stream, reader: new StreamReader(stream) }
      this.#connection.set('live')
      stream.onClose((reason) => {
        this.#session = undefined
        this.#connection.set('lost', reason.message, reason.hint)
      })
    })
  }

  async disconnect(): Promise<void> {
    const session = this.#session
    this.#session = undefined
    session?.reader.stop()
    await session?.stream.close()
    this.#connection.set('idle')
  }

  setSampling(): Promise<void> {
    return Promise.resolve()
  }

  readMemory(): Promise<Uint8Array> {
    return Promise.reject(new AppError('UNSUPPORTED', NO_MEMORY, { details: { capability: 'readMemory' } }))
  }

  writeMemory(): Promise<void> {
    return Promise.reject(new AppError('UNSUPPORTED', NO_MEMORY, { details: { capability: 'writeMemory' } }))
  }

  get #title(): string {
    return `EasyFlash at ${this.#link.kind === 'serial' ? this.#link.device : `${this.#link.host}:${this.#link.port}`}`
  }

  /** One after the other: there is one line. */
  #run({ name, bytes }: { name: string; bytes: Uint8Array }, signal: AbortSignal): Promise<void> {
    const done = this.#last.then(async () => {
      const session = this.#session
      if (!session) throw new AppError('LOST', `${this.#title} is not connected.`, { hint: 'Connect it first.' })
      await send(session, prgOf(name, bytes), signal)
    })
    this.#last = done.catch(() => undefined)
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
async function send(session: Session, prg: Uint8Array, signal: AbortSignal): Promise<void> {
  await greet(session, signal)
  let at = 0
  for (;;) {
    const wanted = parseRequest(await hear(session, NUMBER_SIZE, PIECE_DEADLINE, signal))
    if (wanted === 0) break
    const piece = prg.subarray(at, at + wanted)
    await say(session, encodePiece(piece), PIECE_DEADLINE, signal)
    at += piece.length
    if (piece.length > 0) continue
    await session.reader.readExactly(NUMBER_SIZE, { deadline: CLOSE_DEADLINE, signal }).catch(() => undefined)
    break
  }
  if (at < prg.length)
    throw new AppError('CONFLICT', 'The C64 took only a part of the program.', {
      hint: 'Reset it to the cartridge’s menu, then try again.',
    })
}

async function greet(session: Session, signal: AbortSignal): Promise<void> {
  const end = performance.now() + PATIENCE
  for (;;) {
    session.reader.take()
    await say(session, greeting, ANSWER_DEADLINE, signal)
    if (parseAnswer(await hear(session, ANSWER_SIZE, ANSWER_DEADLINE, signal)) === 'load') return
    if (performance.now() > end) {
      throw new AppError('BUSY', 'The cartridge’s menu is busy and asks to wait.', {
        hint: 'Look at the C64’s screen, then try again.',
      })
    }
    await sleep(ASK_AGAIN)
  }
}

/** A C64 that hangs takes nothing more, and then neither does the line. */
async function say({ stream }: Session, bytes: Uint8Array, deadline: number, signal: AbortSignal): Promise<void> {
  const time = AbortSignal.timeout(deadline)
  await stream.write(bytes, AbortSignal.any([signal, time])).catch((error: unknown) => {
    throw time.aborted && !signal.aborted ? silent() : error
  })
}

async function hear({ reader }: Session, length: number, deadline: number, signal: AbortSignal): Promise<Uint8Array> {
  return reader.readExactly(length, { deadline, signal }).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'TIMEOUT' ? silent() : error
  })
}

const silent = (): AppError =>
  new AppError('TIMEOUT', 'The cartridge does not answer.', {
    hint: 'Bring its menu to the screen (its menu button, or switch the C64 off and on), then try again.',
  })
