import type { Loop } from '../loop'
import { agentTest } from './agentTest'
import { initSession } from './init'
import { roles } from './roleAgents'
import { rollBackTask } from './rollBack'
import { runSession } from './runSession'

export const metashellLoop = (personas: string): Loop<'metashell'> => ({
  system: 'metashell',
  roles: () => roles,
  init: initSession,
  agentTest,
  rollBack: rollBackTask,
  run: (work) => runSession(work, personas),
})
