import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AppError } from '@shared/contract/errors'
import { idleStatus } from './machine'
import { ValueSearches } from './valueSearches'

const MACHINE = 'vice:6502'
const { signal } = new AbortController()

let memory: Uint8Array
let execution: 'running' | 'paused'
let writes: number
let lost: boolean
let changed: string[]
let values: ValueSearches

beforeEach(() => {
  ;[memory, execution, writes, lost, changed] = [new Uint8Array(0x10000), 'running', 0, false, []]
  values = new ValueSearches({
    live: () => {
      if (lost) throw new AppError('LOST', 'VICE is not connected.')
      return {
        status: { ...idleStatus('VICE'), execution },
        readMemory: ({ address, length }) => Promise.resolve(memory.slice(address, address + length)),
        writeMemory: (_, address, bytes) => {
          writes++
          memory.set(bytes, address)
          return Promise.resolve()
        },
      }
    },
    onChanged: (machine) => changed.push(machine),
  })
})
afterEach(() => values.close())

const left = () => values.state(MACHINE).search?.candidates
const frozen = () => values.state(MACHINE).frozen

describe('a search for a value', () => {
  it('goes on step by step, each of which can be taken back', async () => {
    memory.set([3, 3], 0x10)
    await values.start(MACHINE, 'ram', 1, signal)
    await values.keep(MACHINE, '= 3', signal)
    memory[0x10] = 2
    await values.keep(MACHINE, 'down 1', signal)
    expect(left()).toEqual([{ address: 0x10, value: 2 }])
    expect(values.undo(MACHINE).search?.steps).toEqual([
      { condition: null, count: 0x10000 },
      { condition: '= 3', count: 2 },
    ])
    expect(left()?.map(({ address }) => address)).toEqual([0x10, 0x11])
    expect(values.end(MACHINE).search).toBeNull()
    expect(changed).toHaveLength(5)
  })

  it('stays as it is after a condition that does not read, and one that nothing was started for', async () => {
    await expect(values.keep(MACHINE, 'up', signal)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await values.start(MACHINE, 'ram', 2, signal)
    await expect(values.keep(MACHINE, 'more', signal)).rejects.toMatchObject({ code: 'INVALID' })
    expect(() => values.undo(MACHINE)).toThrow('There is no step to undo.')
    expect(values.state(MACHINE).search?.steps).toEqual([{ condition: null, count: 0xffff }])
  })
})

describe('a frozen value', () => {
  const lives = { space: 'ram', address: 0x10, size: 1, value: 3 } as const

  it('is written back when the program changes it, and only then', async () => {
    memory[0x10] = 3
    values.freeze(MACHINE, lives)
    memory[0x10] = 2
    await expect.poll(() => memory[0x10]).toBe(3)
    memory[0x10] = 1
    await expect.poll(() => memory[0x10]).toBe(3)
    expect(writes).toBe(2)
  })

  it('is left alone while the machine is paused, and once it is released', async () => {
    execution = 'paused'
    values.freeze(MACHINE, { ...lives, address: 0x20 })
    values.freeze(MACHINE, lives)
    execution = 'running'
    await expect.poll(() => memory[0x10]).toBe(3)
    values.release(MACHINE, 'ram', 0x10)
    memory[0x10] = 2
    memory[0x20] = 2
    await expect.poll(() => memory[0x20]).toBe(3)
    expect(memory[0x10]).toBe(2)
    expect(() => values.release(MACHINE, 'ram', 0x10)).toThrow('$0010 is not frozen.')
  })

  it('says why it cannot be written, and goes on once it can', async () => {
    values.freeze(MACHINE, lives)
    lost = true
    await expect.poll(() => frozen()[0]?.problem).toBe('VICE is not connected.')
    lost = false
    await expect.poll(() => frozen()[0]?.problem).toBeNull()
    expect(memory[0x10]).toBe(3)
  })

  it('must fit', () => {
    expect(() => values.freeze(MACHINE, { ...lives, value: 256 })).toThrow('256 does not fit in a byte.')
    expect(() => values.freeze(MACHINE, { ...lives, address: 0xffff, size: 2 })).toThrow('past $FFFF')
  })
})
