import type { Code } from './code'
import { allSure, foundAt, missingIn, offsetsOf, type Found } from './finding'
import { isStateSchema } from './memory'
import type { SkillText } from './skillText'
import { isCall, isDot, swallows, unquoted } from './usage'
import { wordSet } from './names'

export type DataflowPattern =
  | 'scattered_state'
  | 'inconsistent_naming'
  | 'missing_validation'
  | 'read_write_alignment'
  | 'unchecked_schema'
  | 'missing_state_schema'

export function scanDataflow(skill: readonly SkillText[]): Found<DataflowPattern>[] {
  const writes = skill.flatMap((file) => targetsIn(file, writers))
  const isAutonomous = skill.find(({ path }) => path === 'phases/orchestrator.md')
  return [
    ...scatteredState(writes),
    ...inconsistentNames(skill),
    ...skill.flatMap(unvalidated),
    ...unreadTargets(skill, writes),
    ...skill.filter(isStateSchema).flatMap(uncheckedSchema),
    ...(isAutonomous && !skill.some(isStateSchema) && !definesState(isAutonomous)
      ? [
          missingIn(
            'missing_state_schema' as const,
            'high',
            isAutonomous,
            'The skill has no state-schema.md',
            keepsState(skill) ? 'high' : 'low',
          ),
        ]
      : []),
  ]
}

const definesState = ({ text }: SkillText): boolean =>
  /\b(?:interface|type)\s+\w{0,40}State\b|^#{1,6}[^\n]{0,40}\bstate (?:schema|structure|definition|shape|fields)\b/im.test(
    text,
  )

const keepsState = (skill: readonly SkillText[]): boolean =>
  skill.some(
    ({ path, text }) =>
      path.startsWith('phases/') && /\bstate\.(?:json|\w+)|\b(?:update|read|load|save)_?State\b/i.test(text),
  )

interface Target {
  readonly file: SkillText
  readonly offset: number
  readonly path: string
}

const writers: ReadonlySet<string> = wordSet('Write writeFile writeFileSync write_file WriteFile writeJson saveJson')
const readers: ReadonlySet<string> = wordSet('Read readFile readFileSync read_file ReadFile readJson loadJson Edit')

function targetsIn(file: SkillText, names: ReadonlySet<string>): Target[] {
  const { code } = file
  const targets: Target[] = []
  for (let at = 0; at < code.length; at++) {
    if (!isCall(code, at) || !names.has(code.text(at))) continue
    const path = pathAt(code, firstArgument(code, at + 2))
    if (path !== undefined) targets.push({ file, offset: code.start(at), path })
  }
  return targets
}

function firstArgument(code: Code, at: number): number {
  const first = code.is(at, '{') ? at + 1 : at
  return code.isWord(first) && (code.is(first + 1, ':') || code.is(first + 1, '=')) ? first + 2 : first
}

function pathAt(code: Code, at: number): string | undefined {
  if (isCall(code, at) && ['join', 'resolve'].includes(code.text(at))) return joined(code, at)
  if (code.is(at, 'path') && isDot(code, at + 1) && isCall(code, at + 2)) return joined(code, at + 2)
  if (code.is(at, '`')) {
    const close = code.partner(at)
    return close < 0 || close - at > 40 ? undefined : normalised(rawText(code, at + 1, close - 1))
  }
  const text = unquoted(code, at)
  if (text !== undefined) return text.length > 200 ? undefined : normalised(text)
  const sum = code.isWord(at) && code.is(at + 1, '+') ? unquoted(code, at + 2) : undefined
  return sum === undefined ? undefined : normalised(`\${${code.text(at)}}${sum}`)
}

const rawText = (code: Code, first: number, last: number): string => {
  let text = ''
  for (let at = first; at <= last && text.length < 200; at++) text += code.text(at)
  return text
}

/** `join(dir, 'state.json')` becomes `${dir}/state.json`. */
function joined(code: Code, at: number): string | undefined {
  const close = code.partner(at + 1)
  if (close < 0 || close - at > 40) return undefined
  const parts: string[] = []
  for (let next = at + 2; next < close; next++) {
    const text = unquoted(code, next)
    if (text !== undefined) parts.push(text)
    else if (code.isWord(next) && code.parent(next) === at + 1 && !isDot(code, next + 1))
      parts.push(`\${${code.text(next)}}`)
  }
  return parts.length === 0 ? undefined : normalised(parts.join('/'))
}

