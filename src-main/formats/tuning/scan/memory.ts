import { missingIn, type Confidence, type Found } from './finding'
import type { Code } from './code'
import { nameWords } from './names'
import type { SkillText } from './skillText'

export type MemoryPattern =
  | 'constraint_propagation'
  | 'goal_drift'
  | 'checkpoint_mechanism'
  | 'state_schema_constraints'
  | 'missing_verification'

/** Fewer phases need neither checkpoints nor a final check. */
const MANY_PHASES = 3

export function scanMemory(skill: readonly SkillText[]): Found<MemoryPattern>[] {
  const phases = phasesOf(skill)
  return [
    ...lostConstraints(
      phases,
      skill.find(({ path }) => path === 'SKILL.md'),
    ),
    ...phases.slice(2).flatMap(driftingGoal),
    ...missingCheckpoints(phases),
    ...skill.filter(isStateSchema).flatMap(schemaWithoutConstraints),
    ...(phases.length > MANY_PHASES
      ? skill.filter(({ path }) => path === 'SKILL.md').flatMap((file) => unverified(file, phases))
      : []),
  ]
}

/** In the order in which they run. */
export const phasesOf = (skill: readonly SkillText[]): SkillText[] =>
  skill
    .filter(({ path }) => /^phases\/(?:actions\/)?[^/]+\.md$/i.test(path) && !/orchestrator|state-schema/i.test(path))
    .sort((a, b) => (a.path < b.path ? -1 : 1))

export const isStateSchema = ({ path }: SkillText): boolean => /(?:^|[/_-])state-?_?schema\.md$/i.test(path)

/** `[CONSTRAINTS]`, `## Constraints`, `**Constraints**:`, `CONSTRAINTS:` */
const constraintMark =
  /^[\s>]*(?:\d+[.)]\s*)?(?:\[(?:[\w ]{1,30} )?CONSTRAINTS?(?: [\w ]{1,30})?\]|#{1,6}\s+(?:[\w ]{1,40} )?constraints?\b|\*\*(?:[\w ]{1,40} )?constraints?:?\*\*|(?:[\w ]{1,30} )?constraints?:)/i
const MAX_LINE = 300

const linesOf = ({ text }: SkillText): string[] => text.split(/\r?\n/).map((line) => line.slice(0, MAX_LINE))

export function constraintsIn(file: SkillText): string[] {
  const constraints: string[] = []
  let isInside = false
  for (const line of linesOf(file)) {
    if (constraintMark.test(line)) {
      isInside = true
      continue
    }
    if (!isInside) continue
    const item = /^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ x]\]\s+)?(.*)$/i.exec(line)?.[1]
    if (item !== undefined) constraints.push(item)
    // An indented line belongs to the item before it.
    else if (line.trim() !== '' && !/^\s{2,}\S/.test(line)) isInside = false
  }
  return constraints.filter((constraint) => !isSlot(constraint) && plain(constraint).length >= 4)
}

/** `${constraints}`, `{each}` or `[…]` alone is a placeholder, no constraint. */
const isSlot = (text: string): boolean => /^\W*(?:\$?\{[^}]*\}|\[[^\]]*\]|\.{3}|…)\W*$/.test(text)

const plain = (text: string): string =>
  text
    .replace(/[*_`"“”]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()

const CONSTRAINT_START = 20

const constraintReference =
  /(?:state|context|config|input|session|args|params)\??\.\w{0,30}constraints?\b|\{\{?\s?\w{0,30}constraints?\s?\}?\}|\b(?:follow|respect|obey|honou?r|keep to|re-?read|repeat|check|apply|load|carry|include|restate|copy|enforce|within|under|satisf(?:y|ies))\b[^.\n]{0,60}\bconstraints?\b|\bconstraints?\b[^.\n]{0,40}\b(?:from|of|in) (?:the )?(?:first |phase |phases\/|step |`?phases|`?SKILL|`?specs)/i

function lostConstraints([first, ...later]: readonly SkillText[], main?: SkillText): Found<MemoryPattern>[] {
  const constraints = first
    ? constraintsIn(first).map((constraint) => plain(constraint).slice(0, CONSTRAINT_START))
    : []
  if (!first || constraints.length === 0) return []
  const repeats = (file: SkillText): boolean => {
    const text = plain(file.text)
    return constraints.some((start) => text.includes(start))
  }
  if (main && repeats(main)) return []
  return later
    .filter((file) => !repeats(file) && !constraintReference.test(file.text))
    .map((file) =>
      missingIn(
        'constraint_propagation',
        'high',
        file,
        `None of the constraints of ${first.path}`,
        /constraint|约束/i.test(file.text) ? 'low' : 'high',
      ),
    )
}

const taskMark = /^[\s>]*(?:\[(?:YOUR )?TASK\]|#{1,6}\s+(?:your )?task\b\s*:?\s*$|\*\*(?:your )?task:?\*\*|TASK:)/im
const ruleMark =
  /\[[^\]\n]{0,30}(?:CONSTRAINT|REQUIREMENT|RULE)S?[^\]\n]{0,30}\]|^[\s>]*#{1,6}[^\n]{0,40}\b(?:constraints?|requirements?|rules?)\b|\b(?:constraints?|requirements?|rules?)\*{0,2}\s*:|\{\{?\s?[\w.]{0,40}(?:constraints?|requirements?|rules?)\s?\}?\}|\b(?:follow|respect|obey|honou?r|keep to|keep|satisfy|meet|repeat|apply|within)\b[^.\n]{0,40}\b(?:constraints?|requirements?|rules?)\b/im

