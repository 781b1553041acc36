import { counted } from '@shared/countedText'
import { listNames } from '@shared/listNames'
import type { TurnRecord } from '@shared/turnRecord'
import type { AgentResult } from '../../agents/agent'
import { isOpen } from '../../formats/ncrew/questions'
import type { State } from '../../formats/ncrew/state'
import { shortNames } from '../lostWork'
import type { LogWord } from './turnLog'

export function changesSeen(
  before: State,
  after: State,
  { status }: AgentResult,
  record: TurnRecord | null,
): [LogWord, string][] {
  const tasksOf = (state: State, isChecked: boolean) =>
    new Set(
      state.phases.flatMap(({ key, tasks }) =>
        tasks.filter(({ line }) => line.checked === isChecked).map(({ line }) => `${key}: ${line.text}`),
      ),
    )
  const known = tasksOf(before, true)
  const checked = tasksOf(after, true)
  const done = [...checked].filter((task) => !known.has(task))
  const unticked = [...tasksOf(after, false)].filter((task) => known.has(task) && !checked.has(task))
  const asked = after.questions
    .filter(isOpen)
    .filter(
      ({ file }) =>
        !before.questions.some((question) => isOpen(question) && question.file.text.path === file.text.path),
    )
  const lines: [LogWord, string][] = [
    ...done.map((task): [LogWord, string] => ['INFO', `Checked: ${task}`]),
    ...asked.map(({ file }): [LogWord, string] => ['INFO', `Asked: ${file.text.path}`]),
    ...(record && record.commits.length > 0
      ? [['INFO', `Committed: ${shortNames(record.commits)}`] satisfies [LogWord, string]]
      : []),
  ]
  // Where HEAD moved, the commits are shared with agents of another run.
  if (record && record.after.head !== null && record.before.head === record.after.head && done.length > 0)
    lines.push(['WARN', 'A task was checked, but nothing was committed on the checked-out branch.'])
  if (done.length > 1) lines.push(['WARN', `${done.length} tasks were checked in one turn; expected one.`])
  if (unticked.length > 0) {
    const what = `${counted(unticked.length, 'task')} that ${unticked.length === 1 ? 'was' : 'were'} done`
    lines.push(['WARN', `The turn unticked ${what}: ${listNames(unticked)}.`])
  } else if (status === 'success' && done.length === 0 && asked.length === 0 && after.complete === undefined) {
    const list = after.tasks?.text.path ?? 'tasks.md'
    const elsewhere = after.otherTasks.length > 0 ? `; ${after.otherTasks.join(', ')} does not count` : ''
    lines.push(['WARN', `The expert says it is done, but no task of ${list} was checked${elsewhere}.`])
  }
  return lines
}

/** A half-written file lacks tasks, and no expert should remove an open one. */
export function lostTasks(before: State, after: State): string[] {
  const tasks = ({ phases }: State) => phases.flatMap((phase) => phase.tasks.map(({ line }) => line))
  const left = tasks(after)
  const texts = new Set(left.map(({ text }) => text))
  const gone = tasks(before).flatMap(({ text, checked }) => (checked || texts.has(text) ? [] : [text]))
  // A reworded task is still there.
  return tasks(before).length > left.length ? gone : []
}
