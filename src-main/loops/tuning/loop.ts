import type { Loop } from '../loop'
import { runTuning } from './runTuning'

/** A tuning run, which needs no agent. */
export const tuningLoop: Loop<'tuning'> = {
  system: 'tuning',
  bringsAgent: true,
  roles: () => [],
  agentTest: () => ({ request: 'Answer with the one word: ready', writesFiles: false, problemOf: () => null }),
  run: runTuning,
}
