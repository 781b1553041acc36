import { z } from 'zod'
import { settingSources } from '../contract/loopOptions'
import { booleanFact, count, list, numberFact, path, text, textFact, texts } from './fields'

const tokens = { input: numberFact, output: numberFact, cached: numberFact }
const tokensSchema = z.strictObject(tokens)
const details = z.strictObject({
  system: z.literal('maestro'),
  stateDir: path,
  /** Where Maestro's scripts look, as far as files tell: the environment of whoever starts them may say otherwise. */
  stateDirSetting: z.strictObject({
    value: text,
    source: z.enum(settingSources),
  }),
  session: z
    .strictObject({
      /** Syntax between the `---` lines, which a change has to keep. */
      syntax: z.enum(['yaml', 'json', 'none']),
      status: textFact,
      created: numberFact,
      updated: numberFact,
      task: textFact,
      executionMode: textFact,
      totalPhases: numberFact,
      workflowMode: textFact,
      backend: textFact,
      currentBatch: textFact,
      complexity: textFact,
      tokens: z.strictObject({ ...tokens, byAgent: list(z.strictObject({ agent: text, ...tokens })) }),
      log: list(z.strictObject({ level: count, title: text, line: count })),
    })
    .nullable(),
  phases: list(
    z.strictObject({
      key: text,
      id: textFact,
      name: textFact,
      status: textFact,
      agents: texts,
      parallel: booleanFact,
      started: numberFact,
      completed: numberFact,
      blockedBy: texts,
      /** As agents report it: nobody checked it. */
      files: z.strictObject({ created: texts, modified: texts, deleted: texts, planned: texts }),
      downstream: list(z.strictObject({ name: text, entries: texts })),
      errors: list(
        z.strictObject({
          agent: textFact,
          time: numberFact,
          type: textFact,
          message: textFact,
          resolution: textFact,
          resolved: booleanFact,
        }),
      ),
      retries: numberFact,
      requiresReconciliation: booleanFact,
      reconciliationReason: textFact,
    }),
  ),
  plans: list(
    z.strictObject({
      kind: z.enum(['design', 'implementation']),
      /** Archiving moves it. Null when it cannot be found anywhere. */
      path: path.nullable(),
      named: textFact,
      title: textFact,
      status: textFact,
      created: textFact,
    }),
  ),
  designGates: list(
    z.strictObject({
      /** Plan mode was entered and the plan not approved yet: no session is created before that. */
      open: z.boolean(),
      session: textFact,
      enteredAt: numberFact,
      approvedAt: numberFact,
      document: textFact,
    }),
  ),
  hookFiles: list(
    z.strictObject({ file: path, exists: z.boolean(), calls: list(z.strictObject({ event: text, command: text })) }),
  ),
  /**
   * The format does not say to which session a batch belongs: these are the batches of the state folder, beside its
   * active session.
   */
  batches: list(
    z.strictObject({
      id: text,
      folder: path,
      status: textFact,
      total: numberFact,
      succeeded: numberFact,
      failed: numberFact,
      seconds: numberFact,
      agents: list(
        z.strictObject({
          name: text,
          /**
           * The exit code decides. `started`: its output exists but no exit code (it runs, or was killed with its
           * dispatcher).
           */
          state: z.enum(['waiting', 'started', 'success', 'failed', 'timeout', 'unknown']),
          exitCode: numberFact,
          status: textFact,
          prompt: path.nullable(),
          output: path.nullable(),
          log: path.nullable(),
          tokens: tokensSchema,
        }),
      ),
    }),
  ),
})

export const maestro = {
  title: 'Maestro',
  meaning:
    'Agents for different kinds of work take over the phases of a plan, some at the same time, and pass on what they found out.',
  details,
}
