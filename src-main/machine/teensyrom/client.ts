/** One line to a TeensyROM: one exchange at a time, each with its deadline, on a line that is quiet before it begins. */
import { AppError } from '@shared/contract/errors'
import type { ByteStream } from '../bytestream/byteStream'
import { StreamReader } from '../bytestream/reader'
import {
  encodeCommand,
  encodeDirectory,
  encodeDriveAndPath,
  encodeFileHeader,
  encodeRange,
  firstLine,
  LONGEST_SEGMENT,
  parseDirectory,
  parseToken,
  parseVersion,
  refusal,
  TOKEN_SIZE,
  type Command,
  type DirectoryEntry,
  type Drive,
  type Token,
  type Version,
} from './codec'

/** Longest wait for an answer, ms: for what the device does at once, and for what its storage or its menu takes part in. */
const DEADLINE = 1_500
const STORAGE_DEADLINE = 10_000

/** A text has ended when nothing more of it comes for so long, and a line is quiet, ms. */
const QUIET = 150
/** The console of a launch has longer pauses. */
const LAUNCH_QUIET = 600
/** Chatter that does not end is no reason to wait for ever, ms. */
const LONGEST_TEXT = 3_000

/** After an exchange that broke off, the device may wait so long for the rest of a command before it hears another, ms. */
const SETTLING = 600

/** How long firmware without memory access takes to say so; with it, it waits 500 ms for the rest of the command. */
const PROBE = 150
const LONGEST_PROBE = 350

/** Entries of a directory that are asked for. */
const MOST_ENTRIES = 5_000

const RESET_VECTOR = 0xfffc

export class TeensyRomClient {
  readonly #stream: ByteStream
  readonly #reader: StreamReader
  readonly #where: string
  readonly #silenceListeners = new Set<(silence: AppError | null) => void>()
  #last: Promise<unknown> = Promise.resolve()
  /** The last exchange did not come to its end: what is left of its answer may still come. */
  #unsettled = false
  #silence: AppError | null = null

  /** @param where the line, to end a sentence with */
  constructor(stream: ByteStream, where: string) {
    this.#stream = stream
    this.#reader = new StreamReader(stream)
    this.#where = where
  }

  /** Why the device is taken to be silent; null while it answers. */
  get silence(): AppError | null {
    return this.#silence
  }

  /** Called when the device stops answering, and when it answers again. */
  onSilence(listener: (silence: AppError | null) => void): void {
    this.#silenceListeners.add(listener)
  }

  async close(): Promise<void> {
    this.#silenceListeners.clear()
    this.#reader.stop()
    await this.#stream.close()
  }

