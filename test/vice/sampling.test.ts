import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { requireFacet, type Machine, type Sample } from '../../src-main/machine/machine'
import { demo } from '../support/ownRoms'
import { lacks } from '../support/parts'
import { eventually } from './eventually'
import {
  attachedMachine,
  bytesOf,
  collectSamples,
  everything,
  frameCount,
  frameCounter,
  memoryNotes,
  read,
  soon,
  startVice,
  write,
  type RunningVice,
} from './support'

const execution = (machine: Machine) => requireFacet(machine, 'pause')
const stepping = (machine: Machine) => requireFacet(machine, 'step')
const resources = (machine: Machine) => requireFacet(machine, 'resources')

/** Runs the program that counts frames. */
async function countFrames(machine: Machine): Promise<void> {
  await execution(machine).pause(soon())
  await write(machine, 0xc000, ...frameCounter)
  await requireFacet(machine, 'setRegisters').write('PC', 0xc000, soon())
  await execution(machine).resume(soon())
}

const counts = (samples: readonly Sample[]): number[] => samples.map((sample) => frameCount(bytesOf(sample, 'ram')))

describe.skipIf(lacks('vice', 'xvfb'))('sampling VICE', () => {
  let vice: RunningVice
  let machine: Machine
  let samples: Sample[]

  beforeAll(async () => {
    vice = await startVice()
  })
  afterAll(async () => {
    await vice.stop()
  })
  beforeEach(async () => {
    machine = attachedMachine(vice.port)
    samples = collectSamples(machine)
    await machine.connect(soon())
  })
  afterEach(async () => {
    if (machine.status.connection === 'live') {
      const checkpoints = requireFacet(machine, 'checkpoints')
      for (const { number } of await checkpoints.list(soon())) await checkpoints.delete(number, soon())
      await execution(machine).reset('power', soon())
    }
    await machine.disconnect()
  })

  it('delivers one sample when it is off, whole and with the time of the read', async () => {
    const before = Date.now()
    await machine.setSampling(everything)
    expect(samples).toHaveLength(1)
    const [sample] = samples
    const sizes = sample?.segments.map(({ space, address, bytes }) => [space, address, bytes.length])
    expect(sizes).toEqual([
      ['cpu', 0, 0x10000],
      ['ram', 0, 0x10000],
      ['io', 0xd000, 0x1000],
      ['colorRam', 0xd800, 0x400],
      ['rom', 0xa000, 0x2000],
      ['rom', 0xd000, 0x1000],
      ['rom', 0xe000, 0x2000],
    ])
    expect(sample?.segments.every(({ bytes }) => bytes.buffer.byteLength === bytes.length)).toBe(true)
    expect(sample?.registers?.map(({ name }) => name)).toContain('PC')
    expect(sample?.picture).toMatchObject({ width: 384, height: 272 })
    expect(sample?.time).toBeGreaterThanOrEqual(before - 1)
    expect(sample?.time).toBeLessThanOrEqual(Date.now() + 1)
    expect(bytesOf(sample, 'colorRam').every((nibble) => nibble < 16)).toBe(true)
  })

  it('costs the machine nothing when nobody wants anything', async () => {
    await machine.setSampling({ mode: 'free', rate: 50, spaces: [], picture: false })
    await countFrames(machine)
    await eventually(() => read(machine, 0xfb)).not.toEqual([0])
    expect(samples).toEqual([])
  })

  it('freely goes on by itself while the machine runs, and tells its cost and speed', async () => {
    await countFrames(machine)
    await machine.setSampling({ ...everything, mode: 'free', rate: 25 })
    await eventually(() => samples.length).toBeGreaterThan(10)
    const seen = counts(samples)
    expect(new Set(seen).size).toBeGreaterThan(5)
    // One sample's stop may be counted with the next: VICE tells late that it goes on.
    const costs = samples.flatMap(({ cost }) => (cost === undefined ? [] : [cost]))
    expect(Math.max(...costs)).toBeGreaterThan(0)
    expect(Math.max(...costs)).toBeLessThanOrEqual(1)
    expect(machine.status.execution).toBe('running')
  })

  it('freely goes on while something is written in each frame, and every write is made', async () => {
    await machine.setSampling({ mode: 'free', rate: 50, spaces: ['ram'], picture: false })
    await eventually(() => samples.length).toBeGreaterThan(0)
    const before = samples.length
    for (let value = 1; value <= 100; value++) await write(machine, 0x2000 + value, value)
    expect(samples.length).toBeGreaterThan(before + 5)
    const written = Array.from({ length: 100 }, (_, index) => index + 1)
    expect([...(await machine.readMemory({ space: 'ram', address: 0x2001, length: 100 }, soon()))]).toEqual(written)
  })

  it('freely measures the speed by the jiffy clock, and does not guess where it stands still', async () => {
    await machine.setSampling({ ...everything, mode: 'free', rate: 20 })
    await eventually(() => machine.status.speed).toBeGreaterThan(0.5)
    await countFrames(machine) // interrupts are off
    await eventually(() => machine.status.speed).toBeNull()
  })

  it('in lock-step takes exactly one sample of each frame', async () => {
    await countFrames(machine)
    await machine.setSampling({ mode: 'lockStep', rate: 50, spaces: ['ram'], picture: true })
    await eventually(() => samples.length).toBeGreaterThan(100)
    const seen = counts(samples)
    const steps = seen.slice(1).map((count, index) => (count - (seen[index] ?? 0)) & 0xffff)
    expect(new Set(steps)).toEqual(new Set([1]))
    await eventually(() => machine.status.speed).toBeGreaterThan(0)
  })

  it('in lock-step changes VICE’s speed limit and puts it back', async () => {
    await resources(machine).set('Speed', 80, soon())
    await machine.setSampling({ mode: 'lockStep', rate: 50, spaces: ['ram'], picture: false })
    expect(await resources(machine).get('Speed', soon())).toBe(1000)
    await machine.setSampling({ ...everything, mode: 'off' })
    expect(await resources(machine).get('Speed', soon())).toBe(80)
    await resources(machine).set('Speed', 100, soon())
    await countFrames(machine)
    await eventually(() => read(machine, 0xfb)).not.toEqual([0])
  })

  it('puts back the speed limit that a crash left changed, when it attaches again', async () => {
    const notes = memoryNotes()
    const crashed = attachedMachine(vice.port, notes)
    await machine.disconnect()
    await crashed.connect(soon())
    await crashed.setSampling({ mode: 'lockStep', rate: 50, spaces: ['ram'], picture: false })
    const left = new Map(notes.values)
    expect([...left.values()].join()).toContain('Speed')
    // What a crash leaves: the note, and VICE at the speed that we gave it.
    await crashed.disconnect()
    await machine.connect(soon())
    await resources(machine).set('Speed', 1000, soon())
    await machine.disconnect()
    const again = attachedMachine(vice.port, { ...memoryNotes(), get: (name) => left.get(name) })
    await again.connect(soon())
    expect(await resources(again).get('Speed', soon())).toBe(100)
    await again.disconnect()
    await machine.connect(soon())
  })

  it('in lock-step pauses, carries out commands between frames, and goes on', async () => {
    await countFrames(machine)
    await machine.setSampling({ mode: 'lockStep', rate: 50, spaces: ['ram'], picture: false })
    await eventually(() => samples.length).toBeGreaterThan(5)
    await write(machine, 0x2000, 0x77)
    expect(await read(machine, 0x2000)).toEqual([0x77])
    await execution(machine).pause(soon())
    const paused = await read(machine, 0xfb, 2)
    expect(await read(machine, 0xfb, 2)).toEqual(paused)
    const before = samples.length
    await execution(machine).resume(soon())
    await eventually(() => samples.length).toBeGreaterThan(before + 5)
  })

  it('in lock-step stops at a checkpoint in the middle of a frame', async () => {
    await countFrames(machine)
    await machine.setSampling({ mode: 'lockStep', rate: 50, spaces: ['ram'], picture: false })
    const checkpoints = requireFacet(machine, 'checkpoints')
    const at = {
      start: 0xc008,
      end: 0xc008,
      operations: ['exec' as const],
      stop: true,
      enabled: true,
      temporary: true,
      condition: null,
      fromHit: 1,
      log: null,
    }
    await checkpoints.set(at, soon())
    await eventually(() => machine.status.execution).toBe('paused')
    const registers = await requireFacet(machine, 'registers').read(soon())
    expect(registers.find(({ name }) => name === 'PC')?.value).toBe(0xc008)
    await execution(machine).resume(soon())
    const before = samples.length
    await eventually(() => samples.length).toBeGreaterThan(before + 5)
  })

  it('in lock-step goes on after a reset and after a program was started', async () => {
    await machine.setSampling({ mode: 'lockStep', rate: 50, spaces: ['ram'], picture: false })
    await execution(machine).reset('power', soon())
    const before = samples.length
    await eventually(() => samples.length).toBeGreaterThan(before + 10)
    const bytes = new Uint8Array(await readFile(demo))
    await requireFacet(machine, 'runProgram').run({ name: 'demo.prg', path: demo, bytes }, soon())
    const start = (bytes[0] ?? 0) | ((bytes[1] ?? 0) << 8)
    await eventually(() => [...bytesOf(samples.at(-1), 'ram').subarray(start, start + 16)]).toEqual([
      ...bytes.subarray(2, 18),
    ])
    expect(machine.status.execution).toBe('running')
  })

  it('free sampling never runs past a checkpoint', async () => {
    await countFrames(machine)
    await machine.setSampling({ mode: 'free', rate: 60, spaces: ['ram'], picture: false })
    const checkpoints = requireFacet(machine, 'checkpoints')
    const at = {
      start: 0xc008,
      end: 0xc008,
      operations: ['exec' as const],
      stop: true,
      enabled: true,
      temporary: false,
      condition: null,
      fromHit: 1,
      log: null,
    }
    for (let round = 0; round < 10; round++) {
      const { number } = await checkpoints.set(at, soon())
      await eventually(() => machine.status.execution).toBe('paused')
      const [listed] = await checkpoints.list(soon())
      expect(listed?.hits).toBe(1)
      await checkpoints.delete(number, soon())
      await execution(machine).resume(soon())
    }
  })

  it('delivers a fresh sample after a pause, a step and a write, and none in between', async () => {
    await countFrames(machine)
    await machine.setSampling({ mode: 'free', rate: 50, spaces: ['ram'], picture: false })
    await eventually(() => samples.length).toBeGreaterThan(2)
    await execution(machine).pause(soon())
    const afterPause = samples.length
    await write(machine, 0x2000, 0x99)
    expect(samples).toHaveLength(afterPause + 1)
    expect(bytesOf(samples.at(-1), 'ram')[0x2000]).toBe(0x99)
    await stepping(machine).step(1, false, soon())
    expect(samples).toHaveLength(afterPause + 2)
  })

  it('warps in lock-step too, without a speed limit of VICE, still one frame a sample', async () => {
    await countFrames(machine)
    await requireFacet(machine, 'warp').setWarp(true, soon())
    await machine.setSampling({ mode: 'lockStep', rate: 50, spaces: ['ram'], picture: false })
    expect(await resources(machine).get('Speed', soon())).toBe(100_000)
    await eventually(() => samples.length).toBeGreaterThan(100)
    const seen = counts(samples)
    expect(seen.slice(1).every((count, index) => ((count - (seen[index] ?? 0)) & 0xffff) === 1)).toBe(true)
    await requireFacet(machine, 'warp').setWarp(false, soon())
  })

  it('changes of what is wanted follow each other without two loops running', async () => {
    await countFrames(machine)
    const request = { mode: 'lockStep', rate: 50, spaces: ['ram'], picture: false } as const
    await Promise.all([
      machine.setSampling(request),
      machine.setSampling({ ...request, picture: true }),
      machine.setSampling(request),
    ])
    await eventually(() => samples.length).toBeGreaterThan(20)
    const seen = counts(samples.slice(-15))
    expect(seen.slice(1).every((count, index) => ((count - (seen[index] ?? 0)) & 0xffff) === 1)).toBe(true)
  })
})
