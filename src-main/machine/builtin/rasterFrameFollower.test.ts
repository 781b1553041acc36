import { describe, expect, it } from 'vitest'
import { halvesOf, type RasterFrame } from '@shared/contract/rasterFrame'
import { instructionAt } from '@shared/c64/rasterLines'
import { STORE, WAIT_FOR_LINE, run } from '../../../test/support/tinyRom'
import type { C64 } from './c64'
import { Checkpoints } from './checkpoints'
import { RasterFrameFollower } from './rasterFrameFollower'

const SCREEN_ON = [...STORE(0x1b, 0xd011), ...STORE(0xc8, 0xd016), ...STORE(0x14, 0xd018)]
const BAD_LINE = 51
const CYCLES = 63
const STA = 0x8d

function follow(c64: C64): RasterFrame {
  const follower = new RasterFrameFollower(c64)
  const checkpoints = new Checkpoints()
  while (!c64.runFollowed(checkpoints, follower).isDone);
  const { result } = follower
  if (!result) throw new Error('There is no frame.')
  return result
}

const lineOf = ({ cycles }: RasterFrame, line: number) =>
  [...cycles.subarray(line * CYCLES, (line + 1) * CYCLES)].map(halvesOf)
const places = (frame: RasterFrame, line: number, wanted: string, half: 'first' | 'second' = 'second') =>
  lineOf(frame, line).flatMap((cycle, at) => (cycle[half] === wanted ? [at] : []))
const from = (first: number, count: number) => Array.from({ length: count }, (_, at) => first + at)

describe('the cycles of a frame', () => {
  it('are the CPU’s in a line where nothing else is read', () => {
    const frame = follow(run(SCREEN_ON))
    expect(frame.cycles.length).toBe(CYCLES * 312)
    expect(places(frame, 20, 'reads')).toEqual(from(0, CYCLES))
    expect(places(frame, 20, 'refresh', 'first')).toEqual(from(10, 5))
    expect(places(frame, 20, 'graphics', 'first')).toEqual([])
    expect(places(frame, BAD_LINE + 1, 'graphics', 'first')).toEqual(from(15, 40))
  })

  it('are taken in a bad line, after three in which the CPU may only write', () => {
    const frame = follow(run(SCREEN_ON))
    expect(places(frame, BAD_LINE, 'matrix')).toEqual(from(14, 40))
    expect(places(frame, BAD_LINE, 'waits')).toEqual([11, 12, 13])
    expect(places(frame, BAD_LINE, 'reads')).toEqual([...from(0, 11), ...from(54, 9)])
  })

  it('are taken for sprites in the lines that they are in', () => {
    const sprites = [...STORE(0x05, 0xd015), ...STORE(100, 0xd001), ...STORE(100, 0xd005)]
    const frame = follow(run([...SCREEN_ON, ...sprites]))
    expect(places(frame, 100, 'sprite')).toEqual([57, 58, 61, 62])
    expect(places(frame, 101, 'pointer', 'first')).toContain(57)
    expect([57, 58, 61].map((cycle) => frame.sprites[cycle])).toEqual([0, 0, 2])
    expect(places(frame, 121, 'sprite')).toEqual([])
  })

  it('have what is written to the VIC-II, where it is written, and by which instruction', () => {
    const writes = [...STORE(7, 0xd020), ...STORE(3, 0xd418)]
    const c64 = run(SCREEN_ON, 2, { loop: [...WAIT_FOR_LINE(0x64), ...writes, ...WAIT_FOR_LINE(0x65)] })
    const frame = follow(c64)
    const [write, ...more] = frame.writes
    expect(more).toEqual([])
    expect(write).toMatchObject({ line: 0x64, address: 0xd020, value: 7 })
    const { line = 0, cycle = 0 } = write ?? {}
    expect(c64.space.peek(instructionAt(frame, line, cycle))).toBe(STA)
    expect(lineOf(frame, line)[cycle]?.second).toBe('writes')
  })

  it('are followed without a change to the machine, and end at a checkpoint without a frame', () => {
    const loop = [...WAIT_FOR_LINE(0x40), ...STORE(7, 0xd020), ...WAIT_FOR_LINE(0x80), ...STORE(1, 0xd020)]
    const [followed, alone] = [run(SCREEN_ON, 2, { loop }), run(SCREEN_ON, 2, { loop })]
    follow(followed)
    alone.runTo(followed.clock)
    expect(alone.save()).toEqual(followed.save())
    expect(alone.picture()).toEqual(followed.picture())
    const follower = new RasterFrameFollower(alone)
    const checkpoints = new Checkpoints()
    const any = { enabled: true, stop: true, temporary: false, condition: null, fromHit: 1, log: null }
    checkpoints.set({ start: 0xd020, end: 0xd020, operations: ['store'], ...any })
    expect(alone.runFollowed(checkpoints, follower).hit).toBeDefined()
    expect(follower.result).toBeNull()
  })
})
