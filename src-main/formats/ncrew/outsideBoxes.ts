/**
 * Open boxes of a finished crew outside its phases, such as success criteria: only the person knows whether they still
 * count, so the crew asks once. The answer is remembered beside the project's files.
 */
import { storedJson } from '@shared/storedJson'
import { z } from 'zod'
import type { Remembered } from '../format'
import type { CheckboxLine, HeadingLine } from '../text/markdown'
import { slug } from './heading'
import { nextTask, type State } from './state'

const KNOWN_BOXES = 'known boxes outside the phases'

export interface OutsideBox {
  readonly heading: HeadingLine | undefined
  readonly line: CheckboxLine
}

export function openOutside(state: State): OutsideBox[] {
  const isFinished = state.phases.length > 0 && nextTask(state) === undefined
  if (state.complete !== undefined || !isFinished) return []
  return state.outside.flatMap(({ heading, boxes }) => boxes.flatMap((line) => (line.checked ? [] : { heading, line })))
}

/** Empty once the person was asked about every one of them. */
export function boxesToAsk(state: State, remembered: Remembered): OutsideBox[] {
  const open = openOutside(state)
  const known = new Set(knownBoxes(remembered))
  return open.every((box) => known.has(idOf(box))) ? [] : open
}

export const withKnownBoxes = (boxes: readonly OutsideBox[], remembered: Remembered): Record<string, string> => ({
  [KNOWN_BOXES]: JSON.stringify([...new Set([...knownBoxes(remembered), ...boxes.map(idOf)])]),
})

export const boxText = ({ heading, line }: OutsideBox): string =>
  heading === undefined ? line.text : `${heading.text}: ${line.text}`

export const boxesQuestion = (boxes: readonly OutsideBox[]): string =>
  `All tasks are done, but ${boxes.length === 1 ? '1 box outside the phases is' : `${boxes.length} boxes outside the phases are`} open`

const knownBoxes = (remembered: Remembered): readonly string[] =>
  storedJson(remembered.get(KNOWN_BOXES), z.array(z.string())) ?? []

/** Words, so that a box stays known when lines move. */
const idOf = (box: OutsideBox): string => `${slug(box.heading?.text ?? '')}: ${box.line.text}`
