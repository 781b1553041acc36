import { describe, expect, it } from 'vitest'
import { AnimationGrab, animationOf, MAX_CHANGES } from './animationGrab'
import type { SpriteArt } from './artwork'

const picture = (n: number, colour = 1): SpriteArt => ({
  name: `$${n}`,
  bytes: new Uint8Array(63).fill(n),
  overlay: false,
  colour,
  multicolour: false,
  expandX: false,
  expandY: false,
})

/** What is shown, sampled each 20 ms. */
function watched(shown: readonly (readonly [picture: number, frames: number])[]) {
  const grab = new AnimationGrab()
  let time = 1000
  for (const [n, frames] of shown)
    for (let frame = 0; frame < frames; frame++, time += 20) grab.add({ time, sprite: picture(n) })
  return grab
}

describe('an animation out of what is shown', () => {
  it('is one round of its loop, with the time of each frame', () => {
    const round = [
      [1, 4],
      [2, 8],
      [3, 2],
    ] as const
    const { sprites, frames, period } = watched([[2, 3], [3, 2], ...round, ...round, [1, 1]]).result(20)
    expect(sprites.map(({ name }) => name)).toEqual(['$2', '$3', '$1'])
    expect(frames.map(({ sprite, ms }) => [sprites[sprite]?.name, ms])).toEqual([
      ['$2', 160],
      ['$3', 40],
      ['$1', 80],
    ])
    expect(period).toBe(3)
  })

  it('goes there and back where the program does', () => {
    const { frames } = watched([1, 2, 3, 2, 1, 2, 3, 2].map((n) => [n, 5])).result(20)
    expect(frames.map(({ sprite }) => sprite)).toEqual([0, 1, 2, 1])
  })

  it('is all that was shown where nothing repeats', () => {
    const { frames, period } = watched([1, 2, 3].map((n) => [n, 5])).result(20)
    expect([frames.map(({ sprite }) => sprite), period]).toEqual([[0, 1, 2], null])
    expect(watched([[1, 50]]).result(20).frames).toHaveLength(1)
  })

  it('does not take a late sample for another speed, and counts whole frames', () => {
    const shown = [100, 79, 82, 80, 140, 80, 81, 5].map((ms, at) => ({ sprite: at % 2, ms }))
    expect(animationOf(shown, 20).frames).toEqual([
      { sprite: 0, ms: 80 },
      { sprite: 1, ms: 80 },
    ])
  })

  it('tells the same bytes in another colour apart', () => {
    const grab = new AnimationGrab()
    grab.add({ time: 0, sprite: picture(1, 2) })
    grab.add({ time: 20, sprite: picture(1, 3) })
    expect([grab.pictures, grab.changes]).toEqual([2, 1])
  })

  it('begins anew where time runs backwards, and ends where it would grow without end', () => {
    const grab = watched([
      [1, 5],
      [2, 5],
    ])
    grab.add({ time: 0, sprite: picture(3) })
    expect([grab.pictures, grab.changes]).toEqual([1, 0])
    for (let n = 0; n < MAX_CHANGES + 10; n++) grab.add({ time: 20 + n, sprite: picture(n & 1) })
    expect(grab.isFull).toBe(true)
    expect(grab.changes).toBe(MAX_CHANGES - 1)
  })
})
