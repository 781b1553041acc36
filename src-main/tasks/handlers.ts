import type { Tasks } from './tasks'
import type { AreaHandlers } from '../rpc/commands'

export const createTaskHandlers = ({ tasks }: { readonly tasks: Tasks }): AreaHandlers<'tasks'> => ({
  'tasks.list': ({ after }) => tasks.list(after),
  'tasks.show': ({ id }) => tasks.show(id),
  'tasks.operations': () => tasks.operations(),
  'tasks.start': (input) => tasks.start(input),
  'tasks.startFailed': ({ reason, ...task }) => tasks.startFailed(task, reason),
  'tasks.wait': ({ id }, signal) => tasks.wait(id, signal),
  'tasks.stop': ({ id }) => tasks.stop(id),
  'tasks.stopAll': async () => ({ stopped: await tasks.stopAll() }),
  'tasks.resume': ({ id }) => tasks.resume(id),
  'tasks.runAgain': ({ id }) => tasks.runAgain(id),
  'tasks.delete': async ({ id }) => {
    await tasks.delete(id)
    return {}
  },
  'tasks.adopt': ({ id }) => tasks.adopt(id),
  'tasks.removeEntry': async ({ id }) => {
    await tasks.removeEntry(id)
    return {}
  },
  'tasks.previewRepair': () => tasks.previewRepair(),
  'tasks.repair': ({ stamp }) => tasks.repair(stamp),
  'tasks.readLog': ({ id, offset }) => tasks.readLog(id, offset),
  'tasks.artifacts': ({ after }) => tasks.artifacts(after),
  'tasks.artifact': ({ id, artifact, offset }) => tasks.artifact(id, artifact, offset),
  'tasks.folder': async ({ id }) => ({ path: await tasks.folder(id) }),
  'tasks.artifactPath': async ({ id, artifact }) => ({ path: await tasks.artifactPath(id, artifact) }),
  'tasks.live': () => ({ tasks: tasks.live }),
})