const normalised = (path: string): string =>
  path
    .trim()
    .replace(
      /\$?\{([^}]{0,80})\}/g,
      (_, name: string) =>
        `{${name
          .replace(/^.*\./, '')
          .replace(/[_\s-]/g, '')
          .toLowerCase()}}`,
    )
    .replace(/^\.\//, '')

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
const isStateFile = (path: string): boolean =>
  /(?:^|[._-]|\}|^[a-z]+)(?:state|config)\.json$/.test(baseName(path)) &&
  !/^(?:ts|js)config\.json$/.test(baseName(path))

/** More state files are more than one source of truth. */
const MAX_STATE_FILES = 2

function scatteredState(writes: readonly Target[]): Found<DataflowPattern>[] {
  const targets = writes.filter(
    ({ path }) => isStateFile(path) && !/(?:dest|output|preview|target|backup|dist)/i.test(path),
  )
  const first = new Map<string, Target>()
  for (const target of targets) if (!first.has(target.path)) first.set(target.path, target)
  if (first.size <= MAX_STATE_FILES) return []
  const places = [...first.values()].map(({ file, offset }) => ({
    file: file.path,
    line: file.line(offset),
    context: file.excerpt(offset),
  }))
  return [{ pattern: 'scattered_state', severity: 'high', confidence: 'high', places: places.slice(0, 5) }]
}

const pairs: readonly (readonly [string, string])[] = [
  ['name', 'title'],
  ['id', 'identifier'],
  ['status', 'state'],
  ['error', 'errors'],
]
const paired: ReadonlySet<string> = new Set(pairs.flat())

/** Names too general to mean the same thing in two places. */
const genericNames: ReadonlySet<string> = wordSet(
  'this self document window process event console props options Math JSON Object z',
)

interface Use {
  readonly file: SkillText
  readonly offset: number
  readonly nameOffset: number
}

type Uses = Map<string, Map<string, Use[]>>

const MAX_USES = 50

function collectUses(file: SkillText, uses: Uses): void {
  const { code } = file
  for (let at = 0; at < code.length; at++) {
    const use = memberAt(code, at)
    if (!use || genericNames.has(use.variable)) continue
    // A short name, such as a loop's, means something else in another file.
    const isLocal = use.variable.length < 4 || use.variable === 'item'
    const variable = isLocal ? `${file.path} ${use.variable}` : use.variable
    const members = uses.get(variable) ?? new Map<string, Use[]>()
    const places = members.get(use.member) ?? []
    if (places.length < MAX_USES)
      places.push({ file, offset: code.start(at), nameOffset: nameOffset(code, at, use.member) })
    uses.set(variable, members.set(use.member, places))
  }
}

interface TwoNames {
  readonly name: string
  readonly kept: readonly Use[]
  readonly strayName: string
  readonly stray: readonly Use[]
}

function twoNames(skill: readonly SkillText[]): TwoNames[] {
  const uses: Uses = new Map()
  for (const file of skill) collectUses(file, uses)
  return [...uses.values()].flatMap((members) =>
    pairs.flatMap(([first, second]) => {
      const [a, b] = [members.get(first), members.get(second)]
      if (!a || !b || isDeliberate(a, b)) return []
      return b.length <= a.length
        ? [{ name: first, kept: a, strayName: second, stray: b }]
        : [{ name: second, kept: b, strayName: first, stray: a }]
    }),
  )
}

export interface Renaming {
  readonly offset: number
  readonly from: string
  readonly to: string
}

export function renamingsIn(skill: readonly SkillText[], file: SkillText): Renaming[] | undefined {
  const found = twoNames(skill).filter(({ stray }) => stray.some((use) => use.file === file))
  const isCertain = found.every(
    ({ stray, strayName }) =>
      stray.length < MAX_USES &&
      !skill.some(({ code }) => isKey(code, strayName, new Set(stray.map((use) => use.nameOffset)))),
  )
  return isCertain
    ? found.flatMap(({ name, strayName, stray }) =>
        stray.flatMap((use) => (use.file === file ? [{ offset: use.nameOffset, from: strayName, to: name }] : [])),
      )
    : undefined
}

