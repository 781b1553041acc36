import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { crop, pan, zoom } from './span'

const whole = { from: 1_000, to: 11_000 }

describe('the time that a chart shows', () => {
  it('becomes less around the place that is pointed at', () => {
    expect(zoom(whole, whole, 0.5, 0)).toEqual({ from: 1_000, to: 6_000 })
    expect(zoom(whole, whole, 0.5, 1)).toEqual({ from: 6_000, to: 11_000 })
    expect(zoom({ from: 2_000, to: 4_000 }, whole, 0.5, 0.5)).toEqual({ from: 2_500, to: 3_500 })
  })

  it('moves, and stops at the ends', () => {
    expect(pan({ from: 2_000, to: 4_000 }, whole, 0.5)).toEqual({ from: 3_000, to: 5_000 })
    expect(pan({ from: 2_000, to: 4_000 }, whole, -5)).toEqual({ from: 1_000, to: 3_000 })
    expect(pan({ from: 2_000, to: 4_000 }, whole, 50)).toEqual({ from: 9_000, to: 11_000 })
  })

  it('loses time at one end', () => {
    expect(crop({ from: 2_000, to: 4_000 }, whole, 'from', 0.1)).toEqual({ from: 2_200, to: 4_000 })
    expect(crop({ from: 2_000, to: 4_000 }, whole, 'to', 0.1)).toEqual({ from: 2_000, to: 3_800 })
  })

  it('never leaves the whole, whatever is done', () => {
    const steps = fc.array(
      fc.tuple(fc.double({ min: 0.01, max: 100, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
      { maxLength: 20 },
    )
    fc.assert(
      fc.property(steps, (all) => {
        let span = whole
        for (const [factor, at] of all) span = pan(zoom(span, whole, factor, at), whole, factor - 1)
        expect(span.from).toBeGreaterThanOrEqual(whole.from - 1e-6)
        expect(span.to).toBeLessThanOrEqual(whole.to + 1e-6)
        expect(span.to - span.from).toBeGreaterThan(19.9)
      }),
    )
  })
})
