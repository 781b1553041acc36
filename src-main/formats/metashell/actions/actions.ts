import { sorted, type Offers } from '../../edit/offer'
import type { RunFiles } from '../../format'
import { checkOffers } from '../../hostChecks'
import { holdOffers } from '../../runHold'
import { field, numberOf, stringOf } from '../../text/located'
import { answer } from './answer'
import { openChecks } from '../checkCommands'
import { clearLock } from './clearLock'
import { editTask } from './editTask'
import { jump } from './jump'
import { nextPhase } from './nextPhase'
import { resetBreaker } from './resetBreaker'
import { retry } from './retry'
import { rollBack } from './rollBack'
import { rollBackMore } from './rollBackMore'
import type { SessionRun } from './sessionRun'
import { skip } from './skip'
import { read } from '../read'
import { cursorOf, locate, tasksOf, type TaskNode } from '../state'

export function offers(files: RunFiles): Offers {
  const state = locate(files)
  const lock = clearLock(files, state)
  const { session } = state
  if (files.candidate.archived || session?.root?.kind !== 'map') return { offers: lock, refusals: [] }
  const tasks = tasksOf(state)
  const byId = new Map<string, TaskNode>()
  for (const task of tasks) if (!byId.has(task.id)) byId.set(task.id, task)
  const { view } = read(files)
  const run: SessionRun = {
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
    ...holdOffers(files.remembered, { file: session.file }),
    ...checkOffers(files.remembered, openChecks(state)),
    ...nextPhase(run),
    ...resetBreaker(run),
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
    ...rollBackMore(run),
    ...lock,
  ]
  return sorted(entries)
}
