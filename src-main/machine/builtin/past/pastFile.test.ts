import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { demo, readRoms } from '../../../../test/support/ownRoms'
import { timedC64 } from '../../../../test/support/timedC64'
import type { C64 } from '../c64'
import { encodeState } from '../state'
import { decodePast, encodePast, type SavedPast } from './pastFile'
import { TimeTravel } from './timeTravel'

const roms = readRoms()

/** A machine in which the demo ran for a while, with all that can come from outside. */
function usedMachine() {
  const { c64, time, run } = timedC64(roms)
  // Starting a program takes time by itself, here beyond the next moment that is kept.
  run(24)
  time.input({ kind: 'program', file: new Uint8Array(readFileSync(demo)) })
  run(60)
  time.input({ kind: 'keys', keys: ['a'] })
  run(30)
  time.input({ kind: 'keys', keys: [] })
  time.input({ kind: 'joystick', port: 2, inputs: ['fire'] })
  time.input({ kind: 'memory', space: 'ram', address: 0xc000, bytes: Uint8Array.of(2) })
  time.input({ kind: 'register', name: 'Y', value: 3 })
  run(70)
  return { c64, time, run }
}

const replay = (file: Uint8Array, signal = new AbortController().signal) => TimeTravel.fromFile(file, roms, signal)

const stateOf = (c64: C64) => createHash('sha256').update(encodeState(c64.save(), roms)).digest('hex')

describe('a file of the machine’s past', () => {
  it('leads another machine the same way to the same state, and back again', async () => {
    const { c64, time } = usedMachine()
    const replayed = await replay(time.toFile(600))
    expect(stateOf(replayed.c64)).toBe(stateOf(c64))
    expect(replayed.time.inputs).toEqual(time.inputs)
    expect(replayed.time.inputs.inputs.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^a program of \d+ bytes started$/),
      'keys down: a',
      'no key is down',
      'joystick 2: fire',
      '1 byte written at $C000',
      'register Y set to 3',
    ])
    const earlier = c64.clock - 1_500_000
    for (const each of [time, replayed.time]) each.goTo(earlier)
    expect(stateOf(replayed.c64)).toBe(stateOf(c64))
  })

  it('leads the same way whether somebody looked at the chips or not', async () => {
    const { c64, time, run } = usedMachine()
    run(1)
    c64.peekIo()
    c64.step(7)
    time.ran()
    c64.peekIo()
    expect(stateOf((await replay(time.toFile(600))).c64)).toBe(stateOf(c64))
  })

  it('has the seconds that are wanted, from a moment before them, up to where the machine stands', async () => {
    const { c64, time, run } = usedMachine()
    run(200)
    time.goTo(c64.clock - 985_248)
    const { c64: replayed, time: short } = await replay(time.toFile(1))
    expect(stateOf(replayed)).toBe(stateOf(c64))
    const { start, end } = short.span
    expect(end).toBe(c64.clock)
    expect(end - start).toBeGreaterThanOrEqual(985_248)
    expect(end - start).toBeLessThan(2 * 985_248)
  })

  it('leads to a CPU that jammed as well', async () => {
    const { c64, time, run } = usedMachine()
    time.input({ kind: 'memory', space: 'ram', address: c64.cpu.pc, bytes: Uint8Array.of(2, 2, 2) })
    run(20)
    expect(c64.jam).not.toBeNull()
    const replayed = await replay(time.toFile(60))
    expect(stateOf(replayed.c64)).toBe(stateOf(c64))
  })

  it('says how far it is, and can be cancelled', async () => {
    const { time } = usedMachine()
    const file = time.toFile(600)
    const shares: number[] = []
    await TimeTravel.fromFile(file, roms, new AbortController().signal, (share) => shares.push(share))
    expect(shares).toEqual(shares.toSorted((one, other) => one - other))
    expect(shares.length).toBeGreaterThan(5)
    expect(shares.at(-1)).toBe(1)
    const cancelled = new AbortController()
    const replayed = TimeTravel.fromFile(file, roms, cancelled.signal, () => cancelled.abort())
    await expect(replayed).rejects.toMatchObject({ code: 'CANCELLED' })
  })

  it('is refused where the machine does not come to the state that was saved', async () => {
    const { time } = usedMachine()
    const past = decodePast(time.toFile(60), roms)
    const inputs = past.inputs.filter(({ input }) => input.kind !== 'memory')
    const other = encodePast({ ...past, inputs }, roms)
    await expect(replay(other)).rejects.toThrow('went another way than the one that was saved')
  })

  it('is refused with the reason where it is damaged, of another version, or would run without end', () => {
    const { time } = usedMachine()
    const file = time.toFile(60)
    const past = decodePast(file, roms)
    const encoded = (changed: Partial<SavedPast>) => encodePast({ ...past, ...changed }, roms)
    for (const length of [0, 8, 17, 100, file.length - 1])
      expect(() => decodePast(file.subarray(0, length), roms)).toThrow('is damaged')
    const flipped = file.slice()
    flipped[file.length - 5] = 0
    expect(() => decodePast(flipped, roms)).toThrow('is damaged')
    const newer = file.slice()
    new DataView(newer.buffer).setUint16(8, 9, true)
    expect(() => decodePast(newer, roms)).toThrow('has version 9; this Bridgedeck reads version 1')
    expect(() => decodePast(encoded({ end: 2 ** 51 }), roms)).toThrow('is damaged')
    expect(() => decodePast(encoded({ inputs: [...past.inputs].reverse() }), roms)).toThrow('is damaged')
    const longState = file.slice()
    const view = new DataView(longState.buffer)
    view.setUint32(14, 2 ** 31, true)
    view.setUint32(10, crc32(longState.subarray(14)), true)
    expect(() => decodePast(longState, roms)).toThrow('is damaged')
  })
})
