/** The files of an ncrew project in whichever of their places, and what stands in them. */
import type { Finding } from '../finding'
import { readFrontMatter, type FrontMatter } from '../text/frontMatter'
import type { RunFiles } from '../format'
import { nameOf, parentOf, within } from '../listing'
import { entriesOf, field, itemsOf, numberOf, textOf, type Located, type LocatedDocument } from '../text/located'
import { parseLocatedYaml } from '../text/locatedYaml'
import { markdownLines, type CheckboxLine, type HeadingLine, type MarkdownLine } from '../text/markdown'
import type { ValueSource } from '@shared/contract/orchestration'
import { StateText, type Span } from '../text/stateFile'
import { CREW, firstOf, LOCK, places, questionsFolder } from './detect'

const crewFiles: ReadonlySet<string> = new Set([
  'CREW.md',
  'PHASES.md',
  'WORKFLOW.md',
  'tasks.md',
  'manifest.yml',
  'config.yml',
  '.lock',
  '.gitignore',
])

export interface MarkdownFile {
  readonly text: StateText
  readonly front: FrontMatter
  readonly lines: readonly MarkdownLine[]
}

export type StatusWord = 'COMPLETE' | 'IN PROGRESS' | 'PENDING'
export const emoji: Readonly<Record<StatusWord, string>> = { COMPLETE: '✅', 'IN PROGRESS': '🔄', PENDING: '⏳' }

/** A phase of tasks.md: a heading of level 2 and the checkboxes below it. */
export interface Phase {
  /** Unique in the file: its slug. */
  readonly key: string
  readonly name: string
  readonly heading: HeadingLine
  /** The heading's own status: a copy of what the checkboxes say, written by a model. */
  readonly claimed: StatusWord | undefined
  /** What the checkboxes say. Undefined without any. */
  readonly derived: StatusWord | undefined
  readonly tasks: readonly { readonly key: string; readonly line: CheckboxLine }[]
}

export interface Question {
  readonly file: MarkdownFile
  readonly title: string
  readonly status: Located | undefined
  /** The person's words, when they are more than the blanks to fill in. */
  readonly decision: string | undefined
  readonly reason: string | undefined
  /** Where the decision stands or is to be written. */
  readonly decisionLine: MarkdownLine | undefined
  readonly options: readonly string[]
}

export interface Expert {
  readonly role: string
  readonly phase: string | undefined
  readonly llm: string | undefined
  readonly source: ValueSource
}

export interface State {
  readonly folder: string
  readonly index: MarkdownFile | undefined
  /** `| Field | Value |` of an INDEX.md without front matter, by lower-case field. */
  readonly indexTable: ReadonlyMap<string, { readonly value: string; readonly source: ValueSource }>
  readonly idea: MarkdownFile | undefined
  readonly tasks: MarkdownFile | undefined
  /** The other places that have tasks too. */
  readonly otherTasks: readonly string[]
  readonly phases: readonly Phase[]
  /** Checkboxes of tasks.md above its first phase. */
  readonly strayTasks: readonly CheckboxLine[]
  readonly questions: readonly Question[]
  readonly manifest: LocatedDocument | undefined
  readonly experts: readonly Expert[]
  /** Every EXPERT.md. */
  readonly expertFiles: readonly MarkdownFile[]
  /** Path of CREW_COMPLETE when it is there. */
  readonly complete: string | undefined
  readonly lock: string | undefined
  /** Files in .noodlecrew that belong to nothing known. */
  readonly others: readonly string[]
  readonly problems: readonly Finding[]
}

