/**
 * The Ultimate's "DMA Service" on TCP port 64 takes commands from one client at a time, carries them out in order, and
 * answers none. Firmware 3.15 and later close a connection that is silent for a second, so each burst has its own.
 *
 * Command: number u16 LE ($FFxx) | payload length u16 LE, or u24 LE where images go | payload
 */
import { connect, type Socket } from 'node:net'
import { AppError } from '@shared/contract/errors'
import type { HostAndPort } from '@shared/contract/machineName'
import { SerialQueue } from '@shared/serialQueue'
import { plainText } from './json'

export const DMA_PORT = 64

/** The device discards longer payloads. */
export const MAX_PAYLOAD_BYTES = 200_000

const MAX_KEYS = 10

const commands = {
  load: 0xff01,
  run: 0xff02,
  keys: 0xff03,
  reset: 0xff04,
  write: 0xff06,
  jump: 0xff09,
  mountImage: 0xff0a,
  runImage: 0xff0b,
  powerOff: 0xff0c,
  runCartridge: 0xff0d,
  identify: 0xff0e,
  authenticate: 0xff1f,
  videoOn: 0xff20,
  audioOn: 0xff21,
  debugOn: 0xff22,
  videoOff: 0xff30,
  audioOff: 0xff31,
  debugOff: 0xff32,
} as const
type Command = keyof typeof commands

const withLongLength: readonly Command[] = ['mountImage', 'runImage', 'runCartridge']

