import { describe, expect, it } from 'vitest'
import { locationOf } from '@shared/c64/banking'
import { InterruptStops, type StopPlace } from './interruptStops'

const raster = { cyclesPerLine: 63, linesPerFrame: 312 }
const at = (line: number, cycle: number, sp: number, pc = 0xc000, flags = 0x20): StopPlace => ({
  pc,
  sp,
  flags,
  line,
  cycle,
  pins: 7,
})
/** An interrupt pushed these flags below the given stack pointer. */
const entry = (sp: number, vector: number, flags = 0x20) => {
  const stack = new Uint8Array(0x100)
  stack[sp + 1] = flags
  return { stack, vector }
}
const taken = (line: number, cycle: number, sp: number, pc: number): StopPlace => at(line, cycle, sp, pc, 0x24)

function begun(frames = 1): InterruptStops {
  const stops = new InterruptStops(raster, frames)
  stops.vectorRead('irq', taken(300, 0, 0xf0, 0xff48), entry(0xf0, 0xff48))
  stops.frame(at(0, 3, 0xf3))
  return stops
}

describe('the interrupts of VICE', () => {
  it('begin seven cycles before the first instruction, and end where the stack is as high', () => {
    const stops = begun()
    stops.vectorRead('irq', taken(100, 17, 0xf0, 0xff48), entry(0xf0, 0xff48))
    stops.jumped(taken(100, 45, 0xed, 0xea31), 0xea31)
    expect(stops.endsAt).toBe(0xf3)
    stops.ran(at(103, 10, 0xf3))
    expect(stops.endsAt).toBeNull()
    stops.ran(at(130, 0, 0xf3))
    expect(stops.isDone).toBe(false)
    stops.frame(at(0, 1, 0xf3))
    expect(stops.isDone).toBe(true)
    const start = 100 * 63 + 10
    expect(stops.result).toEqual({
      cycles: 312 * 63 + 1,
      ...raster,
      isCut: false,
      spans: [
        {
          kind: 'irq',
          entry: locationOf('rom', 0xff48),
          handler: locationOf('rom', 0xea31),
          depth: 0,
          waited: null,
          start,
          end: 103 * 63 + 10,
          cycles: 3 * 63,
        },
      ],
    })
  })

  it('have their handlers in the memory that the CPU saw', () => {
    const stops = begun()
    const underKernal = { ...taken(100, 17, 0xf0, 0xe100), pins: 5 }
    stops.vectorRead('irq', underKernal, entry(0xf0, 0xe100))
    expect(stops.result.spans).toMatchObject([{ entry: locationOf('ram', 0xe100) }])
  })

  it('end where the next one is taken without an instruction in between', () => {
    const stops = begun()
    stops.vectorRead('irq', taken(50, 7, 0xf0, 0xc100), entry(0xf0, 0xc100))
    stops.vectorRead('irq', taken(51, 7, 0xf0, 0xc100), entry(0xf0, 0xc100))
    expect(stops.result.spans).toMatchObject([
      { start: 50 * 63, end: 51 * 63, cycles: 63, depth: 0 },
      { start: 51 * 63, end: null, cycles: 7, depth: 0 },
    ])
  })

  it('count the entry for the interrupt, also where it stopped there for something else before', () => {
    const stops = begun()
    stops.vectorRead('irq', taken(126, 7, 0xf0, 0xc100), entry(0xf0, 0xc100))
    stops.ran(taken(128, 7, 0xed, 0xc200))
    stops.vectorRead('nmi', taken(128, 7, 0xed, 0xc200), entry(0xed, 0xc200, 0x24))
    expect(stops.result.spans).toMatchObject([
      { kind: 'irq', cycles: 2 * 63, depth: 0 },
      { kind: 'nmi', start: 128 * 63, cycles: 7, depth: 1 },
    ])
  })

  it.each([
    ['a BRK', taken(10, 0, 0xf0, 0xc100), entry(0xf0, 0xc100, 0x30)],
    ['a program that reads the vector', taken(10, 0, 0xf0, 0xc003), entry(0xf0, 0xc100)],
    ['a jump through the vector', at(10, 0, 0xf0, 0xc100), entry(0xf0, 0xc100)],
    ['one taken before the first line', taken(0, 5, 0xf0, 0xc100), entry(0xf0, 0xc100)],
  ])('do not have %s', (_name, place, bytes) => {
    const stops = begun()
    stops.vectorRead('irq', place, bytes)
    expect(stops.result.spans).toEqual([])
  })
})
