/**
 * What a run has of its own format, beside the common view. Words outside a specification stand as they are; texts are inert.
 */
import { z } from 'zod'
import { bridgeCommand } from './define'
import { fact, LONGEST_LIST, LONGEST_TEXT, oneRunAt, sourceSchema } from './orchestration'

const text = z.string().max(LONGEST_TEXT)
const path = z.string().max(LONGEST_TEXT)
const count = z.int()
const textFact = fact(text)
const numberFact = fact(z.number())
const booleanFact = fact(z.boolean())
const list = <Item extends z.ZodType>(item: Item) => z.array(item).max(LONGEST_LIST).readonly()
const texts = list(textFact)

const metashellSchema = z.strictObject({
  system: z.literal('metashell'),
  /** context.md, by its headings. */
  context: list(z.strictObject({ heading: text, level: count, text, source: sourceSchema })),
  /** Values that are no text, as JSON. */
  variables: list(z.strictObject({ name: text, value: text, source: sourceSchema })),
  artefacts: list(
    z.strictObject({ kind: z.enum(['plan', 'research', 'summary', 'verification']), file: path, value: text }),
  ),
  /** 0-based index into the tasks; their number when all are done. */
  cursor: numberFact,
  /** session.json.lock is there: a host is writing, or died doing so. */
  locked: z.boolean(),
})

const statusWord = z.enum(['COMPLETE', 'IN PROGRESS', 'PENDING'])
const ncrewSchema = z.strictObject({
  system: z.literal('ncrew'),
  experts: list(z.strictObject({ role: text, phase: text.optional(), llm: text.optional(), source: sourceSchema })),
  questions: list(
    z.strictObject({
      file: path,
      title: text,
      from: text.nullable(),
      status: text.nullable(),
      decision: text.nullable(),
      reason: text.nullable(),
    }),
  ),
  /** What each heading of tasks.md says, beside what its checkboxes say. */
  phases: list(z.strictObject({ key: text, claimed: statusWord.nullable(), derived: statusWord.nullable() })),
  /** Key of the task that the next expert takes. */
  nextTask: text.nullable(),
  locked: z.boolean(),
})

const tokens = { input: numberFact, output: numberFact, cached: numberFact }
const tokensSchema = z.strictObject(tokens)
const maestroSchema = z.strictObject({
  system: z.literal('maestro'),
  /** Relative to the project: the folder with `state/`, `plans/` and `parallel/`. */
  stateDir: path,
  /** Where Maestro's scripts look, as far as files tell: the environment of whoever starts them may say otherwise. */
  stateDirSetting: z.strictObject({
    value: text,
    source: z.enum(['environment', 'workspace .env', 'extension .env', 'default']),
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

const bySeverity = <Value extends z.ZodType>(value: Value) =>
  z.strictObject({ critical: value, high: value, medium: value, low: value })
const score = { score: z.number(), gate: z.enum(['pass', 'review', 'fail']) }
const tuningSchema = z.strictObject({
  system: z.literal('tuning'),
  /** Relative to the project: where the run's files are, whatever the state says. */
  workDir: path,
  /** Files that are there, the report of the diagnoses first. */
  reports: list(path),
  status: textFact,
  skill: z.strictObject({ name: textFact, path: textFact, mode: textFact, phases: texts, specs: texts }),
  problem: textFact,
  focus: texts,
  diagnoses: list(
    z.strictObject({
      /** `context`, `memory`, `dataflow`, `agent`; later versions know more. */
      area: text,
      /** `skipped` when the person's focus leaves it out. */
      state: z.enum(['open', 'done', 'skipped', 'failed', 'unknown']),
      status: textFact,
      severity: textFact,
      issuesFound: numberFact,
      milliseconds: numberFact,
      patternsChecked: texts,
      patternsMatched: texts,
      evidence: list(
        z.strictObject({ file: textFact, line: numberFact, pattern: textFact, context: textFact, severity: textFact }),
      ),
      recommendations: texts,
    }),
  ),
  issues: list(
    z.strictObject({
      /** Unique in the run: ids start again at 1 with each iteration. */
      key: text,
      id: textFact,
      type: textFact,
      severity: textFact,
      priority: numberFact,
      /** One file, several, or the word that stands there instead. */
      files: texts,
      lineStart: numberFact,
      lineEnd: numberFact,
      phase: textFact,
      description: textFact,
      evidence: texts,
      rootCause: textFact,
      impact: textFact,
      suggestedFix: textFact,
      related: texts,
    }),
  ),
  /** As the file counts them, and as they are in its list. */
  issuesBySeverity: z.strictObject({ recorded: bySeverity(numberFact), counted: bySeverity(count) }),
  fixes: list(
    z.strictObject({
      key: text,
      id: textFact,
      issues: texts,
      strategy: textFact,
      description: textFact,
      rationale: textFact,
      risk: textFact,
      impact: textFact,
      verification: texts,
      changes: list(
        z.strictObject({ file: textFact, action: textFact, diff: textFact, before: textFact, after: textFact }),
      ),
      /** Chosen by the person and not yet applied. */
      pending: z.boolean(),
      /** One for each time it was applied, in the file's order. */
      applied: list(
        z.strictObject({
          at: numberFact,
          success: booleanFact,
          backup: textFact,
          /** `pass`, `fail`, `pending`; `rolled_back` after a roll back. */
          verification: textFact,
          canRollBack: booleanFact,
          changed: list(z.strictObject({ file: textFact, action: textFact, backup: textFact })),
        }),
      ),
    }),
  ),
  /** What the file says, and what each of the two formulas makes of its issues. */
  score: z.strictObject({
    recorded: numberFact,
    gate: textFact,
    health: z.strictObject(score),
    composite: z.strictObject({
      ...score,
      parts: z.strictObject({ severity: z.number(), fixes: z.number(), coverage: z.number(), efficiency: z.number() }),
    }),
  }),
  currentAction: textFact,
  completedActions: texts,
  history: list(
    z.strictObject({
      action: textFact,
      startedAt: numberFact,
      completedAt: numberFact,
      result: textFact,
      outputs: texts,
    }),
  ),
  /** An analysis by another program, which the run waits for. The specification has no field for it; the actions write one. */
  analysis: z.strictObject({ type: textFact, status: textFact, startedAt: numberFact, error: textFact }),
  /** Of later versions: whether the problem was understood, and what is still unclear. */
  requirements: z.strictObject({ status: textFact, unclear: texts }),
  /** Folder of the copy of the skill, as the file names it. */
  backupDir: textFact,
})

export const runDetailsSchema = z.discriminatedUnion('system', [
  metashellSchema,
  ncrewSchema,
  maestroSchema,
  tuningSchema,
])
export type RunDetails = z.infer<typeof runDetailsSchema>
export type DetailsOf<Name extends RunDetails['system']> = Extract<RunDetails, { system: Name }>
export type TextFact = z.infer<typeof textFact>
export type NumberFact = z.infer<typeof numberFact>

export const runDetailsCommands = {
  /** `more`: entries and texts that were cut. */
  'projects.details': bridgeCommand({
    input: oneRunAt,
    output: z.strictObject({ revision: z.int().min(0), details: runDetailsSchema, more: z.int().min(0) }),
  }),
} as const
