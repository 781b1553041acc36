import { findCycles } from '../dependencies'
import { fileFinding, quote, type Finding } from '../finding'
import { booleanOf, field, itemsOf, stringOf } from '../text/located'
import { fieldNames, verificationOf, type State, type TaskNode } from './state'

const RULE = 'metashell/contradiction'

export const contradictions = (state: State, tasks: readonly TaskNode[]): Finding[] => [
  ...state.problems,
  ...unknownFiles(state),
  ...tasks.flatMap((task) => summaryFindings(state, task)),
  ...verificationFindings(state),
  ...cycleFindings(tasks),
]

const unknownFiles = ({ others }: State): Finding[] =>
  others.map((file) =>
    fileFinding(
      file,
      'metashell/unknown-file',
      'info',
      'a file that Meta-Shell does not know',
      'a file of the specification',
    ),
  )

function summaryFindings({ summaries }: State, { id, status }: TaskNode): Finding[] {
  const summary = summaries.get(id)
  const claimed = stringOf(status?.node)
  const reported = stringOf(field(summary?.root, 'status'))
  if (!status || !summary || claimed === undefined || reported === undefined) return []
  const isContradicted =
    (claimed === 'complete' && reported !== 'complete') || (claimed === 'failed' && reported === 'complete')
  const success = field(field(summary.root, 'verification_result'), 'success')
  return [
    ...(isContradicted
      ? [
          status.document.finding(
            status.node,
            RULE,
            'warning',
            `${quote(reported)}, as ${summary.file} says of task ${id}`,
          ),
        ]
      : []),
    ...(reported === 'complete' && booleanOf(success) === false
      ? [summary.finding(success, RULE, 'warning', 'a verification that succeeded, as the status is "complete"')]
      : []),
  ]
}

function verificationFindings(state: State): Finding[] {
  const verification = verificationOf(state)?.document
  if (!verification || booleanOf(field(verification.root, 'passed')) !== true) return []
  const failing = itemsOf(field(verification.root, 'checks')).find(
    (check) => stringOf(field(check, 'verdict')) === 'fail',
  )
  return failing
    ? [verification.finding(field(failing, 'verdict'), RULE, 'warning', '"pass", as "passed" is true')]
    : []
}

function cycleFindings(tasks: readonly TaskNode[]): Finding[] {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const cycles = findCycles(
    tasks.map(({ id, dependencies }) => ({ key: id, dependencies: dependencies.map((dependency) => dependency.id) })),
  )
  return cycles.flatMap((cycle) => {
    const first = byId.get(cycle[0] ?? '')
    if (!first) return []
    const found = [...cycle, cycle[0]].map((id) => quote(id))
    return [
      first.document.finding(
        field(first.node, ...fieldNames.dependencies),
        'metashell/cycle',
        'error',
        'no dependency cycle',
        { found: found.slice(0, 12).join(' → ') },
      ),
    ]
  })
}
