import { fileFinding, type Finding } from '../finding'
import { textOf } from '../text/located'
import { indexField, isPending, nextTask, slug, type State } from './state'

/** What could not be read or is not known, and where two places say what cannot both be true. */
export function contradictions(state: State): Finding[] {
  const { index, tasks, phases, questions, complete } = state
  const findings = [...state.problems]
  const contradiction = (name: string, expected: string) => {
    const node = indexField(state, name)
    if (index && node) findings.push(index.front.document.finding(node, 'ncrew/contradiction', 'warning', expected))
  }
  const status = textOf(indexField(state, 'status'))
  const next = nextTask(state)
  const pending = questions.filter(isPending)
  if (complete !== undefined && next && tasks)
    findings.push(
      tasks.text.finding(
        next.task.line,
        'ncrew/contradiction',
        'error',
        `a checked task, as ${complete} says that all are done`,
      ),
    )
  if (complete !== undefined && status !== undefined && status !== 'complete')
    contradiction('status', `"complete", as ${complete} is there`)
  if (complete === undefined && status === 'complete') contradiction('status', 'a file CREW_COMPLETE beside it')
  if (status === 'blocked' && pending.length === 0 && complete === undefined)
    contradiction('status', 'a pending question')
  if (status === 'in_progress' && pending[0] && complete === undefined)
    contradiction('status', `"blocked", as ${pending[0].file.text.path} is pending`)
  for (const { status: claim, decision, file, decisionLine } of questions) {
    if (textOf(claim) === 'resolved' && decision === undefined) {
      findings.push(
        file.text.finding(
          decisionLine ?? { start: file.front.bodyStart, end: file.front.bodyStart },
          'ncrew/contradiction',
          'error',
          'a decision, as the status is "resolved"',
          decisionLine ? {} : { found: 'none' },
        ),
      )
    } else if (textOf(claim) === 'pending' && decision !== undefined && claim) {
      findings.push(
        file.front.document.finding(
          claim,
          'ncrew/contradiction',
          'warning',
          '"resolved", as a decision is written below',
        ),
      )
    }
  }
  const current = textOf(indexField(state, 'current_phase'))
  if (
    current !== undefined &&
    next &&
    slug(current) !== next.phase.key &&
    phases.some(({ key }) => key === slug(current))
  )
    contradiction('current_phase', `"${next.phase.key}", the first phase with an open task`)
  for (const { claimed, derived, heading } of phases) {
    if (tasks && claimed !== undefined && derived !== undefined && claimed !== derived)
      findings.push(
        tasks.text.finding(heading, 'ncrew/heading-status', 'info', `${derived}, as the checkboxes say`, {
          found: claimed,
        }),
      )
  }
  for (const path of state.others)
    findings.push(
      fileFinding(path, 'ncrew/unknown-file', 'info', 'a file that ncrew does not know', 'a file of the specification'),
    )
  for (const path of state.otherTasks)
    findings.push(
      fileFinding(
        path,
        'ncrew/second-tasks',
        'warning',
        'a second list of tasks',
        `none beside ${tasks?.text.path ?? 'the first'}, which counts`,
      ),
    )
  for (const line of state.strayTasks)
    if (tasks)
      findings.push(
        tasks.text.finding(line, 'ncrew/stray-task', 'warning', 'a heading “## <Name> Phase” above the task'),
      )
  return findings
}
