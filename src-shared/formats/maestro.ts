import { z } from 'zod'
import { settingSources } from '../contract/loopOptions'
import { booleanFact, count, list, numberFact, path, text, textFact, texts } from './fields'

const tokens = { input: numberFact, output: numberFact, cached: numberFact }
const tokensSchema = z.strictObject(tokens)
const details = z.strictObject({
  system: z.literal('maestro'),
  /** Relative to the project: the folder with `state/`, `plans/` and `parallel/`. */
  stateDir: path,
  /** Where Maestro's scripts look, as far as files tell: the environment of whoever starts them may say otherwise. */
  stateDirSetting: z.strictObject({
    value: text,
    source: z.enum(settingSources),
  }),
  /** Null for a state folder without a session: what is being planned, and batches that nobody claims. */
  session: z
    .strictObject({
      /** How the values between the `---` lines are written; a change has to keep it. */
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
      /** The headings of the log below the front matter. */
      log: list(z.strictObject({ level: count, title: text, line: count })),
    })
    .nullable(),
  phases: list(
    z.strictObject({
      /** That of the phase in the common view. */
      key: text,
      id: textFact,
      name: textFact,
      status: textFact,
      agents: texts,
      parallel: booleanFact,
      started: numberFact,
      completed: numberFact,
      /** Ids of phases, as written. */
      blockedBy: texts,
      /** What agents say they did: nobody checked it. */
      files: z.strictObject({ created: texts, modified: texts, deleted: texts, planned: texts }),
      /** What later phases should know, under the names that stand there. */
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
      /** Where it is: archiving moves it. Null when it is nowhere to be found. */
      path: path.nullable(),
      /** Where the session says it is; unknown for a plan that no session names. */
      named: textFact,
      title: textFact,
      status: textFact,
      created: textFact,
    }),
  ),
  designGates: list(
    z.strictObject({
      /** Entered, and not approved yet: no session is created before. */
      open: z.boolean(),
      session: textFact,
      enteredAt: numberFact,
      approvedAt: numberFact,
      document: textFact,
    }),
  ),
  /** The files in which hosts find hooks, with the calls of ours in each. */
  hookFiles: list(
    z.strictObject({ file: path, exists: z.boolean(), calls: list(z.strictObject({ event: text, command: text })) }),
  ),
  /** The format does not say to which session a batch belongs: those of the state folder, beside its active session. */
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
          /** As its files are named, hyphens and all. */
          name: text,
          /** The exit code decides. `started`: its output exists, its exit code does not (it runs, or was killed with its dispatcher). */
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
