import type { Finding } from '../finding'
import type { RunFiles } from '../format'
import { nameOf, parentOf, within } from '../listing'
import { entriesOf, field, itemsOf, numberOf, textOf, type Located, type LocatedDocument } from '../text/located'
import { parseLocatedYaml } from '../text/locatedYaml'
import type { ValueSource } from '@shared/contract/orchestration'
import { StateText, type StateFile } from '../text/stateFile'
import { CREW, firstOf, LOCK, places, questionFiles, questionsFolder } from './detect'
import { phaseSlug } from './heading'
import { indexField, readTable, type IndexRow } from './indexFacts'
import { markdownFile, type MarkdownFile } from './markdownFile'
import { readPhases, type NamedPhases, type OtherSection, type Phase } from './phases'
import { isReadme, readQuestion, type Question } from './questions'

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

export interface Expert {
  readonly role: string
  readonly phase: string | undefined
  readonly llm: string | undefined
  readonly source: ValueSource
}

export interface State {
  readonly folder: string
  readonly index: MarkdownFile | undefined
  /** An INDEX.md without front matter: `| Field | Value |` or `- **Field:** value`. Keys in lower case. */
  readonly indexTable: ReadonlyMap<string, IndexRow>
  readonly idea: MarkdownFile | undefined
  readonly tasks: MarkdownFile | undefined
  readonly otherTasks: readonly string[]
  readonly phases: readonly Phase[]
  readonly outside: readonly OtherSection[]
  readonly questions: readonly Question[]
  readonly manifest: LocatedDocument | undefined
  readonly experts: readonly Expert[]
  readonly expertFiles: readonly MarkdownFile[]
  readonly complete: string | undefined
  readonly lock: string | undefined
  readonly others: readonly string[]
  readonly problems: readonly Finding[]
}

const parsed = new WeakMap<StateFile, MarkdownFile>()

export function locate({ candidate: { folder }, listing, files }: RunFiles): State {
  const problems: Finding[] = []
  const open = (path: string): StateText | undefined => {
    const file = files.get(path)
    problems.push(...(file?.findings ?? []))
    return typeof file?.text === 'string' ? new StateText(path, file.text) : undefined
  }
  const markdown = (path: string | undefined): MarkdownFile | undefined => {
    const text = path === undefined ? undefined : open(path)
    const source = path === undefined ? undefined : files.get(path)
    if (!text || !source) return undefined
    const file = parsed.get(source) ?? markdownFile(text)
    parsed.set(source, file)
    problems.push(...file.front.document.findings)
    return file
  }
  const first = (names: readonly string[]) => firstOf(names, folder, files)?.path
  const manifestPath = first(places.manifest)
  const manifestText = manifestPath === undefined ? undefined : open(manifestPath)
  const manifest = manifestText && parseLocatedYaml(manifestText)
  problems.push(...(manifest?.findings ?? []))

  const index = markdown(first(places.index))
  const tasksPath = first(places.tasks)
  const tasks = markdown(tasksPath)
  const questions = questionFiles(listing, folder, questionsFolder(folder, manifest?.root)).flatMap((path) => {
    if (!files.has(path)) return []
    const file = markdown(path)
    const question = readQuestion(file ?? markdownFile(new StateText(path, '')), file !== undefined)
    return file && isReadme(file) ? [] : [question]
  })
  const expertFiles = [...files.keys()]
    .filter((path) => nameOf(path) === 'EXPERT.md')
    .flatMap((path) => markdown(path) ?? [])
  const experts = readExperts(manifest, expertFiles)
  const { phases, outside } = readPhases(tasks?.lines ?? [], namedPhases({ manifest, experts }))
  const inFolder = (name: string) => (listing.hasFile(within(folder, name)) ? within(folder, name) : undefined)
  return {
    folder,
    index,
    indexTable: index && !index.front.document.root ? readTable(index) : new Map<string, never>(),
    idea: markdown(first(places.idea)),
    tasks,
    otherTasks: places.tasks
      .map((name) => within(folder, name))
      .filter((path) => files.has(path) && path !== tasksPath),
    phases,
    outside,
    questions,
    manifest,
    experts,
    expertFiles,
    complete: inFolder('CREW_COMPLETE'),
    lock: inFolder(LOCK),
    others: listing.in(within(folder, CREW)).filter((path) => !crewFiles.has(nameOf(path))),
    problems,
  }
}

export function isProject({ candidate: { folder, marker }, listing }: RunFiles, state: State): boolean {
  if (nameOf(marker) !== 'INDEX.md') return true
  if (textOf(indexField(state, 'type')) === 'project') return true
  if (!state.tasks) return false
  const tellsState = state.indexTable.has('status') || indexField(state, 'current_phase') !== undefined
  const asks = places.questions.some((name) => listing.hasFolder(within(folder, name)))
  return tellsState || state.complete !== undefined || (asks && state.phases.length > 0)
}

/** The oldest manifests have names only. */
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
  experts.find((expert) => expert.phase !== undefined && phaseSlug(expert.phase) === phase)

export const DEFAULT_MAX_ITERATIONS = 100
export const DEFAULT_MAX_COST = 30

/** The oldest manifests have limits under `crew.llm`. */
export const limitOf = ({ manifest }: State, name: 'max_iterations' | 'max_cost'): Located | undefined =>
  field(field(manifest?.root, 'execution'), name) ?? field(field(field(manifest?.root, 'crew'), 'llm'), name)

export const maxIterations = (state: State): number =>
  numberOf(limitOf(state, 'max_iterations')) ?? DEFAULT_MAX_ITERATIONS
export const maxCost = (state: State): number => numberOf(limitOf(state, 'max_cost')) ?? DEFAULT_MAX_COST

type Manifest = Pick<State, 'manifest'>

export const humanGates = ({ manifest }: Manifest): readonly Located[] => {
  const node = field(field(manifest?.root, 'validation'), 'human_gates')
  return node?.kind === 'scalar' && typeof node.value === 'string' ? [node] : itemsOf(node)
}
const manifestPhases = ({ manifest }: Manifest): readonly Located[] => {
  const node = field(manifest?.root, 'phases')
  return node?.kind === 'map' ? entriesOf(node).map(([, value]) => value) : itemsOf(node)
}

export const phaseName = (node: Located): string | undefined => textOf(node) ?? textOf(field(node, 'name', 'phase'))
export const manifestPhaseKeys = (state: Manifest): string[] =>
  manifestPhases(state).flatMap((node) => phaseSlug(phaseName(node) ?? '') || [])

const namedPhases = ({ manifest, experts }: Pick<State, 'manifest' | 'experts'>): NamedPhases => ({
  listed: new Set(manifestPhaseKeys({ manifest })),
  used: new Set(
    [...experts.map(({ phase }) => phase), ...humanGates({ manifest }).map((gate) => phaseName(gate))].flatMap(
      (name) => phaseSlug(name ?? '') || [],
    ),
  ),
})

export function nextTask({ phases }: State): { phase: Phase; task: Phase['tasks'][number] } | undefined {
  for (const phase of phases) {
    const task = phase.tasks.find(({ line }) => !line.checked)
    if (task) return { phase, task }
  }
  return undefined
}

export const holdSource = ({ tasks, manifest }: State): ValueSource | undefined => {
  const file = tasks?.text.path ?? manifest?.file
  return file === undefined ? undefined : { file }
}
