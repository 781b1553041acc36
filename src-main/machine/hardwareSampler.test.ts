import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Segment } from '@shared/contract/frames'
import { AppError } from '@shared/contract/errors'
import { HardwareSampler, type HardwareSamplerOptions } from './hardwareSampler'
import type { MemoryRange, Sample, SampleRequest } from './machine'
import { hasSideEffect } from '@shared/c64/chips'
import { costOf } from './readPlan'

const costs = { cyclesPerStop: 40, cyclesPerByte: 1, gapWorthBridging: 0, longestRead: 4096 }
const PAL = 985_248
const request: SampleRequest = { mode: 'free', rate: 10, spaces: ['cpu'], picture: false }
/** How long the machine below takes for a read, ms. */
const READ_TIME = 3

/** A machine with chips as after a reset, and what it was asked for, and when. */
function machine(options: Partial<HardwareSamplerOptions> = {}) {
  const memory = new Uint8Array(0x10000).map((_, address) => address & 0xff)
  memory.fill(0xff, 0xd000, 0xe000)
  memory.set([0x15], 0xd018)
  memory.set([0x97], 0xdd00)
  const reads: (MemoryRange & { at: number })[] = []
  const samples: Sample[] = []
  const errors: unknown[] = []
  let inFlight = 0
  const sampler = new HardwareSampler({
    spaces: ['cpu'],
    costs,
    allowed: () => ({ budget: 0.05, sideEffects: false }),
    read: async (range) => {
      inFlight++
      expect(inFlight).toBe(1)
      reads.push({ ...range, at: performance.now() })
      await new Promise((done) => setTimeout(done, READ_TIME))
      inFlight--
      return memory.slice(range.address, range.address + range.length)
    },
    emit: (sample) => samples.push(sample),
    onError: (error) => errors.push(error),
    ...options,
  })
  return { memory, reads, samples, errors, sampler }
}

/** Stops it, letting the read that is under way come to its end. */
async function end(sampler: HardwareSampler): Promise<void> {
  const stopped = sampler.stop()
  await vi.advanceTimersByTimeAsync(READ_TIME)
  await stopped
}

const has = (segments: readonly Segment[], space: string, address: number): boolean =>
  segments.some(
    (segment) =>
      segment.space === space && address >= segment.address && address < segment.address + segment.bytes.length,
  )

const addresses = (reads: readonly MemoryRange[]): number[] =>
  reads.flatMap(({ address, length }) => Array.from({ length }, (_, index) => address + index))

