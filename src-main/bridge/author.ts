import { userInfo } from 'node:os'
import type { Author } from '../notes/notebooks'
import { currentAgent } from '../steering/currentAgent'

export function author(): Author {
  const agent = currentAgent.getStore()
  if (agent) return { name: agent.shown.name, lastCall: agent.lastCall }
  try {
    return { name: userInfo().username, lastCall: null }
  } catch {
    // A user without an entry in the system's user list.
    return { name: 'person', lastCall: null }
  }
}