export function locate({ candidate: { folder }, listing, files }: RunFiles): State {
  const problems: Finding[] = []
  const open = (path: string): StateText | undefined => {
    const file = files.get(path)
    problems.push(...(file?.findings ?? []))
    return typeof file?.text === 'string' ? new StateText(path, file.text) : undefined
  }
  const markdown = (path: string | undefined): MarkdownFile | undefined => {
    const text = path === undefined ? undefined : open(path)
    if (!text) return undefined
    const front = readFrontMatter(text)
    problems.push(...front.document.findings)
    return { text, front, lines: markdownLines(text.text, front.bodyStart) }
  }
  const first = (names: readonly string[]) => firstOf(names, folder, files)?.path
  const manifestPath = first(places.manifest)
  const manifestText = manifestPath === undefined ? undefined : open(manifestPath)
  const manifest = manifestText && parseLocatedYaml(manifestText)
  problems.push(...(manifest?.findings ?? []))

  const index = markdown(first(places.index))
  const tasks = markdown(first(places.tasks))
  const ownQuestions = questionsFolder(folder, manifest?.root)
  const questionFolders = new Set([
    ...places.questions.map((name) => within(folder, name)),
    ...(ownQuestions === undefined ? [] : [ownQuestions]),
  ])
  const questions = [...files.keys()]
    .filter((path) => questionFolders.has(parentOf(path)))
    .flatMap((path) => {
      const file = markdown(path)
      return file ? [readQuestion(file)] : []
    })
  const expertFiles = [...files.keys()]
    .filter((path) => nameOf(path) === 'EXPERT.md')
    .flatMap((path) => markdown(path) ?? [])
  const { phases, stray } = readPhases(tasks?.lines ?? [])
  const inFolder = (name: string) => (listing.hasFile(within(folder, name)) ? within(folder, name) : undefined)
  return {
    folder,
    index,
    indexTable: index && !index.front.document.root ? readTable(index) : new Map<string, never>(),
    idea: markdown(first(places.idea)),
    tasks,
    otherTasks: places.tasks
      .map((name) => within(folder, name))
      .filter((path) => files.has(path) && path !== tasks?.text.path),
    phases,
    strayTasks: stray,
    questions,
    manifest,
    experts: readExperts(manifest, expertFiles),
    expertFiles,
    complete: inFolder('CREW_COMPLETE'),
    lock: inFolder(LOCK),
    others: listing.in(within(folder, CREW)).filter((path) => !crewFiles.has(nameOf(path))),
    problems,
  }
}

/** An INDEX.md alone is a run when it says so, or when it tells a status or a phase beside a list of tasks. */
export function isProject({ candidate: { marker } }: RunFiles, state: State): boolean {
  if (nameOf(marker) !== 'INDEX.md') return true
  if (textOf(indexField(state, 'type')) === 'project') return true
  return (
    state.tasks !== undefined &&
    (state.indexTable.has('status') || indexField(state, 'current_phase') !== undefined || state.complete !== undefined)
  )
}

function readPhases(lines: readonly MarkdownLine[]): { phases: Phase[]; stray: CheckboxLine[] } {
  const phases: { heading: HeadingLine; boxes: CheckboxLine[] }[] = []
  const stray: CheckboxLine[] = []
  for (const line of lines) {
    if (line.kind === 'heading' && line.level === 2) phases.push({ heading: line, boxes: [] })
    else if (line.kind === 'checkbox') (phases.at(-1)?.boxes ?? stray).push(line)
  }
  const keys = new Map<string, number>()
  return {
    stray,
    phases: phases.map(({ heading, boxes }) => {
      const { name, claimed } = readHeading(heading.text)
      const count = (keys.get(slug(name)) ?? 0) + 1
      keys.set(slug(name), count)
      const key = count === 1 ? slug(name) : `${slug(name)}#${count}`
      return {
        key,
        name,
        heading,
        claimed,
        derived: derive(boxes),
        tasks: boxes.map((line, index) => ({ key: `${key}/${index + 1}`, line })),
      }
    }),
  }
}

export const slug = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-')

/**
 * `## Discovery Phase ✅ COMPLETE`, `## Discovery Phase - PENDING`, `## Discovery Phase`, `## Discovery ✅ COMPLETE`. The words
 * count, not the emoji: files exist whose emoji were broken by a wrong encoding.
 */
