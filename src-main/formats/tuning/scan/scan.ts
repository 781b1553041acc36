/** Pure, and linear in the length of the texts. */
import { diagnosisAreas } from '../schema'
import type { Severity } from '../scores'
import { scanAgents } from './agent'
import { scanContext } from './context'
import { scanDataflow } from './dataflow'
import { markOf, type Found } from './finding'
import { scanMemory } from './memory'
import { patternTexts, type Pattern } from './patterns'
import { isReference, SkillText, type SkillFile } from './skillText'

export type Area = (typeof diagnosisAreas)[number]
export type FoundIssue = Found<Pattern>

interface Scanner {
  readonly checked: readonly Pattern[]
  readonly maxHigh: number
  readonly scan: (skill: readonly SkillText[]) => readonly FoundIssue[]
}

const scanners: Readonly<Record<Area, Scanner>> = {
  context: {
    checked: ['history_accumulation', 'full_content_passing', 'missing_summarization', 'agent_return_bloat'],
    maxHigh: 2,
    scan: scanContext,
  },
  memory: {
    checked: ['constraint_propagation', 'goal_drift', 'checkpoint_mechanism', 'state_schema_constraints'],
    maxHigh: 2,
    scan: scanMemory,
  },
  dataflow: {
    checked: ['scattered_state', 'inconsistent_naming', 'missing_validation', 'read_write_alignment'],
    maxHigh: 1,
    scan: scanDataflow,
  },
  agent: {
    checked: [
      ...(['error_handling', 'result_validation', 'agent_type_consistency', 'nested_calls'] as const),
      'return_format_consistency',
    ],
    maxHigh: 1,
    scan: scanAgents,
  },
}

export interface Diagnosis {
  readonly status: 'completed'
  readonly issues_found: number
  readonly severity: Severity | 'none'
  readonly execution_time_ms: number
  readonly details: {
    readonly patterns_checked: readonly string[]
    readonly patterns_matched: readonly string[]
    readonly evidence: readonly {
      readonly file: string
      readonly line?: number
      readonly pattern: string
      readonly context: string
      readonly severity: Severity
      readonly confidence?: 'low'
    }[]
    readonly recommendations: readonly string[]
  }
}

export interface AreaScan {
  readonly area: Area
  readonly diagnosis: Diagnosis
  readonly found: readonly FoundIssue[]
}

/** @param now ms */
export function scanSkill(files: readonly SkillFile[], areas: readonly Area[], now: () => number): AreaScan[] {
  const skill = files.filter(({ path }) => path.endsWith('.md')).map((file) => new SkillText(file))
  return diagnosisAreas
    .filter((area) => areas.includes(area))
    .map((area) => {
      const started = now()
      const found = scanners[area].scan(skill).map(doubted)
      return { area, found, diagnosis: diagnose(area, found, Math.max(0, Math.round(now() - started))) }
    })
}

/** Code counts only where a phase runs it. */
const ofCode: ReadonlySet<Pattern> = new Set<Pattern>([
  ...(['history_accumulation', 'full_content_passing', 'agent_return_bloat', 'scattered_state'] as const),
  ...(['inconsistent_naming', 'missing_validation', 'read_write_alignment'] as const),
  ...([
    'error_handling',
    'result_validation',
    'nested_calls',
    'return_format_consistency',
    'agent_type_consistency',
  ] as const),
])

const doubted = (found: FoundIssue): FoundIssue =>
  ofCode.has(found.pattern) && found.places.every(({ file }) => isReference(file))
    ? { ...found, confidence: 'low' }
    : found

const unique = <Value>(values: readonly Value[]): Value[] => [...new Set(values)]

function diagnose(area: Area, found: readonly FoundIssue[], milliseconds: number): Diagnosis {
  const { checked, maxHigh } = scanners[area]
  const matched = new Set(found.map(({ pattern }) => patternTexts[pattern].checkedAs ?? pattern))
  return {
    status: 'completed',
    issues_found: found.length,
    severity: severityOf(found, maxHigh),
    execution_time_ms: milliseconds,
    details: {
      patterns_checked: checked,
      patterns_matched: checked.filter((pattern) => matched.has(pattern)),
      evidence: found.flatMap(({ pattern, severity, confidence, places }) =>
        places.map((place) => ({ ...place, pattern, severity, ...markOf(confidence) })),
      ),
      recommendations: unique(found.map(({ pattern }) => patternTexts[pattern].suggestedFix)),
    },
  }
}

function severityOf(issues: readonly FoundIssue[], maxHigh: number): Severity | 'none' {
  const found = issues.filter(({ confidence }) => confidence === 'high')
  const count = (severity: Severity): number => found.filter((issue) => issue.severity === severity).length
  if (count('critical') > 0) return 'critical'
  if (count('high') > maxHigh) return 'high'
  if (count('high') > 0) return 'medium'
  return found.length > 0 ? 'low' : 'none'
}
