/** VICE's emulated serial line and Bridgedeck both connect, so something must listen for both. */
import { createServer, type Server, type Socket } from 'node:net'
import { AppError } from '@shared/contract/errors'

export type LineEnd = 'vice' | 'bridgedeck'

export interface LineExchange {
  readonly ports: Readonly<Record<LineEnd, number>>
  close(): Promise<void>
}

/**
 * Bytes that come while the other end is not connected are lost, as on a cable.
 * @param ports 0 for any free one
 * @throws AppError CONFLICT for a port that is in use
 */
export async function openLineExchange(
  ports: Readonly<Record<LineEnd, number>>,
  onChange: (end: LineEnd, isConnected: boolean) => void,
): Promise<LineExchange> {
  const sockets = new Map<LineEnd, Socket>()
  const take = (end: LineEnd, other: LineEnd) => (socket: Socket) => {
    sockets.get(end)?.destroy()
    sockets.set(end, socket)
    onChange(end, true)
    socket.on('data', (bytes: Buffer) => sockets.get(other)?.write(bytes))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      if (sockets.get(end) !== socket) return
      sockets.delete(end)
      onChange(end, false)
    })
  }
  const vice = await listen(ports.vice, take('vice', 'bridgedeck'))
  const bridgedeck = await listen(ports.bridgedeck, take('bridgedeck', 'vice')).catch((error: unknown) => {
    vice.close()
    throw error
  })
  return {
    ports: { vice: portOf(vice), bridgedeck: portOf(bridgedeck) },
    close: async () => {
      for (const socket of sockets.values()) socket.destroy()
      await Promise.all([vice, bridgedeck].map((server) => new Promise((closed) => server.close(closed))))
    },
  }
}

function listen(port: number, take: (socket: Socket) => void): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer({ noDelay: true }, take)
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new AppError(
          'CONFLICT',
          `Port ${port} ${error.code === 'EADDRINUSE' ? 'is in use' : `cannot be listened on: ${error.message}`}.`,
          {
            hint: 'Name another port.',
            cause: error,
          },
        ),
      ),
    )
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}

function portOf(server: Server): number {
  const address = server.address()
  return address !== null && typeof address === 'object' ? address.port : 0
}
