import { describe, expect, it } from 'vitest'
import { fitPlane, keepOnPlane, revealOnPlane, zoomPlane } from './plane'

const window = { width: 800, height: 400 }

describe('the window onto a plane', () => {
  it('shows all of a large plane, and a small one in the middle at its size', () => {
    const large = fitPlane({ width: 8_000, height: 1_000 }, window)
    expect(large.scale).toBeCloseTo(0.096)
    expect(large.left).toBeLessThan(0)
    expect(fitPlane({ width: 100, height: 100 }, window)).toEqual({ scale: 1, left: -350, top: -150 })
  })

  it('zooms around the point under the pointer, and no further out than all of it', () => {
    const plane = { width: 8_000, height: 4_000 }
    const view = { scale: 0.5, left: 1_000, top: 500 }
    const zoomed = zoomPlane(view, 2, 200, 100, plane, window)
    expect(zoomed.left + 200 / zoomed.scale).toBeCloseTo(view.left + 200 / view.scale)
    expect(zoomed.top + 100 / zoomed.scale).toBeCloseTo(view.top + 100 / view.scale)
    expect(zoomPlane(view, 1e-6, 0, 0, plane, window).scale).toBeCloseTo(fitPlane(plane, window).scale)
    expect(zoomPlane(view, 1e6, 0, 0, plane, window).scale).toBe(2)
  })

  it('does not lose the plane when it is moved far', () => {
    const plane = { width: 8_000, height: 4_000 }
    expect(keepOnPlane({ scale: 1, left: 1e6, top: -1e6 }, plane, window)).toEqual({ scale: 1, left: 7_600, top: -200 })
  })

  it('moves as little as needed to show a box', () => {
    const view = { scale: 1, left: 0, top: 0 }
    expect(revealOnPlane(view, { x: 100, y: 100, width: 50, height: 50 }, window)).toEqual(view)
    expect(revealOnPlane(view, { x: 1_000, y: 100, width: 50, height: 50 }, window)).toEqual({
      scale: 1,
      left: 266,
      top: 0,
    })
    expect(revealOnPlane(view, { x: -30, y: -5, width: 50, height: 50 }, window)).toEqual({
      scale: 1,
      left: -46,
      top: -21,
    })
  })
})