function isKey(code: Code, name: string, uses: ReadonlySet<number>): boolean {
  for (let at = 0; at < code.length; at++) {
    const isQuoted = unquoted(code, at) === name && !uses.has(code.start(at) + 1)
    const isPlain = code.is(at, name) && !isDot(code, at - 1)
    const isListed = (code.is(at - 1, '{') || code.is(at - 1, ',')) && (code.is(at + 1, ',') || code.is(at + 1, '}'))
    if (isQuoted || (isPlain && (isListed || code.is(at + 1, ':') || code.is(at + 1, '?')))) return true
  }
  return false
}

function inconsistentNames(skill: readonly SkillText[]): Found<DataflowPattern>[] {
  const issues = new Map<SkillText, number[]>()
  for (const { stray, kept } of twoNames(skill)) {
    for (const { file, offset } of stray) addTo(issues, file, offset)
    for (const { file, offset } of kept) issues.get(file)?.push(offset)
  }
  return [...issues].flatMap(([file, offsets]) => foundAt('inconsistent_naming', 'medium', file, allSure(offsets)))
}

function addTo(issues: Map<SkillText, number[]>, file: SkillText, offset: number): void {
  const offsets = issues.get(file)
  if (offsets) offsets.push(offset)
  else issues.set(file, [offset])
}

function memberAt(code: Code, at: number): { variable: string; member: string } | undefined {
  if (!code.isWord(at)) return undefined
  const member = memberName(code, at + 1)
  return member !== undefined && paired.has(member) ? { variable: code.text(at), member } : undefined
}

function nameOffset(code: Code, at: number, member: string): number {
  let place = at + 2
  while (!code.text(place).includes(member) && place < at + 5) place++
  return code.start(place) + code.text(place).indexOf(member)
}

function memberName(code: Code, at: number): string | undefined {
  if (code.is(at, '[')) return unquoted(code, at + 1)
  if (!isDot(code, at)) return undefined
  if (!code.is(at + 2, '(')) return code.text(at + 1)
  return code.is(at + 1, 'get') ? unquoted(code, at + 3) : undefined
}

/** Both stand on one line of a fallback or an assignment: the code knows both names. */
function isDeliberate(a: readonly Use[], b: readonly Use[]): boolean {
  const lineOf = ({ file, offset }: Use) => `${file.line(offset)} ${file.path}`
  const lines = new Set(a.map(lineOf))
  return b.some(
    (use) => lines.has(lineOf(use)) && /\?\?|\|\||\bor\b|[^=!<>]=(?![=>])/.test(use.file.excerpt(use.offset)),
  )
}

const validation =
  /validat|schema|\bzod\b|\bassert|typeof|instanceof|isArray|type.?check|type.?guard|\bajv\b|isObject|isValid|\bin\b\s*obj/i

function unvalidated(file: SkillText): Found<DataflowPattern>[] {
  if (!/JSON\s{0,3}\.\s{0,3}parse|json\s{0,3}\.\s{0,3}loads?\b/.test(file.text) || validation.test(file.text)) return []
  const { code } = file
  const offsets: number[] = []
  for (let at = 0; at < code.length; at++) {
    if (!code.is(at, '(') || !isDot(code, at - 2)) continue
    const isParsing =
      (code.is(at - 1, 'parse') && code.is(at - 3, 'JSON')) ||
      (/^loads?$/.test(code.text(at - 1)) && code.is(at - 3, 'json'))
    if (isParsing && !hasDefault(code, at - 1)) offsets.push(code.start(at - 3))
  }
  return foundAt('missing_validation', 'medium', file, allSure(offsets))
}

const isDefault = (code: Code, at: number): boolean => code.is(at, '||') || code.is(at, '??') || code.is(at, 'or')

function hasDefault(code: Code, at: number): boolean {
  const close = code.partner(at + 1)
  let end = close
  while (end >= 0 && code.is(end + 1, ')')) end++
  if (close >= 0 && (isDefault(code, close + 1) || isDefault(code, end + 1))) return true
  for (let next = at + 2; next < Math.min(close, at + 60); next++) if (isDefault(code, next)) return true
  const isClone = code.is(at + 2, 'JSON') && code.is(at + 4, 'stringify')
  return isClone || isCaught(code, at)
}