  /** Lets the device finish what it says by itself, as it does while it boots. */
  settle(signal: AbortSignal): Promise<void> {
    return this.#exchange(signal, async () => {
      await this.#reader.readUntilQuiet(QUIET, LONGEST_TEXT, signal)
    })
  }

  firmware(signal: AbortSignal): Promise<'full' | 'minimal'> {
    return this.#exchange(signal, async () => {
      await this.#stream.write(encodeCommand('firmwareCheck'), signal)
      const token = await this.#token('tell its firmware', DEADLINE, signal)
      if (token !== 'full' && token !== 'minimal') throw this.#notUnderstood()
      return token
    })
  }

  version(signal: AbortSignal): Promise<Version> {
    return this.#exchange(signal, async () => {
      await this.#order('version', 'tell its version', signal)
      return parseVersion(await this.#text(QUIET, signal))
    })
  }

  /**
   * Whether it reads memory, found by sending the command's token alone: a device that does not know it would take the
   * address behind it for commands, and one of those erases its settings.
   * @returns null where it does, or what it says instead
   * @throws AppError CONFLICT where it speaks of something else just then
   */
  probeMemory(signal: AbortSignal): Promise<string | null> {
    return this.#exchange(signal, async () => {
      await this.#stream.write(encodeCommand('readMemory'), signal)
      const answer = withoutSidTokens(await this.#reader.readUntilQuiet(PROBE, LONGEST_PROBE, signal))
      if (isRejection(answer)) return textOf(answer)
      if (answer.length > 0) throw this.#notUnderstood(textOf(answer))
      await this.#stream.write(encodeRange(RESET_VECTOR, 2), signal)
      await this.#acknowledged('read memory', DEADLINE, signal)
      await this.#reader.readExactly(2, { deadline: DEADLINE, signal })
      return null
    })
  }

  async read(address: number, length: number, signal: AbortSignal): Promise<Uint8Array> {
    const bytes = new Uint8Array(length)
    for (let at = 0; at < length; at += LONGEST_SEGMENT) {
      const size = Math.min(LONGEST_SEGMENT, length - at)
      bytes.set(await this.#readSegment(address + at, size, signal), at)
    }
    return bytes
  }

  async write(address: number, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    for (let at = 0; at < bytes.length; at += LONGEST_SEGMENT) {
      const segment = bytes.subarray(at, at + LONGEST_SEGMENT)
      await this.#exchange(signal, async () => {
        await this.#stream.write(
          Buffer.concat([encodeCommand('writeMemory'), encodeRange(address + at, segment.length), segment]),
          signal,
        )
        await this.#acknowledged('write memory', DEADLINE, signal)
      })
    }
  }

  pause(on: boolean, signal: AbortSignal): Promise<void> {
    return this.#exchange(signal, () =>
      this.#order(on ? 'pause' : 'resume', on ? 'pause the C64' : 'let the C64 go on', signal),
    )
  }

  /** Resets the C64 to TeensyROM's menu, which takes a while to come up. */
  reset(signal: AbortSignal): Promise<void> {
    return this.#exchange(signal, async () => {
      await this.#stream.write(encodeCommand('reset'), signal)
      const said = await this.#text(QUIET, signal)
      if (!/reset/i.test(said)) throw said === '' ? this.#silent() : refusal('reset the C64', said)
    })
  }

  /** Starts a file of its storage, whatever runs. */
  launch(drive: Drive, path: string, signal: AbortSignal): Promise<void> {
    return this.#exchange(signal, async () => {
      const does = `start ${path}`
      await this.#order('launch', does, signal)
      await this.#stream.write(encodeDriveAndPath(drive, path), signal)
      await this.#acknowledged(does, STORAGE_DEADLINE, signal)
      await this.#text(LAUNCH_QUIET, signal)
    })
  }

  /** Puts a file on its storage, over one that may be there. */
  async replaceFile(drive: Drive, path: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    await this.deleteFile(drive, path, signal).catch((error: unknown) => {
      if (!(error instanceof AppError) || (error.code !== 'NOT_FOUND' && error.code !== 'CONFLICT')) throw error
    })
    await this.#exchange(signal, async () => {
      const does = `store ${path}`
      await this.#order('postFile', does, signal)
      await this.#stream.write(encodeFileHeader(drive, path, bytes), signal)
      await this.#acknowledged(does, STORAGE_DEADLINE, signal)
      await this.#stream.write(bytes, signal)
      await this.#acknowledged(does, STORAGE_DEADLINE, signal)
    })
  }

  deleteFile(drive: Drive, path: string, signal: AbortSignal): Promise<void> {
    return this.#exchange(signal, async () => {
      const does = `delete ${path}`
      await this.#order('deleteFile', does, signal)
      await this.#stream.write(encodeDriveAndPath(drive, path), signal)
      await this.#acknowledged(does, STORAGE_DEADLINE, signal)
    })
  }

  listDirectory(drive: Drive, path: string, signal: AbortSignal): Promise<DirectoryEntry[]> {
    return this.#exchange(signal, async () => {
      const does = `list ${path}`
      await this.#order('listDirectory', does, signal)
      await this.#stream.write(encodeDirectory(drive, path, MOST_ENTRIES), signal)
      await this.#acknowledged(does, STORAGE_DEADLINE, signal)
      const start = await this.#token(does, STORAGE_DEADLINE, signal)
      if (start !== 'listStart') throw this.#notUnderstood()
      const list = await this.#reader.readUntil(endOfList, { deadline: STORAGE_DEADLINE, signal })
      return parseDirectory(new TextDecoder().decode(list.subarray(0, -TOKEN_SIZE)))
    })
  }

  #readSegment(address: number, length: number, signal: AbortSignal): Promise<Uint8Array> {
    return this.#exchange(signal, async () => {
      await this.#stream.write(Buffer.concat([encodeCommand('readMemory'), encodeRange(address, length)]), signal)
      await this.#acknowledged('read memory', DEADLINE, signal)
      return this.#reader.readExactly(length, { deadline: DEADLINE, signal })
    })
  }

  /** One exchange after the other; the line is quiet before each, so that no answer is taken for that of another. */
  #exchange<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(async () => {
      if (signal.aborted) throw new AppError('CANCELLED', 'The operation was cancelled.')
      if (this.#unsettled) await this.#reader.readUntilQuiet(SETTLING, LONGEST_TEXT, signal)
      this.#reader.take()
      this.#unsettled = true
      try {
        const result = await work()
        this.#unsettled = false
        this.#setSilence(null)
        return result
      } catch (error) {
        const failure = error instanceof AppError && error.code === 'TIMEOUT' ? this.#silent(error) : error
        if (failure instanceof AppError && failure.code === 'TIMEOUT') this.#setSilence(failure)
        else if (failure instanceof AppError && failure.code !== 'CANCELLED') this.#setSilence(null)
        throw failure
      }
    })
    this.#last = done.catch(() => undefined)
    return done
  }

  /** A command whose token is acknowledged. */
  async #order(command: Command, does: string, signal: AbortSignal): Promise<void> {
    await this.#stream.write(encodeCommand(command), signal)
    await this.#acknowledged(does, DEADLINE, signal)
  }

  async #acknowledged(does: string, deadline: number, signal: AbortSignal): Promise<void> {
    const token = await this.#token(does, deadline, signal)
    if (token !== 'ack') throw this.#notUnderstood()
  }

  /** The next token but for those that come unasked. Throws what a failure is told with. */
  async #token(does: string, deadline: number, signal: AbortSignal): Promise<Token> {
    for (;;) {
      const bytes = await this.#reader.readExactly(TOKEN_SIZE, { deadline, signal })
      const token = parseToken(bytes)
      if (token === 'badSid' || token === 'goodSid') continue
      const rest = token === undefined || token === 'fail' ? await this.#text(QUIET, signal) : ''
      if (token === 'fail') throw refusal(does, rest)
      if (token === undefined) throw this.#notUnderstood(textOf(bytes) + rest)
      return token
    }
  }

  async #text(quiet: number, signal: AbortSignal): Promise<string> {
    return textOf(await this.#reader.readUntilQuiet(quiet, LONGEST_TEXT, signal))
  }

  #setSilence(silence: AppError | null): void {
    if ((this.#silence === null) === (silence === null)) return
    this.#silence = silence
    for (const listener of this.#silenceListeners) listener(silence)
  }

  #silent(cause?: unknown): AppError {
    return new AppError('TIMEOUT', `TeensyROM at ${this.#where} does not answer.`, {
      hint: 'Press its button to bring its menu back, or switch the C64 off and on; Bridgedeck goes on by itself then.',
      cause,
    })
  }

  #notUnderstood(said = ''): AppError {
    const text = firstLine(said)
    return new AppError(
      'CONFLICT',
      `TeensyROM at ${this.#where} said something else than was asked${text === '' ? '.' : `: “${text}”.`}`,
      {
        hint: 'It may just be starting; try again in a moment.',
      },
    )
  }
}

const textOf = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes)

/** The failure token, or the words for a command that is not known. */
const isRejection = (answer: Uint8Array): boolean =>
  parseToken(answer) === 'fail' || /unk cmd|busy/i.test(textOf(answer))

function withoutSidTokens(bytes: Uint8Array): Uint8Array {
  const token = parseToken(bytes)
  return token === 'badSid' || token === 'goodSid' ? withoutSidTokens(bytes.subarray(TOKEN_SIZE)) : bytes
}

/** The end token stands at the start of a line, or there is nothing in the list. */
function endOfList(bytes: Uint8Array): number {
  for (let at = bytes.indexOf(0xa5); at >= 0; at = bytes.indexOf(0xa5, at + 1)) {
    if (bytes[at + 1] === 0xa5 && (at === 0 || bytes[at - 1] === 0x0a)) return at + TOKEN_SIZE
  }
  return -1
}
