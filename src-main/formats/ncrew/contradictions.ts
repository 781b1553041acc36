import { fileFinding, type Finding } from '../finding'
import { textOf } from '../text/located'
import { phaseSlug } from './heading'
import { indexField } from './indexFacts'
import { isOpen, isUnclear, type Question } from './questions'
import { nextTask, type State } from './state'

const RULE = 'ncrew/contradiction'

export const contradictions = (state: State): Finding[] => [
  ...state.problems,
  ...completionFindings(state),
  ...statusFindings(state),
  ...state.questions.flatMap(questionFindings),
  ...phaseFindings(state),
  ...fileFindings(state),
]

function indexFinding(state: State, name: string, expected: string): Finding[] {
  const node = indexField(state, name)
  return state.index && node ? [state.index.front.document.finding(node, RULE, 'warning', expected)] : []
}

function completionFindings(state: State): Finding[] {
  const { complete, tasks } = state
  const next = nextTask(state)
  return complete !== undefined && next && tasks
    ? [tasks.text.finding(next.task.line, RULE, 'error', `a checked task, as ${complete} says that all are done`)]
    : []
}

function statusFindings(state: State): Finding[] {
  const { complete, questions } = state
  const status = textOf(indexField(state, 'status'))
  if (complete !== undefined)
    return status === undefined || status === 'complete'
      ? []
      : indexFinding(state, 'status', `"complete", as ${complete} exists`)
  const pending = questions.find((question) => isOpen(question) && !isUnclear(question))
  if (status === 'complete') return indexFinding(state, 'status', 'a file CREW_COMPLETE beside it')
  if (status === 'blocked' && questions.length === 0) return indexFinding(state, 'status', 'a pending question')
  if (status === 'in_progress' && pending)
    return indexFinding(state, 'status', `"blocked", as ${pending.file.text.path} is pending`)
  return []
}

function questionFindings({ status, decision, file, decisionLine }: Question): Finding[] {
  if (textOf(status) === 'resolved' && decision === undefined) {
    const place = decisionLine ?? { start: file.front.bodyStart, end: file.front.bodyStart }
    const found = decisionLine ? {} : { found: 'none' }
    return [file.text.finding(place, RULE, 'error', 'a decision, as the status is "resolved"', found)]
  }
  return textOf(status) === 'pending' && decision !== undefined && status
    ? [file.front.document.finding(status, RULE, 'warning', '"resolved", as a decision is written below')]
    : []
}

function phaseFindings(state: State): Finding[] {
  const { phases, tasks } = state
  const next = nextTask(state)
  const current = phaseSlug(textOf(indexField(state, 'current_phase')) ?? '')
  const isBehind = next && current !== next.phase.key && phases.some(({ key }) => key === current)
  return [
    ...(isBehind ? indexFinding(state, 'current_phase', `"${next.phase.key}", the first phase with an open task`) : []),
    ...phases.flatMap(({ claimed, derived, heading }) =>
      tasks && claimed !== undefined && claimed !== derived
        ? [
            tasks.text.finding(heading, 'ncrew/heading-status', 'info', `${derived}, as the checkboxes say`, {
              found: claimed,
            }),
          ]
        : [],
    ),
  ]
}

function fileFindings({ others, otherTasks, outside, tasks }: State): Finding[] {
  return [
    ...others.map((path) =>
      fileFinding(path, 'ncrew/unknown-file', 'info', 'a file that ncrew does not know', 'a file of the specification'),
    ),
    ...otherTasks.map((path) =>
      fileFinding(
        path,
        'ncrew/second-tasks',
        'warning',
        'a second list of tasks',
        `only ${tasks?.text.path ?? 'the first list'}, which counts`,
      ),
    ),
    ...(tasks
      ? outside
          .filter(({ heading }) => heading === undefined)
          .flatMap(({ boxes }) => boxes)
          .map((line) =>
            tasks.text.finding(line, 'ncrew/stray-task', 'warning', 'a heading “## <Name> Phase” above the task'),
          )
      : []),
  ]
}
