/** What a person does with a Meta-Shell session: changes of session.json, of plan.json beside it, and reverts of commits. */
import type { Action, ActionPlan, ActionRequest } from '../edit/action'
import { listed, planOffer, sorted, type Offers } from '../edit/offer'
import type { RunFiles } from '../format'
import { field, numberOf, stringOf } from '../text/located'
import { answer } from './actions/answer'
import { clearLock } from './actions/clearLock'
import { editTask } from './actions/editTask'
import { jump } from './actions/jump'
import { nextPhase } from './actions/nextPhase'
import { resetBreaker } from './actions/resetBreaker'
import { retry } from './actions/retry'
import { rollBack } from './actions/rollBack'
import type { Run } from './actions/sessionRun'
import { skip } from './actions/skip'
import { read } from './read'
import { cursorOf, locate, tasksOf, type TaskNode } from './state'

export const actions = (files: RunFiles): Action[] => listed(offersFor(files))
export const plan = (files: RunFiles, request: ActionRequest): ActionPlan => planOffer(offersFor(files), request)

function offersFor(files: RunFiles): Offers {
  const state = locate(files)
  const lock = clearLock(files, state)
  const { session } = state
  if (files.candidate.archived || session?.root?.kind !== 'map') return { offers: lock, refusals: [] }
  const tasks = tasksOf(state)
  const byId = new Map<string, TaskNode>()
  for (const task of tasks) if (!byId.has(task.id)) byId.set(task.id, task)
  const { view } = read(files)
  const run: Run = {
    files,
    state,
    session,
    tasks,
    byId,
    cursor: numberOf(cursorOf(session.root)),
    status: stringOf(field(session.root, 'status')),
    view,
    need: view.needs[0],
  }
  const entries = [
    ...answer(run),
    ...nextPhase(run),
    ...resetBreaker(run),
    // Of tasks with the same id only the first can be told.
    ...tasks.flatMap((task, index) =>
      byId.get(task.id) === task
        ? [
            ...retry(run, task, index),
            ...skip(run, task, index),
            ...jump(run, task, index),
            ...rollBack(run, task, index),
            ...editTask(run, task, index),
          ]
        : [],
    ),
    ...lock,
  ]
  return sorted(entries)
}
