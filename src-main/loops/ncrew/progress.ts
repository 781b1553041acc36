import { gateName, gatesOf } from '../../formats/ncrew/gates'
import { isOpen } from '../../formats/ncrew/questions'
import type { State } from '../../formats/ncrew/state'

export const checkedTasks = ({ phases }: State): string[] =>
  phases.flatMap(({ tasks }) => tasks.flatMap(({ key, line }) => (line.checked ? key : [])))

export const openGateNames = (state: State): string[] =>
  gatesOf(state)
    .filter(({ phase }) => phase.derived !== 'COMPLETE')
    .map(({ phase }) => gateName(phase))

export const progressOf = ({ phases, questions }: State): string =>
  JSON.stringify([
    phases.map(({ key, tasks }) => [key, tasks.map(({ line }) => [line.text, line.checked])]),
    questions.filter(isOpen).map(({ file }) => file.text.path),
  ])
