import { setTimeout as sleep } from 'node:timers/promises'
import { parsePrg } from '@shared/c64/prg'
import { AppError } from '@shared/contract/errors'
import type { LinkAddress } from '@shared/contract/machineName'
import { SerialQueue } from '@shared/serialQueue'
import type { ByteStream } from '../bytestream/byteStream'
import { describeLink, open } from '../bytestream/open'
import { identify, type Protocol } from '../bytestream/identify'
import { StreamReader } from '../bytestream/reader'
import { DeviceMachine, type DeviceSession } from '../deviceMachine'
import type { Offering, ProgramControl, Unsupported } from '../facets'
import type { Machine, MachineStatus } from '../machine'
import { unsupportedByOtherDevices, withoutStorage } from '../unsupported'
import {
  ANSWER_BYTES,
  encodePiece,
  greeting,
  isCartridge,
  NUMBER_BYTES,
  parseAnswer,
  parseRequest,
  type FileKind,
} from './codec'

export interface EasyFlashOptions {
  readonly name: string
  readonly link: LinkAddress
}

/** The menu polls the line once per picture, other programs never do. */
const ANSWER_DEADLINE_MS = 2_000
/** The menu is busy while it writes to its flash or waits for a key. */
const BUSY_DEADLINE_MS = 10_000
const BUSY_INTERVAL_MS = 100
/** A C64 receives about 20 KB per second, and requests as much as it can hold. */
const PIECE_DEADLINE_MS = 10_000
const FLASH_DEADLINE_MS = 60_000
const CLOSE_DEADLINE_MS = 500

const easyFlashProtocol = {
  name: 'the protocol of EasyFlash 3 and Kung Fu Flash',
  hint: 'Check that this is the cartridge’s port, and that its menu is on the screen.',
}

const NO_MEMORY = 'An EasyFlash 3 or Kung Fu Flash sends bytes to its menu only; it cannot reach the C64’s memory.'
const NO_CONTROL =
  'An EasyFlash 3 or Kung Fu Flash only takes programs and cartridge images; use the buttons on the cartridge.'

type Offered = 'runProgram'

const unsupported: Unsupported<Offered> = {
  ...unsupportedByOtherDevices,
  readMemory: NO_MEMORY,
  writeMemory: NO_MEMORY,
  ramUnderRom: NO_MEMORY,
  registers: NO_MEMORY,
  setRegisters: NO_MEMORY,
  pause: NO_CONTROL,
  step: NO_CONTROL,
  reset: NO_CONTROL,
  typeText: NO_CONTROL,
  keyMatrix: NO_CONTROL,
  joystick: NO_CONTROL,
  picture: NO_MEMORY,
  checkpoints: NO_CONTROL,
  checkpointConditions: NO_CONTROL,
  logPoints: NO_CONTROL,
  resources: 'The cartridge’s settings are in its own menu.',
  reboot: NO_CONTROL,
  powerOff: NO_CONTROL,
  menuButton: NO_CONTROL,
  configuration: 'The cartridge’s settings are in its own menu.',
  ...withoutStorage('The cartridge’s files cannot be reached over USB.'),
  videoStream: NO_MEMORY,
  audioStream: NO_MEMORY,
}

export const createEasyFlashMachine = (options: EasyFlashOptions): Machine => new EasyFlashMachine(options)

class EasyFlashSession implements DeviceSession {
  /** Never known: the menu is asked only to load a program. */
  readonly silence = null
  readonly stream: ByteStream
  readonly reader: StreamReader

  readonly protocol: Protocol

  constructor(stream: ByteStream, where: string) {
    this.stream = stream
    this.protocol = { ...easyFlashProtocol, where }
    this.reader = new StreamReader(stream)
  }

  onLost(listener: (reason: AppError) => void): void {
    this.stream.onClose(listener)
  }
}

const NO_MEDIA = 'The cartridge takes PRG, P00 and CRT files only.'

class EasyFlashMachine extends DeviceMachine<EasyFlashSession> implements Offering<Offered> {
  readonly kind = 'easyflash'
  readonly unsupported = unsupported
  readonly programs: ProgramControl
  readonly #link: LinkAddress
  readonly #runs = new SerialQueue()

