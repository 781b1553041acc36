import { describe, expect, it } from 'vitest'
import { stackEntries } from './stack'

function memoryWith(parts: Readonly<Record<number, readonly number[]>>): (address: number) => number {
  const memory = new Uint8Array(0x10000)
  for (const [address, bytes] of Object.entries(parts)) memory.set(bytes, Number(address))
  return (address) => memory[address] ?? 0
}

describe('the stack', () => {
  it('has return addresses where a JSR stands before them, and bytes elsewhere', () => {
    // JSR $C000 at $0810 pushed $0812; a value was pushed after it.
    const read = memoryWith({ 0x0810: [0x20, 0x00, 0xc0], 0x01f4: [0x07, 0x12, 0x08] })
    expect(stackEntries(read, 0xf3).slice(0, 2)).toEqual([
      { address: 0x01f4, bytes: [0x07], call: null },
      { address: 0x01f5, bytes: [0x12, 0x08], call: { from: 0x0810, to: 0xc000, returnsTo: 0x0813 } },
    ])
  })

  it('is empty at the pointer that reset leaves, and whole at the lowest', () => {
    const read = memoryWith({})
    expect(stackEntries(read, 0xff)).toEqual([])
    expect(stackEntries(read, 0x00)).toHaveLength(255)
    expect(stackEntries(read, 0x00, 16)).toHaveLength(16)
  })

  it('takes the last byte for itself: nothing lies above it', () => {
    const read = memoryWith({ 0x0810: [0x20, 0x00, 0xc0], 0x01ff: [0x12], 0x0200: [0x08] })
    expect(stackEntries(read, 0xfe)).toEqual([{ address: 0x01ff, bytes: [0x12], call: null }])
  })
})
