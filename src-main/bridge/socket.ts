import { lstatSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Server, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { AppError } from '@shared/contract/errors'
import { describeFileError } from '../files/fileErrors'
import { makePrivateFolder, requireOwnFolder, requireOwnSocket, restrict } from '../files/privateFiles'
import type { Line } from '../rpc/transport'
import { serve, type Bridge } from './serve'
import { SocketLine } from './socketLine'

export { socketPath } from './socketPath'

/** The largest command has 64 KiB of memory as hex. */
const TO_BRIDGE = { lineCharacters: 1024 * 1024, values: 50_000 }
const FROM_BRIDGE = { lineCharacters: 16 * 1024 * 1024, values: 2_000_000, unreadBytes: () => Infinity }

/** Per client; the largest reply has a few MiB. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024
/** Once all clients together exceed this, each may have only the smaller limit. */
const MAX_UNREAD_BYTES_OF_ALL = 64 * 1024 * 1024
const MAX_UNREAD_BYTES_OF_MANY = 1024 * 1024

const MAX_CLIENTS = 64

export interface Listening {
  readonly clients: number
  close(): Promise<void>
}

/**
 * @throws AppError CONFLICT when another bridge of the same data folder answers, FORBIDDEN where the place is not this
 * user's alone
 */
export async function listen(bridge: Bridge, path: string): Promise<Listening> {
  if (process.platform !== 'win32') {
    makePrivateFolder(dirname(path))
    restrict(path)
  }
  const other = await connect(path)
  if (other) {
    other.close()
    throw new AppError('CONFLICT', 'Another bridge of this data folder is already running.')
  }
  const sockets = new Set<Socket>()
  const unreadBytes = (): number => {
    const ofAll = [...sockets].reduce((sum, { writableLength }) => sum + writableLength, 0)
    return ofAll > MAX_UNREAD_BYTES_OF_ALL ? MAX_UNREAD_BYTES_OF_MANY : MAX_UNREAD_BYTES
  }
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    const control = new SocketLine(socket, { ...TO_BRIDGE, unreadBytes }, ({ message }) =>
      bridge.log(`A client of the socket was dropped. ${message}`),
    )
    serve(bridge, { control, peer: 'client', onPort: () => undefined }, () => socket.end())
  })
  server.maxConnections = MAX_CLIENTS
  rmSync(path, { force: true })
  // Security: only the owner may use the socket from the moment it exists.
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

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
}

/**
 * Undefined when no bridge listens.
 * @throws AppError FORBIDDEN where the socket may be another user's: passwords go over it
 */
export async function connect(path: string): Promise<Line | undefined> {
  if (!isOwnListener(path)) return undefined
  return new Promise((resolve) => {
    const socket = createConnection(path)
    socket.once('connect', () => resolve(new SocketLine(socket, FROM_BRIDGE, () => undefined)))
    socket.once('error', () => resolve(undefined))
  })
}

function isOwnListener(path: string): boolean {
  if (process.platform === 'win32') return true
  try {
    if (!lstatSync(path, { throwIfNoEntry: false })) return false
    requireOwnFolder(dirname(path))
    requireOwnSocket(path)
    return true
  } catch (error) {
    throw describeFileError(error, path, 'read')
  }
}
