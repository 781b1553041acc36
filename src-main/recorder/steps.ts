import { AppError } from '@shared/contract/errors'
import type { Condition } from '@shared/contract/recorder'

export interface Step {
  readonly frame: number
  readonly value: number
  readonly before: number | null
}

export interface SteppedRange {
  frame: number
  value: number
  low: number
  high: number
}

export function groupSteps(
  steps: readonly Step[],
  frames: { readonly first: number; readonly last: number },
  count: number,
): Readonly<SteppedRange>[] {
  const width = (frames.last - frames.first + 1) / count
  const ranges: (SteppedRange & { readonly index: number })[] = []
  for (const { frame, value, before } of steps) {
    const index = Math.floor((frame - frames.first) / width)
    const last = ranges.at(-1)
    if (last?.index === index) {
      last.value = value
      last.low = Math.min(last.low, value)
      last.high = Math.max(last.high, value)
    } else {
      const was = before ?? value
      ranges.push({ frame, index, value, low: Math.min(was, value), high: Math.max(was, value) })
    }
  }
  return ranges
}

/** @throws AppError INVALID for a comparison without a value */
export function stepTest({ is, value }: Condition): (step: Step) => boolean {
  if (is === 'changes') return ({ before }) => before !== null
  if (value === undefined) throw new AppError('INVALID', `The condition “${is}” needs a value to compare with.`)
  switch (is) {
    case 'equals':
      return (step) => step.value === value
    case 'notEquals':
      return (step) => step.value !== value
    case 'above':
      return (step) => step.value > value
    case 'below':
      return (step) => step.value < value
  }
}
