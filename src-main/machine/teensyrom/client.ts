import { AppError } from '@shared/contract/errors'
import { SerialQueue } from '@shared/serialQueue'
import type { ByteStream } from '../bytestream/byteStream'
import { StreamReader } from '../bytestream/reader'
import { Listeners } from '../listeners'
import {
  encodeCommand,
  encodeDirectory,
  encodeDriveAndPath,
  encodeFileHeader,
  encodeRange,
  firstLine,
  MAX_SEGMENT_BYTES,
  parseDirectory,
  parseToken,
  parseVersion,
  refusal,
  TOKEN_BYTES,
  type Command,
  type DirectoryEntry,
  type Drive,
  type Token,
  type Version,
} from './codec'

/** For commands that need neither storage nor menu, and for those that do. */
const ANSWER_DEADLINE_MS = 1_500
const STORAGE_DEADLINE_MS = 10_000

/** Without bytes for this long, a text has ended and the line is quiet. */
const QUIET_MS = 150
/** The texts of a launch have longer pauses. */
const LAUNCH_QUIET_MS = 600
const MAX_TEXT_MS = 3_000

/** After a broken-off exchange the device may still wait for the rest of a command. */
const RECOVERY_MS = 600

/**
 * The device waits 500 ms for the rest of a command; later bytes are taken as commands, one of which erases its
 * settings.
 */
const MAX_REST_MS = 400
/** How precisely the time of an answer is known, while this process is not held up. */
const ANSWER_STEP_MS = 100

/** Firmware without memory access rejects the command within this time. */
const PROBE_QUIET_MS = 150
const MAX_PROBE_MS = 350
/** How often a command is begun again where its rest would come too late. */
const MAX_BEGINNINGS = 5

const MAX_ENTRIES = 5_000

const RESET_VECTOR = 0xfffc

/** The device may have given up waiting for the rest of a command. */
class TooLate extends AppError {}

export class TeensyRomClient {
  readonly #stream: ByteStream
  readonly #reader: StreamReader
  readonly #where: string
  readonly #silenceListeners = new Listeners<AppError | null>()
  readonly #exchanges = new SerialQueue()
  /** The last exchange broke off: the rest of its answer may still arrive. */
  #hasBrokenOff = false
  #silence: AppError | null = null
  #hasAnswered = false
  readonly onSilence = this.#silenceListeners.add

  constructor(stream: ByteStream, where: string) {
    this.#stream = stream
    this.#reader = new StreamReader(stream)
    this.#where = where
  }

  get hasAnswered(): boolean {
    return this.#hasAnswered
  }

  get silence(): AppError | null {
    return this.#silence
  }

  async close(): Promise<void> {
    this.#silenceListeners.clear()
    this.#reader.stop()
    await this.#stream.close()
  }

