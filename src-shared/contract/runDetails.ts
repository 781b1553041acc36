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
  /** session.json.lock is there. */
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
  nextTask: text.nullable(),
  locked: z.boolean(),
})

const tokens = { input: numberFact, output: numberFact, cached: numberFact }
const tokensSchema = z.strictObject(tokens)
const maestroSchema = z.strictObject({
  system: z.literal('maestro'),
  stateDir: path,
  stateDirSetting: z.strictObject({
    value: text,
    source: z.enum(['environment', 'workspace .env', 'extension .env', 'default']),
  }),
  session: z
    .strictObject({
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
      key: text,
      id: textFact,
      name: textFact,
      status: textFact,
      agents: texts,
      parallel: booleanFact,
      started: numberFact,
      completed: numberFact,
      blockedBy: texts,
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
      path: path.nullable(),
      named: textFact,
      title: textFact,
      status: textFact,
      created: textFact,
    }),
  ),
  designGates: list(
    z.strictObject({
      open: z.boolean(),
      session: textFact,
      enteredAt: numberFact,
      approvedAt: numberFact,
      document: textFact,
    }),
  ),
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
  workDir: path,
  /** Files that are there, the report of the diagnoses first. */
  reports: list(path),
  status: textFact,
  skill: z.strictObject({ name: textFact, path: textFact, mode: textFact, phases: texts, specs: texts }),
  problem: textFact,
  focus: texts,
  diagnoses: list(
    z.strictObject({
      area: text,
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
      key: text,
      id: textFact,
      type: textFact,
      severity: textFact,
      priority: numberFact,
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
      pending: z.boolean(),
      applied: list(
        z.strictObject({
          at: numberFact,
          success: booleanFact,
          backup: textFact,
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
  analysis: z.strictObject({ type: textFact, status: textFact, startedAt: numberFact, error: textFact }),
  requirements: z.strictObject({ status: textFact, unclear: texts }),
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
