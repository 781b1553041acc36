/**
 * The Ultimate's "DMA Service" on TCP port 64: commands without answers, carried out in order, for one client at a time.
 * Since firmware 3.15 a connection that is silent for a second is closed, so there is one connection for each burst.
 *
 * Command: number u16 LE ($FFxx) | payload length u16 LE, or u24 LE where images go | payload
 */
import { connect, type Socket } from 'node:net'
import { AppError } from '@shared/contract/errors'
import type { HostAndPort } from '@shared/contract/machineName'
import { plainText } from './json'

export const DMA_PORT = 64

/** The device throws away what is longer. */
export const MAX_PAYLOAD = 200_000

/** The KERNAL's keyboard buffer. */
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
  const most = lengthBytes === 2 ? 0xffff : MAX_PAYLOAD
  if (length > most) {
    throw new AppError(
      'INVALID',
      `${length} bytes are too many for one command of the Ultimate’s DMA service, which takes ${most}.`,
      {
        hint: 'Choose a smaller file.',
      },
    )
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

/** At most {@link MAX_KEYS}: the device itself does not look, and would write over what follows the buffer. */
export const pressKeys = (petscii: Uint8Array): Uint8Array => encodeCommand('keys', petscii.subarray(0, MAX_KEYS))

const streamOn = { video: 'videoOn', audio: 'audioOn', debug: 'debugOn' } as const
const streamOff = { video: 'videoOff', audio: 'audioOff', debug: 'debugOff' } as const

/** `duration` in ticks of 5 ms, 0 for ever; `to` is `host:port`. */
export const startStream = (stream: keyof typeof streamOn, duration: number, to: string): Uint8Array =>
  encodeCommand(streamOn[stream], u16(duration), Buffer.from(to, 'latin1'))

export const stopStream = (stream: keyof typeof streamOff): Uint8Array => encodeCommand(streamOff[stream])

/** How long the device may take for the connection and for each answer, ms. Loading a program takes two seconds. */
const DEADLINE = 6_000

export class DmaService {
  readonly #address: HostAndPort
  readonly #password: string | null
  #last: Promise<unknown> = Promise.resolve()

  constructor(address: HostAndPort, password: string | null) {
    this.#address = address
    this.#password = password
  }

  /**
   * Sends commands in order on a connection of their own and waits until all are carried out: the answer to a last
   * question tells that. Resolves to the device's own name.
   * @throws AppError UNREACHABLE (also where the service is switched off), FORBIDDEN (password), LOST, TIMEOUT, CANCELLED
   */
  burst(sent: readonly Uint8Array[], signal: AbortSignal): Promise<string> {
    const done = this.#last.then(() => this.#burst(sent, signal))
    this.#last = done.catch(() => undefined)
    return done
  }

  async #burst(sent: readonly Uint8Array[], signal: AbortSignal): Promise<string> {
    const connection = await Connection.open(this.#address, AbortSignal.any([signal, AbortSignal.timeout(DEADLINE)]))
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
      throw signal.aborted ? new AppError('CANCELLED', 'The call to the Ultimate was given up.') : error
    } finally {
      connection.close()
    }
  }
}

/** One TCP connection, read by counting. */
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

const spell = ({ host, port }: HostAndPort): string => `${host} (TCP port ${port})`

const unreachable = (address: HostAndPort): AppError =>
  new AppError('UNREACHABLE', `The DMA service of the Ultimate at ${spell(address)} cannot be reached.`, {
    hint: 'Switch it on in the Ultimate’s menu under Network Settings > Ultimate DMA Service.',
  })

const silent = (address: HostAndPort): AppError =>
  new AppError('TIMEOUT', `The DMA service of the Ultimate at ${spell(address)} does not answer.`, {
    hint: 'It serves one program at a time: close any other one that uses it.',
  })

const broken = (address: HostAndPort): AppError =>
  new AppError('LOST', `The DMA service of the Ultimate at ${spell(address)} closed the connection.`, {
    hint: 'It does so where it wants a password that was not given: check the password.',
  })

const wrongPassword = (address: HostAndPort): AppError =>
  new AppError('FORBIDDEN', `The DMA service of the Ultimate at ${spell(address)} does not take this password.`, {
    hint: 'Look it up in its menu under Network Settings > Network Password, and enter it again.',
  })
