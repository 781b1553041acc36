import { onBridgeReady, onEvent } from '../../client/events'
import { showView } from '../../client/navigation'
import { forgetTasks, receiveChanges, receiveProblems } from '../../client/tasks'
import { defineView } from '../../client/view'

export const view = defineView({
  load: async () => (await import('./TasksView')).TasksView,
  start: () => {
    onBridgeReady(forgetTasks)
    onEvent('tasks.changed', receiveChanges)
    onEvent('tasks.problem', receiveProblems)
    onEvent('window.showPlace', ({ kind }) => {
      if (kind === 'task') void showView('tasks')
    })
  },
})
