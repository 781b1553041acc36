import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { framePeriod } from './c64'
import { Pacer, SpeedMeter } from './pacing'

const PERIOD = framePeriod('pal')

describe('pacing', () => {
  it('runs exactly as many frames as have passed, however late each timer is', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 400, noNaN: true }), { minLength: 1, maxLength: 200 }),
        (lateness) => {
          const pacer = new Pacer(PERIOD, 1_000)
          let now = 1_000
          let frames = 0
          for (const late of lateness) {
            now += pacer.delay(now) + late
            frames += pacer.due(now)
          }
          expect(frames).toBe(Math.floor((now - 1_000) / PERIOD) + 1)
        },
      ),
    )
  })

  it('runs 1,504 frames in 30 seconds of PAL, whose rate is 50.12 Hz', () => {
    const pacer = new Pacer(PERIOD, 0)
    let frames = 0
    for (let now = 0; now < 30_000; now += 1) frames += pacer.due(now)
    expect(frames).toBe(1_504)
  })

  it('waits for the next frame and no longer', () => {
    const pacer = new Pacer(20, 0)
    expect(pacer.due(0)).toBe(1)
    expect(pacer.delay(5)).toBe(15)
    expect(pacer.due(19)).toBe(0)
    expect(pacer.delay(25)).toBe(0)
    expect(pacer.due(25)).toBe(1)
    expect(pacer.delay(25)).toBe(15)
  })

  it('keeps due what there was no time to run, up to a long stall', () => {
    const pacer = new Pacer(20, 0)
    expect(pacer.due(100)).toBe(6)
    pacer.defer(4)
    expect(pacer.delay(100)).toBe(0)
    expect(pacer.due(119)).toBe(4)
    pacer.defer(4)
    expect(pacer.due(60_000)).toBe(1)
  })

  it('catches up after a short stall and skips a long one', () => {
    const pacer = new Pacer(20, 0)
    pacer.due(0)
    expect(pacer.due(401)).toBe(20)
    expect(pacer.due(60_000)).toBe(1)
    expect(pacer.delay(60_000)).toBe(20)
  })
})

describe('the speed', () => {
  it('is the machine’s cycles against the host’s clock, since the last measurement', () => {
    const meter = new SpeedMeter()
    meter.restart(1_000, 500)
    meter.note(2_000, 500 + 2_000_000)
    expect(meter.measure(1_000_000)).toBe(2)
    meter.note(2_500, 500 + 2_250_000)
    expect(meter.measure(1_000_000)).toBe(0.5)
  })

  it('is none of a machine that stood still', () => {
    const meter = new SpeedMeter()
    meter.restart(1_000, 0)
    expect(meter.measure(1_000_000)).toBeNull()
  })
})
