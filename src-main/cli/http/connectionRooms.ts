/** Connections that have shown the token have places of their own, which strangers cannot take. */
import type { Socket } from 'node:net'
import type { Limits } from './limits'
import { tooMany } from './refusal'

interface Connection extends Pick<Socket, 'remoteAddress'> {
  destroy(): unknown
  once(event: 'close', listener: () => void): unknown
}

export class ConnectionRooms {
  readonly #limits: Pick<Limits, 'connections' | 'strangers' | 'strangersOfOne'>
  readonly #known = new Set<Connection>()
  readonly #strangers = new Map<Connection, string>()

  constructor(limits: Pick<Limits, 'connections' | 'strangers' | 'strangersOfOne'>) {
    this.#limits = limits
  }

  get size(): { readonly known: number; readonly strangers: number } {
    return { known: this.#known.size, strangers: this.#strangers.size }
  }

  /**
   * The newest stranger is let in. Where there are too many, the oldest one goes; strangers of the same address come
   * first.
   */
  add(connection: Connection): void {
    const { remoteAddress: address = '' } = connection
    this.#strangers.set(connection, address)
    connection.once('close', () => {
      this.#strangers.delete(connection)
      this.#known.delete(connection)
    })
    const ofAddress = [...this.#strangers].filter(([, other]) => other === address)
    if (ofAddress.length > this.#limits.strangersOfOne) this.#drop(ofAddress[0]?.[0])
    else if (this.#strangers.size > this.#limits.strangers) this.#drop(this.#strangers.keys().next().value)
  }

  /** @throws Refusal where the room of connections with the token is full */
  welcome(connection: Connection): void {
    if (this.#known.has(connection)) return
    if (this.#known.size >= this.#limits.connections)
      throw tooMany(`${this.#limits.connections} connections are open already.`)
    this.#strangers.delete(connection)
    this.#known.add(connection)
  }

  #drop(stranger: Connection | undefined): void {
    if (stranger === undefined) return
    this.#strangers.delete(stranger)
    stranger.destroy()
  }
}
