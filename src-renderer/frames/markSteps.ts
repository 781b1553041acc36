import type { Mark } from '@shared/contract/recorder'

interface ShownFrame {
  readonly time: number
  readonly next: number | null
}

const isIn = ({ time }: Mark, frame: ShownFrame): boolean =>
  time >= frame.time && (frame.next === null || time < frame.next)

export function shownMark(marks: readonly Mark[], frame: ShownFrame, chosen: number | null): Mark | undefined {
  const shown = marks.filter((mark) => isIn(mark, frame))
  return shown.find(({ mark }) => mark === chosen) ?? shown[0]
}

/** The nearest mark after the frame (1) or before it (-1); without a frame the first or the last one. */
export function markFrom(marks: readonly Mark[], frame: ShownFrame | null, step: 1 | -1): Mark | undefined {
  if (frame === null) return step === 1 ? marks[0] : marks.at(-1)
  if (step === -1) return marks.findLast(({ time }) => time < frame.time)
  return marks.find((mark) => mark.time > frame.time && !isIn(mark, frame))
}

export interface Flag {
  /** 0 to 1. */
  readonly place: number
  readonly marks: readonly [Mark, ...Mark[]]
}

/**
 * Marks too close to each other share a flag.
 * @param places as many as fit beside each other
 */
export function flagsOf(marks: readonly Mark[], from: number, to: number, places: number): Flag[] {
  const flags = new Map<number, { place: number; marks: [Mark, ...Mark[]] }>()
  for (const mark of marks) {
    const place = Math.min(1, Math.max(0, (mark.time - from) / Math.max(1, to - from)))
    const slot = Math.round(place * places)
    const flag = flags.get(slot)
    if (flag) flag.marks.push(mark)
    else flags.set(slot, { place, marks: [mark] })
  }
  return [...flags.values()]
}