describe('a sampler of a machine that it stops', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  it('keeps to the budget over any second, and tells what it takes', async () => {
    const { sampler, reads, samples } = machine()
    sampler.set(request)
    await vi.advanceTimersByTimeAsync(10_000)
    await end(sampler)
    expect(samples.length).toBeGreaterThan(50)
    for (const { at } of reads) {
      const cycles = reads
        .filter((read) => read.at >= at && read.at <= at + 1_000)
        .reduce((sum, { length }) => sum + costOf(costs, length), 0)
      expect(cycles).toBeLessThanOrEqual(0.05 * PAL)
    }
    const told = samples.flatMap(({ cost }) => (cost === undefined ? [] : [cost]))
    const average = told.reduce((sum, cost) => sum + cost, 0) / told.length
    expect(average).toBeGreaterThan(0.035)
    expect(average).toBeLessThanOrEqual(0.05)
  })

  it('comes by everything but the registers whose read changes the machine', async () => {
    const { sampler, reads, samples, memory } = machine()
    sampler.set(request)
    await vi.advanceTimersByTimeAsync(20_000)
    await end(sampler)
    expect(addresses(reads).some(hasSideEffect)).toBe(false)
    const last = samples.at(-1)?.segments ?? []
    const shown = new Uint8Array(0x10000).fill(0x77)
    for (const { address, bytes } of last) shown.set(bytes, address)
    expect(shown).toEqual(memory.map((byte, address) => (hasSideEffect(address) ? 0x77 : byte)))
  })

  it('reads those registers where the person asks for it', async () => {
    const { sampler, reads } = machine({ allowed: () => ({ budget: 0.05, sideEffects: true }) })
    sampler.set(request)
    await vi.advanceTimersByTimeAsync(500)
    await end(sampler)
    expect(addresses(reads)).toContain(0xd01e)
  })

  it('has no address in a sample that was never read', async () => {
    const { sampler, samples } = machine()
    sampler.set({ ...request, mode: 'off' })
    await vi.advanceTimersByTimeAsync(1_000)
    await end(sampler)
    expect(samples).toHaveLength(1)
    const segments = samples[0]?.segments ?? []
    expect([0x0000, 0x0400, 0xd020, 0xd800].every((address) => has(segments, 'cpu', address))).toBe(true)
    expect([0x1000, 0x9000, 0xd01e, 0xde00, 0xe000].some((address) => has(segments, 'cpu', address))).toBe(false)
  })

  it('asks nothing of the machine where nothing is wanted', async () => {
    const { sampler, reads } = machine()
    sampler.set({ ...request, spaces: [] })
    await sampler.sampleNow([{ space: 'cpu', address: 0, length: 1 }])
    await vi.advanceTimersByTimeAsync(1_000)
    await end(sampler)
    expect(reads).toEqual([])
  })

  it('takes a sample with what was just written when asked to', async () => {
    const { sampler, samples, memory } = machine()
    sampler.set({ ...request, mode: 'off' })
    await vi.advanceTimersByTimeAsync(500)
    memory.set([1, 2, 3], 0xc000)
    const taken = sampler.sampleNow([{ space: 'cpu', address: 0xc000, length: 3 }])
    await vi.advanceTimersByTimeAsync(500)
    await taken
    await end(sampler)
    expect(samples).toHaveLength(2)
    expect(samples[1]?.segments.find(({ address }) => address === 0xc000)?.bytes).toEqual(Uint8Array.of(1, 2, 3))
  })

  it('shows the other spaces as far as the CPU’s view is sure of them', async () => {
    const { sampler, samples, memory } = machine()
    memory.fill(0xf5, 0xd800, 0xdc00)
    sampler.set({ ...request, spaces: ['ram', 'io', 'colorRam', 'rom'] })
    await vi.advanceTimersByTimeAsync(20_000)
    await end(sampler)
    const segments = samples.at(-1)?.segments ?? []
    expect([0x0002, 0x7fff, 0x8000, 0x9fff, 0xcfff].every((address) => has(segments, 'ram', address))).toBe(true)
    expect([0x0000, 0x0001, 0xa000, 0xd800, 0xe000].some((address) => has(segments, 'ram', address))).toBe(false)
    expect(has(segments, 'io', 0xd020)).toBe(true)
    expect(segments.some(({ space }) => space === 'rom' || space === 'cpu')).toBe(false)
    expect(segments.find(({ space }) => space === 'colorRam')?.bytes[0]).toBe(0x05)
  })

  it('calls neither a cartridge RAM nor banked-out memory chips', async () => {
    const { sampler, samples, memory } = machine()
    memory.set([0xc3, 0xc2, 0xcd, 0x38, 0x30], 0x8004)
    memory.fill(0, 0xd000, 0xe000)
    sampler.set({ ...request, spaces: ['ram', 'io', 'colorRam'] })
    await vi.advanceTimersByTimeAsync(20_000)
    await end(sampler)
    const segments = samples.at(-1)?.segments ?? []
    expect(has(segments, 'ram', 0x7fff)).toBe(true)
    expect(has(segments, 'ram', 0x8000)).toBe(false)
    expect(segments.some(({ space }) => space !== 'ram')).toBe(false)
  })

  it('takes what it likes of a CPU that stands still, and calls it no cost', async () => {
    const { sampler, samples } = machine({ halted: () => true })
    sampler.set(request)
    await vi.advanceTimersByTimeAsync(2_500)
    await end(sampler)
    expect(samples.length).toBeGreaterThan(2)
    expect(samples[0]?.segments.reduce((sum, { bytes }) => sum + bytes.length, 0)).toBeGreaterThan(60_000)
    expect(samples.every(({ cost }) => cost === 0)).toBe(true)
  })

  it('tells of a failed read, waits, and goes on', async () => {
    let fails = true
    const { sampler, samples, errors } = machine({
      read: async ({ length }) => {
        if (fails) throw new AppError('BUSY', 'It is busy.')
        return new Uint8Array(length)
      },
    })
    sampler.set(request)
    await vi.advanceTimersByTimeAsync(1_900)
    expect(errors).toHaveLength(2)
    expect(samples).toEqual([])
    fails = false
    await vi.advanceTimersByTimeAsync(2_000)
    await end(sampler)
    expect(samples.length).toBeGreaterThan(5)
  })

  it('stops with the read that is under way, and says nothing afterwards', async () => {
    const { sampler, samples, errors } = machine({
      read: (_range, signal) =>
        new Promise((_done, failed) => signal.addEventListener('abort', () => failed(new Error('aborted')))),
    })
    sampler.set(request)
    await vi.advanceTimersByTimeAsync(100)
    const asked = sampler.sampleNow()
    await end(sampler)
    await asked
    expect({ samples, errors }).toEqual({ samples: [], errors: [] })
  })
})
