import { z } from 'zod'
import { booleanFact, count, list, numberFact, path, text, textFact, texts } from './fields'

const bySeverity = <Value extends z.ZodType>(value: Value) =>
  z.strictObject({ critical: value, high: value, medium: value, low: value })
const score = { score: z.number(), gate: z.enum(['pass', 'review', 'fail']) }
const details = z.strictObject({
  system: z.literal('tuning'),
  workDir: path,
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
      /** Unique in the run, as ids start again at 1 with each iteration. */
      key: text,
      id: textFact,
      type: textFact,
      severity: textFact,
      /** `low` marks what may be no fault; most issues have none. */
      confidence: textFact,
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
  issuesBySeverity: z.strictObject({
    recorded: bySeverity(numberFact),
    counted: bySeverity(count),
    decisive: bySeverity(count),
  }),
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
        z.strictObject({
          file: textFact,
          action: textFact,
          diff: textFact,
          before: textFact,
          after: textFact,
          matches: list(path).nullable(),
        }),
      ),
      pending: z.boolean(),
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
  left: list(z.strictObject({ issue: text, because: text })),
  score: z.strictObject({
    recorded: numberFact,
    gate: textFact,
    health: z.strictObject(score),
    composite: z.strictObject({
      ...score,
      parts: z.strictObject({ severity: z.number(), fixes: z.number(), coverage: z.number(), efficiency: z.number() }),
    }),
  }),
  rounds: list(z.strictObject({ found: z.strictObject(score), left: z.strictObject(score).nullable() })),
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
  /** An analysis by another program that the run waits for. Not in the specification; the actions write it. */
  analysis: z.strictObject({ type: textFact, status: textFact, startedAt: numberFact, error: textFact }),
  requirements: z.strictObject({ status: textFact, unclear: texts }),
  backupDir: textFact,
})

export const tuning = {
  title: 'Skill tuning',
  meaning:
    'The written instructions of an agent, its skill, are examined for faults; fixes are proposed, chosen by you, applied and verified.',
  details,
}
