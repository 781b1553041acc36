import { taskList } from '../../commands/task/list'
import { taskLog } from '../../commands/task/log'
import { taskOperations } from '../../commands/task/operations'
import { taskRun } from '../../commands/task/run'
import { taskShow } from '../../commands/task/show'
import { taskStart } from '../../commands/task/start'
import { taskStop } from '../../commands/task/stop'
import { taskStopAll } from '../../commands/task/stopAll'
import { taskPaths } from '../taskPaths'
import { change, look, followedBy, type Tool } from '../tool'

export const tasksTool: Tool = {
  name: 'tasks',
  title: 'Tasks',
  about: 'Work of Bridgedeck itself, once or again and again.',
  operations: {
    operations: look(taskOperations, 'what tasks can do'),
    run: change(taskRun, 'once; args is JSON', { paths: taskPaths }),
    start: change(taskStart, 'again and again', { paths: taskPaths, ...followedBy('tasks show; tasks stop ends it') }),
    list: look(taskList, 'all'),
    show: look(taskShow, 'one, with its result'),
    log: look(taskLog, 'of one'),
    stop: change(taskStop, 'one'),
    stop_all: change(taskStopAll, 'all'),
  },
}
