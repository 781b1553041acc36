import { EventEmitter } from 'node:events'
import { beforeEach, describe, expect, it } from 'vitest'
import { ConnectionRooms } from './connectionRooms'

class Connection extends EventEmitter {
  readonly remoteAddress: string
  isOpen = true

  constructor(address: string) {
    super()
    this.remoteAddress = address
  }

  destroy(): this {
    this.isOpen = false
    this.emit('close')
    return this
  }
}

let rooms: ConnectionRooms
beforeEach(() => {
  rooms = new ConnectionRooms({ connections: 3, strangers: 6, strangersOfOne: 4 })
})

const stranger = (address = '127.0.0.1'): Connection => {
  const connection = new Connection(address)
  rooms.add(connection)
  return connection
}

describe('the rooms of connections', () => {
  it('let the oldest stranger of an address go for its newest one', () => {
    const all = Array.from({ length: 6 }, () => stranger())
    expect(all.map(({ isOpen }) => isOpen)).toEqual([false, false, true, true, true, true])
    expect(rooms.size).toEqual({ known: 0, strangers: 4 })
  })

  it('let the oldest stranger of all go where there are too many of them', () => {
    const all = ['127.0.0.2', '127.0.0.2', ...Array<string>(3).fill('127.0.0.3'), '127.0.0.4', '127.0.0.5'].map(
      stranger,
    )
    expect(all.map(({ isOpen }) => isOpen)).toEqual([false, true, true, true, true, true, true])
  })

  it('keep those with the token, however many strangers come', () => {
    const known = Array.from({ length: 3 }, () => {
      const connection = stranger()
      rooms.welcome(connection)
      return connection
    })
    for (let count = 0; count < 100; count++) stranger(`127.0.0.${count}`)
    expect(known.every(({ isOpen }) => isOpen)).toBe(true)
    expect(rooms.size).toEqual({ known: 3, strangers: 6 })
    for (const connection of known) rooms.welcome(connection)
  })

  it('refuse one with the token where those have no place left, until one of them goes', () => {
    const known = Array.from({ length: 3 }, () => stranger())
    for (const connection of known) rooms.welcome(connection)
    const next = stranger()
    expect(() => rooms.welcome(next)).toThrow('3 connections are open already.')
    known[1]?.destroy()
    rooms.welcome(next)
    expect(rooms.size).toEqual({ known: 3, strangers: 0 })
  })
})
