/** Each fix is proven: its diff applies, and a scan with it no longer finds the issue. */
import { modified, unifiedDiff } from '../fix'
import { diagnosisAreas } from '../schema'
import { compareScans } from './compareScans'
import { generators, newFiles } from './generators'
import { issuesOf, type ScannedIssue } from './issues'
import { patternTexts, type Pattern } from './patterns'
import { scanSkill, type FoundIssue } from './scan'
import { SkillText } from './skillText'

interface ProposedChange {
  readonly file: string
  readonly action: 'create' | 'modify'
  readonly diff?: string
  readonly new_content?: string
}

export interface ProposedFix {
  readonly id: string
  readonly issue_ids: readonly string[]
  readonly strategy: string
  readonly description: string
  readonly rationale: string
  readonly changes: readonly ProposedChange[]
  readonly risk: 'low' | 'medium'
  readonly estimated_impact: string
  readonly verification_steps: readonly string[]
}

interface Strategy {
  readonly strategy: string
  /** For a strategy that the specification does not list. */
  readonly word?: string
  readonly risk?: 'medium'
}

const strategies: Readonly<Partial<Record<Pattern, Strategy>>> = {
  history_accumulation: { strategy: 'sliding_window' },
  missing_summarization: { strategy: 'context_summarization' },
  constraint_propagation: { strategy: 'constraint_injection' },
  goal_drift: { strategy: 'constraint_injection' },
  checkpoint_mechanism: { strategy: 'checkpoint_restore' },
  state_schema_constraints: { strategy: 'custom', word: 'state_constraints_field' },
  missing_verification: { strategy: 'custom', word: 'goal_embedding' },
  inconsistent_naming: { strategy: 'custom', word: 'field_normalization', risk: 'medium' },
  missing_validation: { strategy: 'schema_enforcement' },
  unchecked_schema: { strategy: 'schema_enforcement' },
  missing_state_schema: { strategy: 'schema_enforcement', risk: 'medium' },
  error_handling: { strategy: 'custom', word: 'error_wrapping' },
  result_validation: { strategy: 'custom', word: 'result_validation' },
  missing_allowed_tool: { strategy: 'custom', word: 'allowed_tools' },
}

const MAX_FIXES = 40
const MAX_SCANNED = 40_000_000

export function proposeFixes(
  texts: ReadonlyMap<string, string>,
  issues: readonly ScannedIssue[],
  wanted: ReadonlySet<string>,
  firstNumber: number,
): ProposedFix[] {
  const skill = textsOf(texts)
  const found = scanSkill(filesOf(texts), diagnosisAreas, () => 0).flatMap((scan) => scan.found)
  const size = Math.max(
    1,
    [...texts.values()].reduce((sum, text) => sum + text.length, 0),
  )
  const fixes: ProposedFix[] = []
  const applied = new Map(texts)
  let scans = Math.min(MAX_FIXES, Math.floor(MAX_SCANNED / size))
  for (const issue of issues) {
    const match = found.find((one) => isOf(one, issue))
    const change = wanted.has(issue.id) && match && scans > 0 ? changeFor(skill, texts, match) : undefined
    if (!match || !change) continue
    scans--
    const together = applyTo(applied, change)
    if (!together || !isProven(texts, issues, issue, change)) continue
    for (const [path, text] of together) applied.set(path, text)
    fixes.push(fixOf(`FIX-${firstNumber + fixes.length}`, issue, match.pattern, change))
  }
  return fixes
}

const filesOf = (texts: ReadonlyMap<string, string>) => [...texts].map(([path, text]) => ({ path, text }))
const textsOf = (texts: ReadonlyMap<string, string>): SkillText[] => filesOf(texts).map((file) => new SkillText(file))

const isOf = ({ pattern, places: [first] }: FoundIssue, { description, location }: ScannedIssue): boolean =>
  patternTexts[pattern].description === description && first?.file === location.file

function changeFor(
  skill: readonly SkillText[],
  texts: ReadonlyMap<string, string>,
  { pattern, places }: FoundIssue,
): ProposedChange | undefined {
  const created = newFiles[pattern]
  if (created)
    return texts.has(created.path) ? undefined : { file: created.path, action: 'create', new_content: created.text }
  const file = skill.find(({ path }) => path === places[0]?.file)
  const after = file && generators[pattern]?.({ skill, file, places })
  if (!file || after === undefined || after === file.text) return undefined
  const diff = unifiedDiff(file.path, file.text, after)
  return diff === undefined ? undefined : { file: file.path, action: 'modify', diff }
}

function applyTo(
  texts: ReadonlyMap<string, string>,
  { file, diff, new_content }: ProposedChange,
): Map<string, string> | undefined {
  if (new_content !== undefined) return texts.has(file) ? undefined : new Map([[file, new_content]])
  const text = texts.get(file)
  if (text === undefined) return undefined
  try {
    return new Map([
      [
        file,
        modified(text, { relative: file, path: file, action: 'modify', diff, before: undefined, after: undefined }),
      ],
    ])
  } catch {
    return undefined
  }
}

function isProven(
  texts: ReadonlyMap<string, string>,
  issues: readonly ScannedIssue[],
  { id }: ScannedIssue,
  change: ProposedChange,
): boolean {
  const alone = applyTo(texts, change)
  if (!alone) return false
  const after = new Map([...texts, ...alone])
  const scans = scanSkill(filesOf(after), diagnosisAreas, () => 0)
  return compareScans(issues, issuesOf(scans, [], []), [id], new Set(alone.keys()), after).verdict === 'pass'
}

function fixOf(id: string, issue: ScannedIssue, pattern: Pattern, change: ProposedChange): ProposedFix {
  const { strategy = 'custom', word, risk = 'low' } = strategies[pattern] ?? {}
  return {
    id,
    issue_ids: [issue.id],
    strategy,
    description: `${word === undefined ? '' : `${word}: `}${issue.suggested_fix}`,
    rationale: issue.root_cause,
    changes: [change],
    risk,
    estimated_impact: `Removes ${issue.id} (${issue.severity}): ${issue.description}`,
    verification_steps: [`Scan the skill again: ${issue.id} is no longer found in ${issue.location.file}.`],
  }
}
