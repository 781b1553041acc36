import type { Loop } from '../loop'
import { agentTest } from './agentTest'
import { initSession } from './init'
import { roles } from './roleAgents'
import { rollBackTask } from './rollBack'
import { runSession } from './runSession'

/** @param personas the folder with our own, for a project that has none in `skills/` */
export const metashellLoop = (personas: string): Loop<'metashell'> => ({
  system: 'metashell',
  roles: () => roles,
  init: initSession,
  agentTest,
  rollBack: rollBackTask,
  run: (work) => runSession(work, personas),
})
