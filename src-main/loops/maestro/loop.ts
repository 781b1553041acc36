import type { Loop } from '../loop'
import { runBatch } from './dispatch/runBatch'

/** A batch of prompts, each of which is dispatched to an agent. */
export const maestroLoop: Loop<'maestro'> = {
  system: 'maestro',
  bringsAgent: true,
  roles: () => [],
  // A batch reads no answers: it keeps them.
  agentTest: () => ({ request: 'Answer with the one word: ready', writesFiles: true, problemOf: () => null }),
  run: runBatch,
}
