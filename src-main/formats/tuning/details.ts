import type { Fact } from '../run'
import type { CompositeScore, Score, SeverityCounts } from './scores'

/** What a tuning run has of its own, as far as it could be read. Words outside the specification stand as they are. */
export interface TuningDetails {
  /** Relative to the project: where the run's files are, whatever the state says. */
  readonly workDir: string
  /** Files of the run that are there, in Markdown: the report of the diagnoses, the summary, why it was aborted. */
  readonly reports: readonly string[]
  readonly status: Fact<string>
  readonly skill: {
    readonly name: Fact<string>
    readonly path: Fact<string>
    readonly mode: Fact<string>
    readonly phases: readonly Fact<string>[]
    readonly specs: readonly Fact<string>[]
  }
  readonly problem: Fact<string>
  readonly focus: readonly Fact<string>[]
  readonly diagnoses: readonly Diagnosis[]
  readonly issues: readonly Issue[]
  /** As the file counts them, and as they are in its list. */
  readonly issuesBySeverity: {
    readonly recorded: Readonly<Record<keyof SeverityCounts, Fact<number>>>
    readonly counted: SeverityCounts
  }
  readonly fixes: readonly Fix[]
  /** What the file says, and what each of the two formulas makes of its issues. */
  readonly score: {
    readonly recorded: Fact<number>
    readonly gate: Fact<string>
    readonly health: Score
    readonly composite: CompositeScore
  }
  readonly currentAction: Fact<string>
  readonly completedActions: readonly Fact<string>[]
  readonly history: readonly HistoryEntry[]
  /** An analysis by another program, which the run waits for. The specification has no field for it; the actions write one. */
  readonly analysis: {
    readonly type: Fact<string>
    readonly status: Fact<string>
    readonly startedAt: Fact<number>
    readonly error: Fact<string>
  }
  /** Of later versions: whether the problem was understood, and what is still unclear. */
  readonly requirements: { readonly status: Fact<string>; readonly unclear: readonly Fact<string>[] }
  /** Folder of the copy of the skill, as the file names it. */
  readonly backupDir: Fact<string>
}

export interface Diagnosis {
  /** `context`, `memory`, `dataflow`, `agent`; later versions know more. */
  readonly area: string
  /** `skipped` when the person's focus leaves it out. */
  readonly state: 'open' | 'done' | 'skipped' | 'failed' | 'unknown'
  readonly status: Fact<string>
  readonly severity: Fact<string>
  readonly issuesFound: Fact<number>
  readonly milliseconds: Fact<number>
  readonly patternsChecked: readonly Fact<string>[]
  readonly patternsMatched: readonly Fact<string>[]
  readonly evidence: readonly {
    readonly file: Fact<string>
    readonly line: Fact<number>
    readonly pattern: Fact<string>
    readonly context: Fact<string>
    readonly severity: Fact<string>
  }[]
  readonly recommendations: readonly Fact<string>[]
}

export interface Issue {
  /** Unique in the run: ids start again at 1 with each iteration. */
  readonly key: string
  readonly id: Fact<string>
  readonly type: Fact<string>
  readonly severity: Fact<string>
  readonly priority: Fact<number>
  /** One file, several, or the word that stands there instead. */
  readonly files: readonly Fact<string>[]
  readonly lineStart: Fact<number>
  readonly lineEnd: Fact<number>
  readonly phase: Fact<string>
  readonly description: Fact<string>
  readonly evidence: readonly Fact<string>[]
  readonly rootCause: Fact<string>
  readonly impact: Fact<string>
  readonly suggestedFix: Fact<string>
  readonly related: readonly Fact<string>[]
}

export interface Fix {
  readonly key: string
  readonly id: Fact<string>
  readonly issues: readonly Fact<string>[]
  readonly strategy: Fact<string>
  readonly description: Fact<string>
  readonly rationale: Fact<string>
  readonly risk: Fact<string>
  readonly impact: Fact<string>
  readonly verification: readonly Fact<string>[]
  readonly changes: readonly {
    readonly file: Fact<string>
    readonly action: Fact<string>
    readonly diff: Fact<string>
    readonly before: Fact<string>
    readonly after: Fact<string>
  }[]
  /** Chosen by the person and not yet applied. */
  readonly pending: boolean
  /** One for each time it was applied, in the file's order. */
  readonly applied: readonly AppliedFix[]
}

export interface AppliedFix {
  readonly at: Fact<number>
  readonly success: Fact<boolean>
  readonly backup: Fact<string>
  /** `pass`, `fail`, `pending`; `rolled_back` after a roll back. */
  readonly verification: Fact<string>
  readonly canRollBack: Fact<boolean>
  readonly changed: readonly {
    readonly file: Fact<string>
    readonly action: Fact<string>
    readonly backup: Fact<string>
  }[]
}

export interface HistoryEntry {
  readonly action: Fact<string>
  readonly startedAt: Fact<number>
  readonly completedAt: Fact<number>
  readonly result: Fact<string>
  readonly outputs: readonly Fact<string>[]
}
