import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { AppError } from '@shared/contract/errors'
import { serve, type Bridge } from './serve'
import type { Line } from '../rpc/transport'

/** One message a line, longer than the largest command: 64 KiB of memory as hex. */
const MAX_LINE_BYTES = 1024 * 1024

/** A Unix socket's path has at most 107 bytes on Linux and 103 on macOS. */
const MAX_SOCKET_PATH_BYTES = 100

/** Where the bridge of this data folder listens: a Unix socket in it, or a named pipe on Windows. */
export function socketPath(dataFolder: string, platform: NodeJS.Platform = process.platform): string {
  const digest = createHash('sha256').update(dataFolder).digest('hex').slice(0, 16)
  if (platform === 'win32') return `\\\\.\\pipe\\bridgedeck-${digest}`
  const path = join(dataFolder, 'bridge.sock')
  return Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES ? path : join(tmpdir(), `bridgedeck-${digest}`, 'bridge.sock')
}

export interface Listening {
  /** How many clients are connected. */
  readonly clients: number
  close(): Promise<void>
}

/**
 * Lets command lines and agents of this user call the bridge.
 * @throws AppError CONFLICT when another bridge of the same data folder answers already.
 */
export async function listen(bridge: Bridge, path: string): Promise<Listening> {
  const other = await connect(path)
  if (other) {
    other.close()
    throw new AppError('CONFLICT', 'Another bridge of this data folder is already running.')
  }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    serve(bridge, { control: socketLine(socket), trustsInputs: false, onPort: () => undefined }, () => socket.end())
  })
  if (process.platform !== 'win32') makePrivateFolder(dirname(path))
  rmSync(path, { force: true })
  // The socket is its owner's alone from the moment it exists.
  const mask = process.umask(0o177)
  try {
    await listening(server, path)
  } finally {
    process.umask(mask)
  }
  return {
    get clients() {
      return sockets.size
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

/** @throws AppError FORBIDDEN when somebody else made that folder, as can be in a shared temporary one. */
function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { uid } = lstatSync(folder)
  if (uid === process.getuid?.()) return
  throw new AppError('FORBIDDEN', `The folder ${folder} belongs to another user.`, {
    hint: 'Set BRIDGEDECK_DATA to a folder of your own with a short path.',
  })
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
}

/** A line to the bridge that listens there; undefined when none does. */
export function connect(path: string): Promise<Line | undefined> {
  return new Promise((resolve) => {
    const socket = createConnection(path)
    socket.once('connect', () => resolve(socketLine(socket)))
    socket.once('error', () => resolve(undefined))
  })
}

function socketLine(socket: Socket): Line {
  const messages: ((message: unknown) => void)[] = []
  const closes: (() => void)[] = []
  let rest = ''
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > MAX_LINE_BYTES) socket.destroy()
    for (const line of lines) {
      const message = decode(line)
      if (message === undefined) socket.destroy()
      else for (const listener of messages) listener(message.value)
    }
  })
  // 'close' follows, and that is what the listeners are told.
  socket.on('error', () => undefined)
  socket.on('close', () => {
    for (const listener of closes) listener()
  })
  return {
    post: (message) => {
      if (socket.writable) socket.write(`${JSON.stringify(message, encodeBytes)}\n`)
    },
    onMessage: (listener) => void messages.push(listener),
    onClose: (listener) => void closes.push(listener),
    close: () => void socket.end(),
  }
}

/** Bytes stand in JSON as `{ "$bytes": "hex" }`. */
function encodeBytes(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? { $bytes: Buffer.from(value).toString('hex') } : value
}

const encodedBytes = z.strictObject({ $bytes: z.string().regex(/^([0-9a-f]{2})*$/) })

function decode(line: string): { value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(line, (_key, value: unknown) => {
      const bytes = encodedBytes.safeParse(value)
      return bytes.success ? new Uint8Array(Buffer.from(bytes.data.$bytes, 'hex')) : value
    })
    return { value }
  } catch {
    return undefined
  }
}