  settle(signal: AbortSignal): Promise<void> {
    return this.#exchange(signal, async () => {
      await this.#reader.readUntilQuiet(QUIET_MS, MAX_TEXT_MS, signal)
    })
  }

  firmware(signal: AbortSignal): Promise<'full' | 'minimal'> {
    return this.#exchange(signal, async () => {
      await this.#stream.write(encodeCommand('firmwareCheck'), signal)
      const { token } = await this.#token('report its firmware', ANSWER_DEADLINE_MS, signal)
      if (token !== 'full' && token !== 'minimal') throw this.#notUnderstood()
      this.#hasAnswered = true
      return token
    })
  }

  version(signal: AbortSignal): Promise<Version> {
    return this.#exchange(signal, async () => {
      await this.#send('version', 'report its version', signal)
      return parseVersion(await this.#text(QUIET_MS, signal))
    })
  }

  /**
   * Sends only the command's token: a device that does not know it would take the address after it as commands, one of
   * which erases its settings.
   * @returns null where it reads memory, else its answer
   * @throws AppError CONFLICT where it is sending another text, BUSY where this computer is too slow
   */
  probeMemory(signal: AbortSignal): Promise<string | null> {
    return this.#twoParts(signal, async () => {
      const asked = performance.now()
      await this.#stream.write(encodeCommand('readMemory'), signal)
      const answer = withoutSidTokens(await this.#reader.readUntilQuiet(PROBE_QUIET_MS, MAX_PROBE_MS, signal))
      if (isRejection(answer)) return textOf(answer)
      if (answer.length > 0) throw this.#notUnderstood(textOf(answer))
      await this.#sendRest(encodeRange(RESET_VECTOR, 2), asked, signal)
      await this.#acknowledged('read memory', ANSWER_DEADLINE_MS, signal)
      await this.#reader.readExactly(2, { deadline: ANSWER_DEADLINE_MS, signal })
      return null
    })
  }

  async read(address: number, length: number, signal: AbortSignal): Promise<Uint8Array> {
    const bytes = new Uint8Array(length)
    for (let at = 0; at < length; at += MAX_SEGMENT_BYTES) {
      const size = Math.min(MAX_SEGMENT_BYTES, length - at)
      bytes.set(await this.#readSegment(address + at, size, signal), at)
    }
    return bytes
  }

  async write(address: number, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    for (let at = 0; at < bytes.length; at += MAX_SEGMENT_BYTES) {
      const segment = bytes.subarray(at, at + MAX_SEGMENT_BYTES)
      await this.#exchange(signal, async () => {
        await this.#stream.write(
          Buffer.concat([encodeCommand('writeMemory'), encodeRange(address + at, segment.length), segment]),
          signal,
        )
        await this.#acknowledged('write memory', ANSWER_DEADLINE_MS, signal)
      })
    }
  }

  pause(on: boolean, signal: AbortSignal): Promise<void> {
    return this.#exchange(signal, async () => {
      await this.#send(on ? 'pause' : 'resume', on ? 'pause the C64' : 'resume the C64', signal)
    })
  }

  reset(signal: AbortSignal): Promise<void> {
    return this.#exchange(signal, async () => {
      await this.#stream.write(encodeCommand('reset'), signal)
      const begun = await this.#reader.readExactly(1, { deadline: ANSWER_DEADLINE_MS, signal })
      const reply = textOf(begun) + (await this.#text(QUIET_MS, signal))
      if (!/reset/i.test(reply)) throw refusal('reset the C64', reply)
    })
  }

  launch(drive: Drive, path: string, signal: AbortSignal): Promise<void> {
    return this.#twoParts(signal, async () => {
      const does = `start ${path}`
      const answered = await this.#send('launch', does, signal)
      await this.#sendRest(encodeDriveAndPath(drive, path), answered, signal)
      await this.#acknowledged(does, STORAGE_DEADLINE_MS, signal)
      await this.#text(LAUNCH_QUIET_MS, signal)
    })
  }

  replaceFile(drive: Drive, path: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    return repeatWhileTooLate(async () => {
      await this.#delete(drive, path, signal).catch((error: unknown) => {
        if (!(error instanceof AppError) || (error.code !== 'NOT_FOUND' && error.code !== 'CONFLICT')) throw error
      })
      await this.#store(drive, path, bytes, signal)
    })
  }

  #store(drive: Drive, path: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    return this.#exchange(signal, async () => {
      const does = `store ${path}`
      const answered = await this.#send('postFile', does, signal)
      await this.#sendRest(encodeFileHeader(drive, path, bytes), answered, signal)
      const opened = await this.#acknowledged(does, STORAGE_DEADLINE_MS, signal)
      await this.#sendRest(bytes, opened, signal)
      await this.#acknowledged(does, STORAGE_DEADLINE_MS, signal)
    })
  }

  #delete(drive: Drive, path: string, signal: AbortSignal): Promise<void> {
    return this.#exchange(signal, async () => {
      const does = `delete ${path}`
      const answered = await this.#send('deleteFile', does, signal)
      await this.#sendRest(encodeDriveAndPath(drive, path), answered, signal)
      await this.#acknowledged(does, STORAGE_DEADLINE_MS, signal)
    })
  }

  listDirectory(drive: Drive, path: string, signal: AbortSignal): Promise<DirectoryEntry[]> {
    return this.#twoParts(signal, async () => {
      const does = `list ${path}`
      const answered = await this.#send('listDirectory', does, signal)
      await this.#sendRest(encodeDirectory(drive, path, MAX_ENTRIES), answered, signal)
      await this.#acknowledged(does, STORAGE_DEADLINE_MS, signal)
      const start = await this.#token(does, STORAGE_DEADLINE_MS, signal)
      if (start.token !== 'listStart') throw this.#notUnderstood()
      const list = await this.#reader.readUntil(endOfList, { deadline: STORAGE_DEADLINE_MS, signal })
      return parseDirectory(new TextDecoder().decode(list.subarray(0, -TOKEN_BYTES)))
    })
  }

  #readSegment(address: number, length: number, signal: AbortSignal): Promise<Uint8Array> {
    return this.#exchange(signal, async () => {
      await this.#stream.write(Buffer.concat([encodeCommand('readMemory'), encodeRange(address, length)]), signal)
      await this.#acknowledged('read memory', ANSWER_DEADLINE_MS, signal)
      return this.#reader.readExactly(length, { deadline: ANSWER_DEADLINE_MS, signal })
    })
  }

  /** One exchange after the other; each begins on a quiet line, so that no late answer is taken for its own. */
  #exchange<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    return this.#exchanges.run(async () => {
      if (signal.aborted) throw new AppError('CANCELLED', 'The operation was cancelled.')
      if (this.#hasBrokenOff) await this.#reader.readUntilQuiet(RECOVERY_MS, MAX_TEXT_MS, signal)
      this.#reader.take()
      this.#hasBrokenOff = true
      try {
        const result = await work()
        this.#hasBrokenOff = false
        this.#setSilence(null)
        return result
      } catch (error) {
        const failure = error instanceof AppError && error.code === 'TIMEOUT' ? this.#silent(error) : error
        if (failure instanceof AppError && failure.code === 'TIMEOUT') this.#setSilence(failure)
        else if (failure instanceof AppError && failure.code !== 'CANCELLED') this.#setSilence(null)
        throw failure
      }
    })
  }

  /** Begun again where the second part would have come too late, as nothing was done then. */
  #twoParts<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    return repeatWhileTooLate(() => this.#exchange(signal, work))
  }

  async #send(command: Command, does: string, signal: AbortSignal): Promise<number> {
    await this.#stream.write(encodeCommand(command), signal)
    return this.#acknowledged(does, ANSWER_DEADLINE_MS, signal)
  }

  /**
   * Sends the rest unless the device may have given up waiting.
   * @param since earliest start of its wait, by `performance.now()`
   * @throws TooLate
   */
  async #sendRest(bytes: Uint8Array, since: number, signal: AbortSignal): Promise<void> {
    if (performance.now() - since > MAX_REST_MS)
      throw new TooLate('BUSY', 'This computer was too busy to send TeensyROM the rest of a command in time.', {
        hint: 'Try again.',
      })
    await this.#stream.write(bytes, signal)
  }

  /** @returns when it came at the earliest, by `performance.now()` */
  async #acknowledged(does: string, deadline: number, signal: AbortSignal): Promise<number> {
    const { token, since } = await this.#token(does, deadline, signal)
    if (token !== 'ack') throw this.#notUnderstood()
    return since
  }

  /**
   * Skips tokens that were sent unasked; `since` is when the token came.
   * @throws AppError with the device's refusal
   */
  async #token(does: string, deadline: number, signal: AbortSignal): Promise<{ token: Token; since: number }> {
    for (;;) {
      const { bytes, since } = await this.#tokenBytes(performance.now() + deadline, signal)
      const token = parseToken(bytes)
      if (token === 'badSid' || token === 'goodSid') continue
      const rest = token === undefined || token === 'fail' ? await this.#text(QUIET_MS, signal) : ''
      if (token === 'fail') throw refusal(does, rest)
      if (token === undefined) throw this.#notUnderstood(textOf(bytes) + rest)
      return { token, since }
    }
  }

  /** Waits in short steps, as what was missing at the end of one came later. */
  async #tokenBytes(end: number, signal: AbortSignal): Promise<{ bytes: Uint8Array; since: number }> {
    for (;;) {
      const since = performance.now()
      try {
        const deadline = Math.min(ANSWER_STEP_MS, end - since)
        return { bytes: await this.#reader.readExactly(TOKEN_BYTES, { deadline, signal }), since }
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'TIMEOUT' || performance.now() >= end) throw error
      }
    }
  }

  async #text(quietMs: number, signal: AbortSignal): Promise<string> {
    return textOf(await this.#reader.readUntilQuiet(quietMs, MAX_TEXT_MS, signal))
  }

  #setSilence(silence: AppError | null): void {
    if ((this.#silence === null) === (silence === null)) return
    this.#silence = silence
    this.#silenceListeners.notify(silence)
  }

  #silent(cause?: unknown): AppError {
    return new AppError('TIMEOUT', `TeensyROM at ${this.#where} does not answer.`, {
      hint: 'Press its button to show its menu, or switch the C64 off and on; Bridgedeck then resumes automatically.',
      cause,
    })
  }

  #notUnderstood(reply = ''): AppError {
    const text = firstLine(reply)
    return new AppError(
      'CONFLICT',
      `TeensyROM at ${this.#where} gave an unexpected answer${text === '' ? '.' : `: “${text}”.`}`,
      { hint: 'It may just be starting; try again in a moment.' },
    )
  }
}

async function repeatWhileTooLate<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let beginning = 1; ; beginning++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof TooLate) || beginning === MAX_BEGINNINGS) throw error
    }
  }
}

const textOf = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes)

const isRejection = (answer: Uint8Array): boolean =>
  parseToken(answer) === 'fail' || /unk cmd|busy/i.test(textOf(answer))

function withoutSidTokens(bytes: Uint8Array): Uint8Array {
  const token = parseToken(bytes)
  return token === 'badSid' || token === 'goodSid' ? withoutSidTokens(bytes.subarray(TOKEN_BYTES)) : bytes
}

function endOfList(bytes: Uint8Array): number {
  for (let at = bytes.indexOf(0xa5); at >= 0; at = bytes.indexOf(0xa5, at + 1)) {
    if (bytes[at + 1] === 0xa5 && (at === 0 || bytes[at - 1] === 0x0a)) return at + TOKEN_BYTES
  }
  return -1
}
