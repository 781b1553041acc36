import type { DetailsOf } from '@shared/contract/runDetails'
import { field, textOf } from '../text/located'
import { nextTask, type State } from './state'

export type NcrewDetails = DetailsOf<'ncrew'>

export const detailsOf = (state: State): NcrewDetails => ({
  system: 'ncrew',
  experts: state.experts,
  questions: state.questions.map(({ file, title, status, decision, reason }) => ({
    file: file.text.path,
    title,
    from: textOf(field(file.front.document.root, 'from')) ?? null,
    status: textOf(status) ?? null,
    decision: decision ?? null,
    reason: reason ?? null,
  })),
  phases: state.phases.map(({ key, claimed, derived }) => ({
    key,
    claimed: claimed ?? null,
    derived,
  })),
  nextTask: nextTask(state)?.task.key ?? null,
  locked: state.lock !== undefined,
})
