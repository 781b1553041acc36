import type { OwnedBy } from '@shared/contract/contract'
import { AppError } from '@shared/contract/errors'
import type { Handlers } from './dispatcher'

export type TaskHandlers = Pick<Handlers, Extract<OwnedBy<'bridge'>, `tasks.${string}`>>

const notYet = (): never => {
  throw new AppError('UNSUPPORTED', 'Tasks cannot be run yet.')
}

/** The commands of tasks; the engine behind them comes with the next commits. */
export const createTaskHandlers = (): TaskHandlers => ({
  'tasks.list': notYet,
  'tasks.show': notYet,
  'tasks.operations': notYet,
  'tasks.start': notYet,
  'tasks.wait': notYet,
  'tasks.stop': notYet,
  'tasks.stopAll': notYet,
  'tasks.resume': notYet,
  'tasks.runAgain': notYet,
  'tasks.delete': notYet,
  'tasks.adopt': notYet,
  'tasks.removeEntry': notYet,
  'tasks.readLog': notYet,
  'tasks.artifact': notYet,
  'tasks.folder': notYet,
  'tasks.live': notYet,
})
