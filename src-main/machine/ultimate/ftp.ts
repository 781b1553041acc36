import { Readable, Writable } from 'node:stream'
import { Client, FileType, FTPError, type FileInfo } from 'basic-ftp'
import { AppError, type ErrorCode } from '@shared/contract/errors'
import type { OnBytes } from '../facets'
import type { MachineFile } from '@shared/contract/machineStorage'
import { SerialQueue } from '@shared/serialQueue'

export const FTP_PORT = 21

/** The service has no user names. */
const USER = 'user'

/** Without a byte on either connection; the device may be busy with a disk image. */
const SILENCE_DEADLINE_MS = 8_000

/** More than a folder can be shown with, and than any file that a C64 uses: an image of a 16 MiB memory expansion. */
const MAX_ENTRIES = 5_000
const MAX_LISTING_BYTES = 4 * 1024 * 1024
const MAX_FILE_BYTES = 32 * 1024 * 1024

/** Small pieces of an upload: data that a socket still buffers counts as sent. */
const PIECE_BYTES = 16 * 1024

const unsafeName = /[/\p{Cc}]|^\.{0,2}$/u

export class FtpService {
  readonly #address: { readonly host: string; readonly port: number }
  readonly #password: string | null
  readonly #calls = new SerialQueue()

  constructor(address: { host: string; port: number }, password: string | null) {
    this.#address = address
    this.#password = password
  }

  /** @throws AppError NOT_FOUND where there is no such folder, CONFLICT where the service is off */
  list(path: string, signal: AbortSignal): Promise<MachineFile[]> {
    return this.#call(`list ${path}`, signal, async (client) => filesOf(await client.list(path)))
  }

  /** @throws AppError NOT_FOUND, or INVALID for a file that is too large */
  read(path: string, signal: AbortSignal, onBytes?: OnBytes): Promise<Uint8Array> {
    return this.#call(`read ${path}`, signal, async (client) => {
      const pieces: Buffer[] = []
      let length = 0
      const collect = new Writable({
        write(piece: Buffer, _encoding, done) {
          length += piece.length
          pieces.push(piece)
          done(length > MAX_FILE_BYTES ? tooLarge(path) : null)
        },
      })
      reportBytes(client, onBytes)
      await client.downloadTo(collect, path)
      return new Uint8Array(Buffer.concat(pieces))
    })
  }

  /**
   * Replaces a file of that name and leaves no incomplete one.
   * @throws AppError CONFLICT or LOST where there is no room
   */
  async write(path: string, bytes: Uint8Array, signal: AbortSignal, onBytes?: OnBytes): Promise<void> {
    const sent = { hasBegun: false }
    function* content() {
      sent.hasBegun = true
      for (let from = 0; from === 0 || from < bytes.length; from += PIECE_BYTES)
        yield Buffer.from(bytes.subarray(from, from + PIECE_BYTES))
    }
    try {
      await this.#call(`store ${path}`, signal, async (client) => {
        reportBytes(client, onBytes)
        await client.uploadFrom(Readable.from(content()), path)
      })
    } catch (error) {
      if (sent.hasBegun) {
        const soon = AbortSignal.timeout(SILENCE_DEADLINE_MS)
        await this.#call(`delete ${path}`, soon, (client) => client.remove(path)).catch(() => undefined)
      }
      throw error instanceof AppError && error.code === 'LOST' ? mayBeFull(error) : error
    }
  }

  #call<Result>(does: string, signal: AbortSignal, work: (client: Client) => Promise<Result>): Promise<Result> {
    return this.#calls.run(async () => {
      if (signal.aborted) throw cancelled()
      // Data comes from the requested host, whatever the device says.
      const client = new Client(SILENCE_DEADLINE_MS, {
        allowSeparateTransferHost: false,
        maxListingBytes: MAX_LISTING_BYTES,
      })
      const end = { isCancelled: false }
      const cancel = () => {
        end.isCancelled = true
        client.close()
      }
      signal.addEventListener('abort', cancel, { once: true })
      try {
        await client.access({ ...this.#address, user: USER, password: this.#password ?? '' })
        return await work(client)
      } catch (error) {
        throw end.isCancelled ? cancelled() : this.#explain(error, does)
      } finally {
        signal.removeEventListener('abort', cancel)
        client.close()
      }
    })
  }

  #explain(error: unknown, does: string): AppError {
    if (error instanceof AppError) return error
    const { host, port } = this.#address
    const failure = `The Ultimate at ${host} could not ${does}`
    if (error instanceof FTPError) {
      const [code, why, hint] = refusals[error.code] ?? (['INTERNAL', 'its FTP service refused', 'Try again.'] as const)
      return new AppError(code, `${failure}: ${why}.`, { hint, details: { reply: error.code } })
    }
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ECONNREFUSED')
      return new AppError('CONFLICT', `${failure}: its FTP service is off.`, {
        hint: 'Switch “FTP File Service” on in its menu (F2), under Network Services.',
        cause: error,
      })
    const message = error instanceof Error ? error.message : ''
    if (/timeout/i.test(message))
      return new AppError('TIMEOUT', `${failure}: its FTP service did not answer in time.`, {
        hint: 'Try again. If it does not respond again, switch the Ultimate off and on.',
        cause: error,
      })
    if (/another host/.test(message))
      return new AppError('CONFLICT', `${failure}: its FTP service names another host for the data.`, {
        hint: 'Connect it by its own address.',
        cause: error,
      })
    return new AppError('LOST', `${failure}: the connection to port ${port} broke off, or is no FTP service.`, {
      hint: 'Try again, and check the network cable.',
      cause: error,
    })
  }
}

function reportBytes(client: Client, onBytes: OnBytes | undefined): void {
  if (onBytes) client.trackProgress(({ bytes }) => onBytes(bytes))
}

/** A disk image is listed twice, as a file and as a folder; the file counts. */
function filesOf(entries: readonly FileInfo[]): MachineFile[] {
  const files = new Map<string, MachineFile>()
  for (const { name, type, size } of entries) {
    if (unsafeName.test(name) || name.length > 1_000) continue
    const folder = type === FileType.Directory
    if (folder && files.has(name)) continue
    files.set(name, { name, size: folder || !Number.isSafeInteger(size) || size < 0 ? null : size, folder })
  }
  return [...files.values()].slice(0, MAX_ENTRIES)
}

const refusals: Partial<Record<number, readonly [ErrorCode, string, string]>> = {
  421: ['BUSY', 'its FTP service serves too many others', 'Try again in a moment.'],
  450: ['CONFLICT', 'it is in use', 'Try again.'],
  451: ['NOT_FOUND', 'there is no such folder', 'Check the path.'],
  452: ['CONFLICT', 'there is no room for it', 'Delete something on it first.'],
  530: ['FORBIDDEN', 'its FTP service asks for the network password', 'Connect the machine with its password.'],
  550: ['NOT_FOUND', 'it does not exist, or cannot be opened', 'Check the path.'],
  552: ['CONFLICT', 'there is no room for it', 'Delete something on it first.'],
  553: ['INVALID', 'the name is not allowed', 'Choose another name.'],
}

/** A full device ends the data connection before it says why. */
const mayBeFull = ({ code, message, cause }: AppError): AppError =>
  new AppError(code, message, { hint: 'Check that there is room for it, and try again.', cause })

const tooLarge = (path: string): AppError =>
  new AppError('INVALID', `${path} is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB.`, {
    hint: 'Copy it with an FTP program.',
  })

const cancelled = (): AppError => new AppError('CANCELLED', 'The call to the Ultimate was cancelled.')
