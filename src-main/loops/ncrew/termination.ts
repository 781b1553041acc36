/** In the order of specification 002; the first check that holds decides. */
import { listNames } from '@shared/listNames'
import type { Remembered } from '../../formats/format'
import { openGate, type Gate } from '../../formats/ncrew/gates'
import { boxesQuestion, boxesToAsk, boxText } from '../../formats/ncrew/outsideBoxes'
import { isOpen, isUnclear } from '../../formats/ncrew/questions'
import type { State } from '../../formats/ncrew/state'
import { unclear } from '../../formats/ncrew/unclear'
import { costLimitReached } from '../limits'
import type { CrewLimits, CrewUsage } from './crewLimits'

export type Verdict =
  | { readonly code: 0 | 10 | 20 | 21; readonly message: string; readonly hint: string }
  | { readonly code: 11; readonly message: string; readonly hint: string; readonly gate: Gate }
  | { readonly code: 100 }

export function checkTermination(state: State, used: CrewUsage, limits: CrewLimits, remembered: Remembered): Verdict {
  if (state.complete !== undefined)
    return {
      code: 0,
      message: `The crew is done: ${state.complete} exists.`,
      hint: 'To continue anyway, delete that file and add a task.',
    }
  const pending = state.questions.filter(isOpen)
  const [first] = pending
  if (first) {
    const names = pending.map(({ file }) => file.text.path).join(', ')
    const unsure = pending.find(isUnclear)
    const answered = unsure
      ? `Not clearly resolved: ${unsure.file.text.path}, as ${unsure.open ?? ''}. Answer it and set its status to resolved.`
      : first.decision === undefined
        ? 'Answer it and set its status to resolved, then resume.'
        : 'It has an answer: set its status to resolved, then resume.'
    return {
      code: 10,
      message:
        pending.length === 1
          ? `${unsure ? 'A question is not clearly resolved' : 'A question needs an answer'}: ${first.title} (${names}).`
          : `${pending.length} questions need answers: ${names}.`,
      hint: answered,
    }
  }
  const [doubt] = unclear(state)
  if (doubt) return { code: 10, message: doubt.text, hint: 'Fix the file, then resume.' }
  const gate = openGate(state, remembered)
  if (gate)
    return {
      code: 11,
      message: `Phase ${gate.phase.name} is complete and needs approval.`,
      hint: 'Review its results, approve it, then resume.',
      gate,
    }
  const boxes = boxesToAsk(state, remembered)
  if (boxes.length > 0)
    return {
      code: 10,
      message: `${boxesQuestion(boxes)}: ${listNames(boxes.map(boxText))}.`,
      hint: 'Are they settled? Answer finish or continue in the inbox or with project answer, then resume.',
    }
  if (used.iterations >= limits.maxIterations)
    return {
      code: 20,
      message: `Iteration limit reached: ${used.iterations} of ${limits.maxIterations} used.`,
      hint: 'Raise execution.max_iterations in the manifest, or run with --max-iterations.',
    }
  if (used.cost >= limits.maxCost)
    return {
      code: 21,
      message: costLimitReached(used.cost, limits.maxCost),
      hint: 'Raise execution.max_cost in the manifest, or run with --max-cost.',
    }
  return { code: 100 }
}
