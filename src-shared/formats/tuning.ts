import { z } from 'zod'
import { booleanFact, count, list, numberFact, path, text, textFact, texts } from './fields'

const bySeverity = <Value extends z.ZodType>(value: Value) =>
  z.strictObject({ critical: value, high: value, medium: value, low: value })
const score = { score: z.number(), gate: z.enum(['pass', 'review', 'fail']) }
const details = z.strictObject({
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
      /** `low` of what may be no fault; most issues have none. */
      confidence: textFact,
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
  /** As the file counts them, as they are in its list, and those of them that the score and the gate go by. */
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
          /** The skill’s files that a pattern stands for; null where a file is named. */
          matches: list(path).nullable(),
        }),
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
  /** Issues that got no fix, and why: continues “left to a person or an agent because”. */
  left: list(z.strictObject({ issue: text, because: text })),
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
  /** What Bridgedeck saw of each round: the score of what its diagnoses found, and of what verified fixes left. */
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
  /** An analysis by another program, which the run waits for. The specification has no field for it; the actions write one. */
  analysis: z.strictObject({ type: textFact, status: textFact, startedAt: numberFact, error: textFact }),
  /** Of later versions: whether the problem was understood, and what is still unclear. */
  requirements: z.strictObject({ status: textFact, unclear: texts }),
  /** Folder of the copy of the skill, as the file names it. */
  backupDir: textFact,
})

export const tuning = {
  title: 'Skill tuning',
  meaning:
    'The written instructions of an agent, its skill, are examined for faults; fixes are proposed, chosen by you, applied and verified.',
  details,
}