export function encodeCommand(command: Command, ...payload: readonly Uint8Array[]): Uint8Array {
  const length = payload.reduce((sum, part) => sum + part.length, 0)
  const lengthBytes = withLongLength.includes(command) ? 3 : 2
  const maxLength = lengthBytes === 2 ? 0xffff : MAX_PAYLOAD_BYTES
  if (length > maxLength) {
    throw new AppError('INVALID', `${length} bytes exceed the ${maxLength} that the Ultimate’s DMA service takes.`, {
      hint: 'Choose a smaller file.',
    })
  }
  const bytes = new Uint8Array(2 + lengthBytes + length)
  const view = new DataView(bytes.buffer)
  view.setUint16(0, commands[command], true)
  view.setUint16(2, length & 0xffff, true)
  if (lengthBytes === 3) view.setUint8(4, length >> 16)
  let at = 2 + lengthBytes
  for (const part of payload) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

const u16 = (value: number): Uint8Array => Uint8Array.of(value & 0xff, value >> 8)

export const loadPrg = (prg: Uint8Array): Uint8Array => encodeCommand('load', prg)
export const jumpPrg = (address: number, prg: Uint8Array): Uint8Array => encodeCommand('jump', u16(address), prg)
export const runCartridge = (crt: Uint8Array): Uint8Array => encodeCommand('runCartridge', crt)
export const mountImage = (image: Uint8Array): Uint8Array => encodeCommand('mountImage', image)
export const runImage = (image: Uint8Array): Uint8Array => encodeCommand('runImage', image)
export const resetC64 = (): Uint8Array => encodeCommand('reset')
export const writeMemory = (address: number, bytes: Uint8Array): Uint8Array =>
  encodeCommand('write', u16(address), bytes)

/** At most {@link MAX_KEYS}: the device does not check, and would overwrite what follows the buffer. */
export const pressKeys = (petscii: Uint8Array): Uint8Array => encodeCommand('keys', petscii.subarray(0, MAX_KEYS))

const streamOn = { video: 'videoOn', audio: 'audioOn', debug: 'debugOn' } as const
const streamOff = { video: 'videoOff', audio: 'audioOff', debug: 'debugOff' } as const

/** `duration` in ticks of 5 ms, 0 for no limit; `to` is `host:port`. */
export const startStream = (stream: keyof typeof streamOn, duration: number, to: string): Uint8Array =>
  encodeCommand(streamOn[stream], u16(duration), Buffer.from(to, 'latin1'))

export const stopStream = (stream: keyof typeof streamOff): Uint8Array => encodeCommand(streamOff[stream])

/** For a whole burst. Loading a program takes two seconds. */
const BURST_DEADLINE_MS = 6_000

export class DmaService {
  readonly #address: HostAndPort
  readonly #password: string | null
  readonly #bursts = new SerialQueue()

  constructor(address: HostAndPort, password: string | null) {
    this.#address = address
    this.#password = password
  }

  /**
   * Sends commands in order on one connection. Resolves to the device's name, its answer to a last question once all
   * commands are carried out.
   * @throws AppError UNREACHABLE (also where the service is switched off), FORBIDDEN (password), LOST, TIMEOUT,
   * CANCELLED
   */
  burst(sent: readonly Uint8Array[], signal: AbortSignal): Promise<string> {
    return this.#bursts.run(() => this.#burst(sent, signal))
  }

  async #burst(sent: readonly Uint8Array[], signal: AbortSignal): Promise<string> {
    const connection = await Connection.open(
      this.#address,
      AbortSignal.any([signal, AbortSignal.timeout(BURST_DEADLINE_MS)]),
    )
    try {
      if (this.#password !== null && this.#password !== '') {
        connection.write([encodeCommand('authenticate', Buffer.from(this.#password, 'latin1'))])
        const [accepted] = await connection.read(1)
        if (accepted !== 1) throw wrongPassword(this.#address)
      }
      connection.write([...sent, encodeCommand('identify')])
      const [length = 0] = await connection.read(1)
      return plainText(Buffer.from(await connection.read(length)).toString('latin1'))
    } catch (error) {
      throw signal.aborted ? new AppError('CANCELLED', 'The call to the Ultimate was cancelled.') : error
    } finally {
      connection.close()
    }
  }
}

class Connection {
  readonly #socket: Socket
  readonly #address: HostAndPort
  #received = new Uint8Array(0)
  #ended: AppError | undefined
  #wake: () => void = () => undefined

  static open(address: HostAndPort, signal: AbortSignal): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ ...address, noDelay: true })
      const connection = new Connection(socket, address, signal)
      socket.once('connect', () => resolve(connection))
      socket.once('close', () => reject(connection.#ended ?? broken(address)))
    })
  }

  private constructor(socket: Socket, address: HostAndPort, signal: AbortSignal) {
    this.#socket = socket
    this.#address = address
    const giveUp = (): void => this.#end(silent(address))
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
    socket.on('data', (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk])
      this.#wake()
    })
    socket.on('error', ({ code }: NodeJS.ErrnoException) =>
      this.#end(code === 'ECONNRESET' || code === 'EPIPE' ? broken(address) : unreachable(address)),
    )
    socket.on('close', () => {
      signal.removeEventListener('abort', giveUp)
      this.#end(broken(address))
    })
  }

  write(parts: readonly Uint8Array[]): void {
    this.#socket.write(Buffer.concat(parts))
  }

  async read(count: number): Promise<Uint8Array> {
    while (this.#received.length < count) {
      if (this.#ended) throw this.#ended
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
    const bytes = this.#received.subarray(0, count)
    this.#received = this.#received.subarray(count)
    return bytes
  }

  close(): void {
    this.#end(broken(this.#address))
  }

  #end(reason: AppError): void {
    this.#ended ??= reason
    this.#socket.destroy()
    this.#wake()
  }
}

const describe = ({ host, port }: HostAndPort): string => `${host} (TCP port ${port})`

const unreachable = (address: HostAndPort): AppError =>
  new AppError('UNREACHABLE', `The DMA service of the Ultimate at ${describe(address)} cannot be reached.`, {
    hint: 'Switch it on in the Ultimate’s menu under Network Settings > Ultimate DMA Service.',
  })

const silent = (address: HostAndPort): AppError =>
  new AppError('TIMEOUT', `The DMA service of the Ultimate at ${describe(address)} does not answer.`, {
    hint: 'It serves one program at a time: close other programs that use it.',
  })

const broken = (address: HostAndPort): AppError =>
  new AppError('LOST', `The DMA service of the Ultimate at ${describe(address)} closed the connection.`, {
    hint: 'Check the password: it closes the connection where a required password is missing.',
  })

const wrongPassword = (address: HostAndPort): AppError =>
  new AppError('FORBIDDEN', `The DMA service of the Ultimate at ${describe(address)} rejected the password.`, {
    hint: 'Look it up in the Ultimate’s menu under Network Settings > Network Password, and enter it again.',
  })
