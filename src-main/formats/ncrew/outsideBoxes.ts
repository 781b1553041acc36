/**
 * Open boxes of a finished crew that no phase has, such as success criteria: nobody but the person knows whether they still count, so
 * the crew asks once. The answer has no place in the project's files; it is remembered beside them.
 */
import { storedJson } from '@shared/storedJson'
import { z } from 'zod'
import type { Remembered } from '../format'
import type { CheckboxLine, HeadingLine } from '../text/markdown'
import { slug } from './heading'
import { nextTask, type State } from './state'

/** The name under which the boxes are remembered that the person said to continue with: a JSON list of {@link idOf}. */
const KNOWN_BOXES = 'known boxes outside the phases'

export interface OutsideBox {
  readonly heading: HeadingLine | undefined
  readonly line: CheckboxLine
}

/** Empty while a phase has an open task, or none has any. */
export function openOutside(state: State): OutsideBox[] {
  const isFinished = state.phases.length > 0 && nextTask(state) === undefined
  if (state.complete !== undefined || !isFinished) return []
  return state.outside.flatMap(({ heading, boxes }) => boxes.flatMap((line) => (line.checked ? [] : { heading, line })))
}

/** The open boxes, where the person was not asked about every one of them. */
export function boxesToAsk(state: State, remembered: Remembered): OutsideBox[] {
  const open = openOutside(state)
  const known = new Set(knownBoxes(remembered))
  return open.every((box) => known.has(idOf(box))) ? [] : open
}

export const withKnownBoxes = (boxes: readonly OutsideBox[], remembered: Remembered): Record<string, string> => ({
  [KNOWN_BOXES]: JSON.stringify([...new Set([...knownBoxes(remembered), ...boxes.map(idOf)])]),
})

/** `Success criteria: it is fast` */
export const boxText = ({ heading, line }: OutsideBox): string =>
  heading === undefined ? line.text : `${heading.text}: ${line.text}`

export const boxesQuestion = (boxes: readonly OutsideBox[]): string =>
  `All tasks are done, but ${boxes.length === 1 ? '1 box outside the phases is' : `${boxes.length} boxes outside the phases are`} open`

const knownBoxes = (remembered: Remembered): readonly string[] =>
  storedJson(remembered.get(KNOWN_BOXES), z.array(z.string())) ?? []

/** Its words, so that it stays known when lines move. */
const idOf = (box: OutsideBox): string => `${slug(box.heading?.text ?? '')}: ${box.line.text}`
