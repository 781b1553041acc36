import type { Loop } from '../loop'
import { tuningRoles } from './askAgent'
import { runTuning } from './runTuning'

export const tuningLoop: Loop<'tuning'> = {
  system: 'tuning',
  inPlace: () => 'tuning changes the skill where it is, with backups of its own.',
  bringsAgent: true,
  hasOptionalRoles: true,
  roles: () => tuningRoles,
  requestedAgents: () => Promise.resolve({}),
  agentTest: () => ({ request: 'Answer with the one word: ready', writesFiles: false, problemOf: () => null }),
  run: runTuning,
}