function readHeading(text: string): { name: string; claimed: StatusWord | undefined } {
  const words = text.split(/\s+/).filter((word) => word !== '')
  const upper = words.map((word) => word.toUpperCase())
  const status = upper.findLastIndex(
    (word) => word === 'COMPLETE' || word === 'COMPLETED' || word === 'PENDING' || word === 'PROGRESS',
  )
  const claimed =
    status < 0
      ? undefined
      : upper[status] === 'PENDING'
        ? 'PENDING'
        : upper[status] === 'PROGRESS'
          ? upper[status - 1] === 'IN'
            ? 'IN PROGRESS'
            : undefined
          : 'COMPLETE'
  const phase = upper.indexOf('PHASE')
  if (phase > 0) return { name: words.slice(0, phase).join(' '), claimed }
  if (claimed === undefined) return { name: words.join(' '), claimed }
  const from = claimed === 'IN PROGRESS' ? status - 1 : status
  const hasMark = from > 1 && !/[\p{L}\p{N}]/u.test(words[from - 1]?.replaceAll(/[^\p{ASCII}]/gu, '') ?? '')
  return { name: words.slice(0, hasMark ? from - 1 : from).join(' '), claimed }
}

const derive = (boxes: readonly CheckboxLine[]): StatusWord | undefined =>
  boxes.length === 0 ? undefined : statusOf(boxes.filter(({ checked }) => checked).length, boxes.length)

export const statusOf = (done: number, total: number): StatusWord =>
  done === 0 ? 'PENDING' : done === total ? 'COMPLETE' : 'IN PROGRESS'

function readQuestion(file: MarkdownFile): Question {
  const title = file.lines.find((line) => line.kind === 'heading' && line.level === 1)
  const decision = answerLine(file, 'Decision')
  const reason = answerLine(file, 'Reason')
  const words = (line: AnswerLine | undefined) => (line && isFilledIn(line.value) ? line.value : undefined)
  return {
    file,
    title: title?.kind === 'heading' ? title.text.replace(/^blocker\s*:\s*/i, '') : nameOf(file.text.path),
    status: field(file.front.document.root, 'status'),
    decision: words(decision),
    reason: words(reason),
    decisionLine: decision?.line,
    options: file.lines.flatMap((line) => optionOf(line) ?? []),
  }
}

/** The value of a line such as `**Decision:** ___`, without the white space around it. */
export interface AnswerLine extends Span {
  readonly line: MarkdownLine
  readonly value: string
  /** What has to be written before a value: a space where none stands behind the name. */
  readonly gap: string
}

/** The first line of this name outside of fences; the colon stands inside or outside of the bold text. */
export function answerLine({ lines }: MarkdownFile, name: 'Decision' | 'Reason' | 'Date'): AnswerLine | undefined {
  const pattern = new RegExp(`^(\\*\\*${name}(?::\\*\\*|\\*\\*:)[ \\t]*)(.*)$`, 's')
  for (const line of lines) {
    if (line.kind !== 'text' || line.fenced) continue
    const [, before, rest] = pattern.exec(line.text) ?? []
    if (before === undefined || rest === undefined) continue
    const start = line.start + before.length
    const value = rest.trim()
    return { line, start, end: start + value.length, value, gap: /\s$/.test(before) ? '' : ' ' }
  }
  return undefined
}

/** Not empty, not only underscores, not a bracketed placeholder. */
export const isFilledIn = (value: string): boolean =>
  value.trim() !== '' && !/^[_\s]+$/.test(value) && !/^\s*\[[^\]]*\]\s*$/.test(value)

/** `- **Option A:** what`, or a heading `### Option A`. */
function optionOf(line: MarkdownLine): string | undefined {
  if (line.kind === 'heading') return /^option\s/i.test(line.text) ? line.text : undefined
  if (line.kind !== 'text' || line.fenced) return undefined
  const [, name, what] = /^\s*[-*+]\s+\*\*(Option [^*:]{1,40})(?::\*\*|\*\*:?)\s*(.*)$/is.exec(line.text) ?? []
  return name === undefined ? undefined : `${name}: ${what ?? ''}`.trim()
}