function driftingGoal(file: SkillText): Found<MemoryPattern>[] {
  if (!/task/i.test(file.text)) return []
  const lines = linesOf(file)
  const at = lines.findIndex((line) => taskMark.test(line) || /['"`]\s*\[TASK\]/.test(line))
  if (at < 0 || lines.some((line) => ruleMark.test(line))) return []
  const context = lines[at]?.trim() ?? ''
  const confidence = context.includes('[') && !/\*\*|:/.test(context) ? 'high' : 'low'
  return [
    { pattern: 'goal_drift', severity: 'medium', confidence, places: [{ file: file.path, line: at + 1, context }] },
  ]
}

/** What a phase writes may be a checkpoint by another name. */
const savesSomething = ({ text }: SkillText): Confidence =>
  /\b(?:write|save|store|update|commit|append)|\bstate\b|\bresum|保存|写入|状态/i.test(text) ? 'low' : 'high'

function missingCheckpoints(phases: readonly SkillText[]): Found<MemoryPattern>[] {
  if (phases.length <= MANY_PHASES) return []
  const keyPhases = [phases[Math.floor(phases.length / 2)], phases.at(-1)]
  return keyPhases.flatMap((file) =>
    file && !/check-?point|snapshot|preserv|save-?\s?point/i.test(file.text)
      ? [missingIn('checkpoint_mechanism', 'low', file, 'No checkpoint, snapshot or savepoint', savesSomething(file))]
      : [],
  )
}

const isRequirement = (name: string): boolean => {
  if (!/constraint|requirement|original|initial|user/i.test(name)) return false
  const words = nameWords(name)
  return (
    words.some((word) => /^(?:constraint|requirement)s?$/.test(word)) ||
    (words.some((word) => /^(?:original|initial|user)$/.test(word)) &&
      words.some((word) => /^(?:request|prompt|task|goal|ask|brief)$/.test(word)))
  )
}

const isAbout = (name: string): boolean =>
  nameWords(name).some((word) =>
    /^(?:description|task|goal|request|prompt|issue|objective|intent|input|query|topic)$/.test(word),
  )

function namesIn(code: Code): string[] {
  const names: string[] = []
  for (let at = 0; at < code.length; at++) if (code.isWord(at) && code.is(at + 1, ':')) names.push(code.text(at))
  return names
}

function schemaWithoutConstraints(file: SkillText): Found<MemoryPattern>[] {
  const inTables =
    file.text.match(
      /`[^`\n]{1,60}`|^[ \t]{0,9}\|[ \t]{0,9}[\w.]{1,60}|"[\w.]{1,60}"(?=\s{0,9}:)|^[ \t]{0,9}(?:[-*][ \t]{1,5})?\*{0,2}[\w.]{1,60}\*{0,2}[ \t]{0,5}:/gm,
    ) ?? []
  if (inTables.some(isRequirement)) return []
  const { code } = file
  for (let at = 0; at < code.length; at++) if (code.isWord(at) && isRequirement(code.text(at))) return []
  return [
    missingIn(
      'state_schema_constraints',
      'medium',
      file,
      'No field for constraints, requirements or the original request',
      inTables.some(isAbout) || namesIn(code).some(isAbout) ? 'low' : 'high',
    ),
  ]
}

const checks =
  /quality[ _-]gates?|\b(?:verif|validat|check|confirm|enforc|audit|review|compar|assert|ensur|test)\w*\b[^\n]{0,80}\b(?:constraints?|requirements?)\b|\b(?:constraints?|requirements?)\b[^\n]{0,60}\b(?:verif|validat|check|confirm|enforc|audit|compar|assert|are met|is met|satisf)/i

const checksSomething = ({ text }: SkillText): boolean =>
  /\bverif|\bvalidat|\breview|\bquality|验证|审查|质量/i.test(text)

function unverified(file: SkillText, phases: readonly SkillText[]): Found<MemoryPattern>[] {
  const isChecked = linesOf(file).some(
    (line) =>
      checks.test(line) && !/\b(?:no|without|not|never|skip)\b[^\n]{0,20}(?:quality|check|verif|valid)/i.test(line),
  )
  return isChecked
    ? []
    : [
        missingIn(
          'missing_verification',
          'medium',
          file,
          'Neither a check of the constraints nor a quality gate',
          phases.some(checksSomething) ? 'low' : 'high',
        ),
      ]
}
