import { connect, type Socket } from 'node:net'
import { AppError } from '@shared/contract/errors'
import type { HostAndPort } from '@shared/contract/machineName'
import { DuplexByteStream, type ByteStream } from './byteStream'

const CONNECT_DEADLINE_MS = 5_000

/** @throws AppError UNREACHABLE, TIMEOUT, CANCELLED */
export async function openTcp(address: HostAndPort, signal: AbortSignal): Promise<ByteStream> {
  const socket = await connectSocket(address, signal)
  const where = describe(address)
  return new DuplexByteStream(socket, {
    lost: (error) =>
      new AppError('LOST', `The connection to ${where} ended${error ? ` (${reasonOf(error)})` : ''}.`, {
        hint: 'Check that the device is on and in the network; Bridgedeck reconnects automatically.',
      }),
    closed: () => new AppError('LOST', `The connection to ${where} is closed.`, { hint: 'Connect it again.' }),
    release: async () => void socket.destroy(),
  })
}

function connectSocket(address: HostAndPort, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(cancelled())
      return
    }
    const socket = connect({ ...address, noDelay: true, keepAlive: true })
    const settle = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', cancel)
      socket.off('error', refused)
    }
    const fail = (error: AppError): void => {
      settle()
      socket.on('error', () => undefined)
      socket.destroy()
      reject(error)
    }
    const cancel = (): void => fail(cancelled())
    const refused = (error: Error): void => fail(unreachable(address, reasonOf(error)))
    const timer = setTimeout(() => fail(unreachable(address, 'it does not answer')), CONNECT_DEADLINE_MS)
    signal.addEventListener('abort', cancel, { once: true })
    socket.on('error', refused)
    socket.once('connect', () => {
      settle()
      resolve(socket)
    })
  })
}

const describe = ({ host, port }: HostAndPort): string => (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`)

function reasonOf(error: Error): string {
  const code = 'code' in error ? error.code : undefined
  switch (code) {
    case 'ECONNREFUSED':
      return 'the connection was refused'
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'the host is unknown'
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return 'there is no route to the host'
    case 'ETIMEDOUT':
      return 'it does not answer'
    case 'ECONNRESET':
    case 'EPIPE':
      return 'the other side closed it'
    default:
      return typeof code === 'string' ? code : error.message
  }
}

const unreachable = (address: HostAndPort, reason: string): AppError =>
  new AppError('UNREACHABLE', `${describe(address)} cannot be reached: ${reason}.`, {
    hint: 'Check the address, that the device is on, and that its TCP listener is enabled.',
  })

const cancelled = (): AppError => new AppError('CANCELLED', 'The operation was cancelled.')
