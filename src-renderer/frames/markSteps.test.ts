import { describe, expect, it } from 'vitest'
import { flagsOf, markFrom, shownMark } from './markSteps'

const mark = (number: number, time: number) => ({ mark: number, time, text: `mark ${number}`, value: null })

describe('the next mark', () => {
  const marks = [mark(1, 100), mark(2, 125), mark(3, 300)]

  it('is the first or the last one while the machine is shown', () => {
    expect(markFrom(marks, null, 1)).toBe(marks[0])
    expect(markFrom(marks, null, -1)).toBe(marks[2])
    expect(markFrom([], null, 1)).toBeUndefined()
  })

  it('is not one of the frame that is shown, also where it lies within it', () => {
    expect(markFrom(marks, { time: 100, next: 120 }, 1)).toBe(marks[1])
    expect(markFrom(marks, { time: 120, next: 140 }, 1)).toBe(marks[2])
    expect(markFrom(marks, { time: 120, next: 140 }, -1)).toBe(marks[0])
  })

  it('does not exist past the ends', () => {
    expect(markFrom(marks, { time: 300, next: 320 }, 1)).toBeUndefined()
    expect(markFrom(marks, { time: 280, next: null }, 1)).toBeUndefined()
    expect(markFrom(marks, { time: 100, next: 120 }, -1)).toBeUndefined()
  })
})

describe('the mark of the frame that is shown', () => {
  const marks = [mark(1, 100), mark(2, 100), mark(3, 125)]

  it('is the chosen one of several, else the first', () => {
    expect(shownMark(marks, { time: 100, next: 120 }, null)).toBe(marks[0])
    expect(shownMark(marks, { time: 100, next: 120 }, 2)).toBe(marks[1])
    expect(shownMark(marks, { time: 120, next: 140 }, 2)).toBe(marks[2])
    expect(shownMark(marks, { time: 140, next: null }, 2)).toBeUndefined()
  })
})

describe('the flags of marks', () => {
  it('stand where the marks are, and share a place where they would cover each other', () => {
    const marks = [mark(1, 0), mark(2, 500), mark(3, 501), mark(4, 1_000)]
    const flags = flagsOf(marks, 0, 1_000, 100)
    expect(flags.map(({ place }) => place)).toEqual([0, 0.5, 1])
    expect(flags[1]?.marks.map((one) => one.mark)).toEqual([2, 3])
  })

  it('stand within the recording, be it of one frame', () => {
    expect(flagsOf([mark(1, 50)], 50, 50, 100).map(({ place }) => place)).toEqual([0])
    expect(flagsOf([mark(1, 90)], 0, 60, 100).map(({ place }) => place)).toEqual([1])
  })
})
