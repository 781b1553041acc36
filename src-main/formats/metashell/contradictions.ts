import { findCycles } from '../dependencies'
import { fileFinding, quote, type Finding } from '../finding'
import { booleanOf, field, itemsOf, stringOf } from '../text/located'
import { fieldNames, verificationOf, type State, type TaskNode } from './state'

/** What could not be read or is not known, and where two places say what cannot both be true. */
export function contradictions(state: State, tasks: readonly TaskNode[]): Finding[] {
  const { summaries } = state
  const findings = [
    ...state.problems,
    ...state.others.map((file) =>
      fileFinding(
        file,
        'metashell/unknown-file',
        'info',
        'a file that Meta-Shell does not know',
        'a file of the specification',
      ),
    ),
  ]
  for (const { id, status } of tasks) {
    const summary = summaries.get(id)
    const outcome = field(summary?.root, 'status')
    const claimed = stringOf(status?.node)
    const told = stringOf(outcome)
    if (!status || !summary || claimed === undefined || told === undefined) continue
    if ((claimed === 'complete' && told !== 'complete') || (claimed === 'failed' && told === 'complete')) {
      findings.push(
        status.document.finding(
          status.node,
          'metashell/contradiction',
          'warning',
          `${quote(told)}, as ${summary.file} says of task ${id}`,
        ),
      )
    }
    const success = field(field(summary.root, 'verification_result'), 'success')
    if (told === 'complete' && booleanOf(success) === false) {
      findings.push(
        summary.finding(
          success,
          'metashell/contradiction',
          'warning',
          'a verification that succeeded, as the status is "complete"',
        ),
      )
    }
  }
  const verification = verificationOf(state)?.document
  const passed = field(verification?.root, 'passed')
  if (verification && booleanOf(passed) === true) {
    const failing = itemsOf(field(verification.root, 'checks')).find(
      (check) => stringOf(field(check, 'verdict')) === 'fail',
    )
    if (failing)
      findings.push(
        verification.finding(
          field(failing, 'verdict'),
          'metashell/contradiction',
          'warning',
          '"pass", as "passed" is true',
        ),
      )
  }
  const byId = new Map(tasks.map((task) => [task.id, task]))
  for (const cycle of findCycles(
    tasks.map(({ id, dependencies }) => ({ key: id, dependencies: dependencies.map((dependency) => dependency.id) })),
  )) {
    const first = byId.get(cycle[0] ?? '')
    if (first)
      findings.push(
        first.document.finding(
          field(first.node, ...fieldNames.dependencies),
          'metashell/cycle',
          'error',
          'no dependency cycle',
          {
            found: [...cycle, cycle[0]]
              .map((id) => quote(id))
              .slice(0, 12)
              .join(' → '),
          },
        ),
      )
  }
  return findings
}
