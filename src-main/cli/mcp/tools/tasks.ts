import { taskList } from '../../commands/task/list'
import { taskLog } from '../../commands/task/log'
import { taskOperations } from '../../commands/task/operations'
import { taskRun } from '../../commands/task/run'
import { taskShow } from '../../commands/task/show'
import { taskStart } from '../../commands/task/start'
import { taskStop } from '../../commands/task/stop'
import { taskStopAll } from '../../commands/task/stopAll'
import { DEFAULT_WAIT_S, taskWait } from '../../commands/task/wait'
import { taskPaths } from '../taskPaths'
import { change, look, followedBy, type Tool } from '../tool'

export const tasksTool: Tool = {
  name: 'tasks',
  title: 'Tasks',
  about: 'Work of Bridgedeck itself, once or again and again.',
  operations: {
    operations: look(taskOperations, 'what tasks can do'),
    run: change(taskRun, 'once; args is JSON', {
      paths: taskPaths,
      hides: ['detach'],
      presets: { wait: DEFAULT_WAIT_S },
    }),
    start: change(taskStart, 'again and again, by itself', {
      paths: taskPaths,
      hides: ['detach'],
      presets: { detach: true },
      ...followedBy('tasks wait, or tasks show; tasks stop ends it'),
    }),
    wait: look(taskWait, 'for its end, or how far it is'),
    list: look(taskList, 'all'),
    show: look(taskShow, 'one, with its result'),
    log: look(taskLog, 'of one'),
    stop: change(taskStop, 'one'),
    stop_all: change(taskStopAll, 'all'),
  },
}
