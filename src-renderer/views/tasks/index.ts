import { onBridgeReady, onEvent } from '../../client/events'
import { forgetTasks, receiveChanges, receiveProblems, setTaskOpener, stopAllTasks } from '../../client/tasks'
import { defineView } from '../../client/view'
import { newTask, showTask, startSample } from './choice'

export const view = defineView({
  load: async () => (await import('./TasksView')).TasksView,
  actions: {
    'task.new': newTask,
    'task.sample': startSample,
    'task.stopAll': stopAllTasks,
  },
  start: () => {
    setTaskOpener(showTask)
    onBridgeReady(forgetTasks)
    onEvent('tasks.changed', receiveChanges)
    onEvent('tasks.problem', receiveProblems)
    onEvent('window.showPlace', (place) => {
      if (place.kind === 'task') void showTask(place.id)
    })
  },
})