function isNotNeeded(code: Code, at: number, open: number): boolean {
  let target = at - 1
  while (target > open && !code.is(target, '=')) target--
  const name = code.text(target - 1)
  if (!code.is(target, '=') || name === '' || ['const', 'let', 'var'].includes(code.text(target - 2))) return true
  for (let token = open - 2; token >= 0 && token > open - 60 && code.kind(token) !== 0; token--)
    if (code.is(token, name) && code.is(token + 1, '=')) return true
  return false
}

function isCaught(code: Code, at: number): boolean {
  for (const open of code.around(at))
    if (code.is(open, '{') && code.is(open - 1, 'try'))
      return !swallows(code, code.partner(open) + 1) || isNotNeeded(code, at, open)
  return false
}

function unreadTargets(skill: readonly SkillText[], writes: readonly Target[]): Found<DataflowPattern>[] {
  const read = new Set(skill.flatMap((file) => targetsIn(file, readers)).map(({ path }) => baseName(path)))
  const candidates = writes.filter(({ path }) => {
    const name = baseName(path)
    return name.includes('.') && !/output|report/i.test(path) && !read.has(name) && !/^\{/.test(name)
  })
  const names = new Set(
    candidates
      .map(({ path }) => baseName(path))
      .filter((name) => name.length >= 4)
      .slice(0, 200),
  )
  const mentioned = new Set(skill.flatMap((file) => [...mentionsOf(file, names)]))
  const unread = candidates.filter(({ path }) => !mentioned.has(baseName(path)))
  const known = namesWrittenOnce(skill, new Set(unread.map(({ path }) => baseName(path)).slice(0, 200)))
  return [...new Set(unread.map(({ file }) => file))].flatMap((file) =>
    foundAt(
      'read_write_alignment',
      'low',
      file,
      offsetsOf(
        unread.filter((one) => one.file === file),
        ({ offset }) => offset,
        // Other formats are for people, and a name with a slot is read under another name.
        ({ path }) => path.endsWith('.json') && known.has(baseName(path)),
      ),
    ),
  )
}

function namesWrittenOnce(skill: readonly SkillText[], names: ReadonlySet<string>): ReadonlySet<string> {
  const counts = new Map<string, number>()
  for (const file of names.size === 0 ? [] : skill)
    for (const { found } of linesNaming(file, names))
      for (const name of found) counts.set(name, (counts.get(name) ?? 0) + 1)
  return new Set([...counts].flatMap(([name, count]) => (count === 1 ? [name] : [])))
}

const readingWord =
  /\b(?:read|reads|load|loads|open|opens|pars\w+|input|from|use|uses|using|consume\w*|import\w*|require\w*|fetch\w*|see|include\w*|source|cat|look at|pass\w*|hand\w*|deliver\w*|present\w*|show\w*|result|resume\w*|check\w*)\b/i

function* linesNaming(
  { text }: SkillText,
  names: ReadonlySet<string>,
): Generator<{ readonly line: string; readonly found: readonly string[] }> {
  for (let dot = text.indexOf('.'), end = 0; dot >= 0; dot = text.indexOf('.', end)) {
    const start = text.lastIndexOf('\n', dot) + 1
    const newline = text.indexOf('\n', dot)
    end = newline < 0 ? text.length : newline
    const line = text.slice(start, Math.min(end, start + 500))
    const found = [...line.matchAll(/[\w{}-]+(?:\.[\w-]+)+/g)].map(([word]) => word).filter((word) => names.has(word))
    if (found.length > 0) yield { line, found }
  }
}

function* mentionsOf(file: SkillText, names: ReadonlySet<string>): Generator<string> {
  if (names.size === 0) return
  for (const { line, found } of linesNaming(file, names))
    if (readingWord.test(line) && !/\b(?:Write|writeFile|writeFileSync)\(/.test(line)) yield* found
}

function uncheckedSchema(file: SkillText): Found<DataflowPattern>[] {
  const { code } = file
  let type: number | undefined
  for (let at = 0; at < code.length; at++) {
    if (!code.isWord(at)) continue
    const word = code.text(at)
    if (word === 'z' || (code.is(at + 1, '(') && /^(?:validate|isValid|assert|check|parse|verify)/i.test(word)))
      return []
    if ((word === 'interface' || word === 'type') && code.isWord(at + 1)) type ??= code.start(at)
  }
  return type === undefined ? [] : foundAt('unchecked_schema', 'low', file, allSure([type]))
}
