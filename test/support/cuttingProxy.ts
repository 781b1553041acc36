/** A line between a driver and its device that breaks where the test says. */
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

export interface Cut {
  /** Bytes from the device that still arrive; the next one takes the line with it. */
  readonly after: number
  /** Ends in order, or is reset. */
  readonly reset: boolean
}

export class CuttingProxy {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #cut: Cut | null = null
  #left = 0

  static async open(devicePort: number): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(devicePort)
    await once(proxy.#server.listen(0, '127.0.0.1'), 'listening')
    return proxy
  }

  private constructor(devicePort: number) {
    this.#server = createServer((near) => this.#join(near, connect({ host: '127.0.0.1', port: devicePort })))
  }

  get port(): number {
    const address = this.#server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }

  /** From now on, counted over all connections together; null for a line that holds. */
  cut(cut: Cut | null): void {
    this.#cut = cut
    this.#left = cut?.after ?? 0
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #join(near: Socket, far: Socket): void {
    const end = (): void => {
      if (this.#cut?.reset === true) near.resetAndDestroy()
      else near.destroySoon()
      far.destroy()
    }
    for (const socket of [near, far]) {
      this.#sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        this.#sockets.delete(socket)
        near.destroySoon()
        far.destroySoon()
      })
    }
    near.on('data', (bytes) => far.write(bytes))
    far.on('data', (bytes) => {
      if (!this.#cut) {
        near.write(bytes)
        return
      }
      const passing = bytes.subarray(0, this.#left)
      this.#left -= passing.length
      if (passing.length > 0) near.write(passing)
      if (passing.length < bytes.length) end()
    })
  }
}
