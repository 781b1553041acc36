import { isSameCommit } from '@shared/commitName'
import { turnRecords } from '@shared/turnRecord'
import { z } from 'zod'
import { storedJson } from '@shared/storedJson'
import type { Remembered } from '../format'
import type { Phase } from './phases'
import type { State } from './state'

export const REVERTED = 'reverted commits'

const commitsSchema = z.array(z.string())

export const revertedCommits = (remembered: Remembered): string[] =>
  storedJson(remembered.get(REVERTED), commitsSchema) ?? []

export interface RecordedTurn {
  readonly number: number
  readonly endedAt: number
  readonly task: string | undefined
  readonly commits: readonly string[]
  readonly reverted: readonly string[]
}

export function recordedTurns({ phases }: Pick<State, 'phases'>, remembered: Remembered): RecordedTurn[] {
  const reverted = revertedCommits(remembered)
  const isReverted = (commit: string) => reverted.some((name) => isSameCommit(commit, name))
  return turnRecords(remembered).map(({ number, endedAt, task, taskTitle, commits }) => ({
    number,
    endedAt,
    task: taskOf(phases, task, taskTitle),
    commits: commits.filter((commit) => !isReverted(commit)),
    reverted: commits.filter(isReverted),
  }))
}

/** A task's text is more reliable than its key, a position that changes when a task is added above. */
function taskOf(phases: readonly Phase[], key: string | null, title: string | undefined): string | undefined {
  const phase = phases.find(({ key: name }) => key?.startsWith(`${name}/`))
  const there = phase?.tasks.find((task) => task.key === key)
  if (title === undefined || there?.line.text === title) return there?.key
  const same = phase?.tasks.filter(({ line }) => line.text === title) ?? []
  return same.length === 1 ? same[0]?.key : undefined
}

export function commitsByTask(state: Pick<State, 'phases'>, remembered: Remembered): ReadonlyMap<string, string[]> {
  const made = new Map<string, string[]>()
  for (const { task, commits } of recordedTurns(state, remembered))
    if (task !== undefined && commits.length > 0) made.set(task, [...(made.get(task) ?? []), ...commits])
  return made
}

export function rolledBackTasks(state: Pick<State, 'phases'>, remembered: Remembered): Phase['tasks'] {
  if (remembered.get(REVERTED) === undefined) return []
  const turns = recordedTurns(state, remembered)
  const keys = new Set(turns.flatMap(({ task, reverted }) => (reverted.length > 0 && task !== undefined ? task : [])))
  for (const { task, commits } of turns) if (task !== undefined && commits.length > 0) keys.delete(task)
  return state.phases.flatMap(({ tasks }) => tasks.filter(({ key, line }) => !line.checked && keys.has(key)))
}