  constructor({ name, link }: EasyFlashOptions) {
    super(name)
    this.#link = link
    this.programs = {
      run: (program, signal) => this.#run(program, signal),
      refuses: () => ({ disk: NO_MEDIA, tape: NO_MEDIA, snapshot: NO_MEDIA, music: NO_MEDIA }),
    }
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
      notices: [
        'Show the cartridge’s menu on the C64 to send programs and cartridge images. Memory cannot be read on this machine.',
      ],
    }
  }

  protected async open(signal: AbortSignal): Promise<EasyFlashSession> {
    return new EasyFlashSession(await open(this.#link, signal), describeLink(this.#link))
  }

  protected async close(session: EasyFlashSession | undefined): Promise<void> {
    session?.reader.stop()
    await session?.stream.close()
  }

  protected abandon({ reader }: EasyFlashSession): void {
    reader.stop()
  }

  /** Asking the menu anything would start a program. */
  protected probe(): Promise<void> {
    return Promise.resolve()
  }

  protected createSampler(): undefined {
    return undefined
  }

  #run({ name, bytes }: { name: string; bytes: Uint8Array }, signal: AbortSignal): Promise<void> {
    return this.#runs.run(() => send(this.live, fileOf(name, bytes), signal))
  }
}

interface MenuFile {
  readonly kind: FileKind
  readonly bytes: Uint8Array
}

function fileOf(name: string, bytes: Uint8Array): MenuFile {
  if (isCartridge(bytes)) return { kind: 'CRT', bytes }
  if (/\.crt$/i.test(name)) throw new AppError('INVALID', `${name} is not a cartridge image (CRT).`)
  if (/\.(d64|d71|d81|g64|t64|tap|sid)$/i.test(name)) {
    throw new AppError('UNSUPPORTED', `${name} is neither a program (PRG) nor a cartridge image (CRT).`, {
      hint: 'Choose a PRG, P00 or CRT file.',
    })
  }
  const { loadAddress, bytes: loaded } = parsePrg(bytes)
  return { kind: 'PRG', bytes: Buffer.concat([Uint8Array.of(loadAddress & 0xff, loadAddress >> 8), loaded]) }
}

/** @throws AppError TIMEOUT where the menu does not answer, or the menu's refusal */
async function send(session: EasyFlashSession, { kind, bytes }: MenuFile, signal: AbortSignal): Promise<void> {
  await greet(session, kind, signal)
  const deadline = kind === 'CRT' ? FLASH_DEADLINE_MS : PIECE_DEADLINE_MS
  let at = 0
  for (;;) {
    const wanted = parseRequest(await receive(session, NUMBER_BYTES, deadline, signal))
    if (wanted === 0) break
    const piece = bytes.subarray(at, at + wanted)
    await transmit(session, encodePiece(piece), deadline, signal)
    at += piece.length
    if (piece.length > 0) continue
    await session.reader.readExactly(NUMBER_BYTES, { deadline: CLOSE_DEADLINE_MS, signal }).catch(() => undefined)
    break
  }
  if (at < bytes.length)
    throw new AppError('CONFLICT', `The C64 took only part of the ${kind === 'CRT' ? 'cartridge image' : 'program'}.`, {
      hint: 'Reset the C64 to the cartridge’s menu, then try again.',
    })
}

async function greet(session: EasyFlashSession, kind: FileKind, signal: AbortSignal): Promise<void> {
  const end = performance.now() + BUSY_DEADLINE_MS
  for (;;) {
    session.reader.take()
    await transmit(session, greeting(kind), ANSWER_DEADLINE_MS, signal)
    if (parseAnswer(await answerOf(session, signal), kind) === 'load') return
    if (performance.now() > end) {
      throw new AppError('BUSY', 'The cartridge’s menu is busy.', {
        hint: 'Check the C64’s screen, then try again.',
      })
    }
    await sleep(BUSY_INTERVAL_MS)
  }
}

const answerOf = (session: EasyFlashSession, signal: AbortSignal): Promise<Uint8Array> =>
  identify(
    session.stream,
    session.protocol,
    () => false,
    signal,
    (until) => receive(session, ANSWER_BYTES, ANSWER_DEADLINE_MS, until),
  )

/** A C64 that hangs stops the line as well, so writing needs a deadline. */
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
    hint: 'Show its menu on the C64 (press its menu button, or switch the C64 off and on), then try again.',
  })