/** Rows of two cells. */
function readTable({ lines, text }: MarkdownFile): Map<string, { value: string; source: ValueSource }> {
  const rows = new Map<string, { value: string; source: ValueSource }>()
  for (const line of lines) {
    if (line.kind !== 'text' || line.fenced || !line.text.trimStart().startsWith('|')) continue
    const [name, value, ...more] = line.text
      .trim()
      .replace(/^\||\|$/g, '')
      .split('|')
      .map((cell) => cell.trim().replaceAll('**', ''))
    if (name === undefined || value === undefined || more.length > 0 || /^:?-+:?$/.test(name) || value === '-') continue
    if (!rows.has(name.toLowerCase()))
      rows.set(name.toLowerCase(), { value, source: { file: text.path, line: line.line } })
  }
  return rows
}

/** Those of the manifest; what it leaves out stands in the expert's own file. The oldest manifests name them as plain text. */
function readExperts(manifest: LocatedDocument | undefined, files: readonly MarkdownFile[]): Expert[] {
  const own = new Map(
    files.flatMap((file) => {
      const root = file.front.document.root
      const role = textOf(field(root, 'role')) ?? nameOf(parentOf(file.text.path))
      return [
        [
          role,
          {
            phase: textOf(field(root, 'phase')),
            llm: textOf(field(root, 'llm_override', 'llm')),
            source: { file: file.text.path },
          },
        ] as const,
      ]
    }),
  )
  const crew = field(manifest?.root, 'crew')
  const fallback = textOf(field(crew, 'default_llm'))
  const experts = itemsOf(field(crew, 'experts')).flatMap((node): Expert[] => {
    const role = textOf(field(node, 'role')) ?? textOf(node)
    if (role === undefined || !manifest) return []
    const file = own.get(role)
    own.delete(role)
    return [
      {
        role,
        phase: textOf(field(node, 'phase')) ?? file?.phase,
        llm: textOf(field(node, 'llm')) ?? file?.llm ?? fallback,
        source: manifest.source(node),
      },
    ]
  })
  return [...experts, ...[...own].map(([role, expert]) => ({ role, ...expert, llm: expert.llm ?? fallback }))]
}

export const expertFor = ({ experts }: State, phase: string): Expert | undefined =>
  experts.find((expert) => expert.phase !== undefined && slug(expert.phase) === phase)

export const DEFAULT_MAX_ITERATIONS = 100
export const DEFAULT_MAX_COST = 30

/** A limit in its place, or under `crew.llm`, where the oldest manifests have it. */
export const limitOf = ({ manifest }: State, name: 'max_iterations' | 'max_cost'): Located | undefined =>
  field(field(manifest?.root, 'execution'), name) ?? field(field(field(manifest?.root, 'crew'), 'llm'), name)

export const maxIterations = (state: State): number =>
  numberOf(limitOf(state, 'max_iterations')) ?? DEFAULT_MAX_ITERATIONS
export const maxCost = (state: State): number => numberOf(limitOf(state, 'max_cost')) ?? DEFAULT_MAX_COST

export const humanGates = ({ manifest }: State): readonly Located[] =>
  itemsOf(field(field(manifest?.root, 'validation'), 'human_gates'))
export const manifestPhases = ({ manifest }: State): readonly Located[] => {
  const node = field(manifest?.root, 'phases')
  return node?.kind === 'map' ? entriesOf(node).map(([, value]) => value) : itemsOf(node)
}

export const indexField = ({ index }: State, name: string): Located | undefined =>
  field(index?.front.document.root, name)
export const isPending = ({ status }: Question): boolean => textOf(status)?.trim().toLowerCase() === 'pending'

/** The first unchecked task of the first phase that has one: what the next expert takes. */
export function nextTask({ phases }: State): { phase: Phase; task: Phase['tasks'][number] } | undefined {
  for (const phase of phases) {
    const task = phase.tasks.find(({ line }) => !line.checked)
    if (task) return { phase, task }
  }
  return undefined
}
