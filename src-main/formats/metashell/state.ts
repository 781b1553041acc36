import type { Finding } from '../finding'
import type { RunFiles } from '../format'
import { nameOf, within } from '../listing'
import { entriesOf, field, foldDotted, itemsOf, LocatedDocument, numberOf, textOf, type Located } from '../text/located'
import { parseLocatedJson } from '../text/locatedJson'
import { markdownLines, type MarkdownLine } from '../text/markdown'
import { StateText } from '../text/stateFile'
import { unclearAmounts, type Unclear } from '../unclearAmounts'
import { artifactsFolder, jsonFiles, META } from './detect'

const artefactKinds = ['plan', 'research', 'summary', 'verification'] as const
type ArtefactKind = (typeof artefactKinds)[number]
export interface Artefact {
  readonly kind: ArtefactKind
  readonly document: LocatedDocument
  readonly taskId: string | undefined
}

export interface State {
  readonly context: { readonly text: StateText; readonly lines: readonly MarkdownLine[] } | undefined
  readonly session: LocatedDocument | undefined
  readonly config: LocatedDocument | undefined
  readonly artefacts: readonly Artefact[]
  readonly summaries: ReadonlyMap<string, LocatedDocument>
  readonly others: readonly string[]
  readonly lock: string | undefined
  readonly dotted: ReturnType<typeof foldDotted>['folded']
  readonly problems: readonly Finding[]
}

export function locate({ candidate: { folder }, listing, files }: RunFiles): State {
  const problems: Finding[] = []
  const text = (path: string): StateText | undefined => {
    const file = files.get(path)
    problems.push(...(file?.findings ?? []))
    return typeof file?.text === 'string' ? new StateText(path, file.text) : undefined
  }
  const json = (path: string): LocatedDocument | undefined => {
    const contents = text(path)
    const document = contents && parseLocatedJson(contents)
    problems.push(...(document?.findings ?? []))
    return document
  }
  const inMeta = (name: string) => within(folder, `${META}/${name}`)
  const contextText = text(inMeta('context.md'))
  const config = json(inMeta('config.json'))
  const raw = json(inMeta('session.json'))
  const { root, folded } = foldDotted(raw?.root)

  const configured = artifactsFolder(folder, config?.root)
  const artifacts = [
    configured ?? inMeta('artifacts'),
    ...(configured === undefined ? [within(folder, 'artifacts')] : []),
  ].find((at) => jsonFiles(listing, at).length > 0)
  const artefacts: Artefact[] = []
  const others: string[] = []
  for (const path of artifacts === undefined ? [] : jsonFiles(listing, artifacts)) {
    const [, name, taskId] = /^([a-z]+)(?:_(.+))?\.json$/.exec(nameOf(path)) ?? []
    const kind = artefactKinds.find((candidate) => candidate === name)
    if (kind === undefined || (kind === 'summary') === (taskId === undefined)) {
      others.push(path)
      continue
    }
    const document = json(path)
    if (document) artefacts.push({ kind, document, taskId })
  }
  const known = new Set(['context.md', 'session.json', 'session.json.lock', 'config.json'].map(inMeta))
  for (const path of listing.in(inMeta('').replace(/\/$/, ''))) if (!known.has(path)) others.push(path)
  const lock = inMeta('session.json.lock')
  return {
    context: contextText && { text: contextText, lines: markdownLines(contextText.text, contextText.start) },
    session: raw && new LocatedDocument(raw.text, root, raw.findings),
    config,
    artefacts,
    summaries: new Map(
      artefacts.flatMap(({ kind, document, taskId }) =>
        kind === 'summary' ? [[textOf(field(document.root, 'task_id')) ?? taskId ?? '', document] as const] : [],
      ),
    ),
    others,
    lock: listing.hasFile(lock) ? lock : undefined,
    dotted: folded,
    problems,
  }
}

/** Names of a field in all versions, the specification's first. */
export const fieldNames = {
  sessionId: ['sessionId', 'session_id'],
  currentPhase: ['currentPhase', 'current_phase'],
  gapCount: ['gapCount', 'gap_count'],
  currentTaskIdx: ['currentTaskIdx', 'current_task_idx'],
  dependencies: ['dependencies', 'depends_on'],
} as const

export const planOf = ({ artefacts }: State): Artefact | undefined => artefacts.find(({ kind }) => kind === 'plan')
export const verificationOf = ({ artefacts }: State): Artefact | undefined =>
  artefacts.find(({ kind }) => kind === 'verification')

/** At its usual place, or at the top as in version 2. */
export const cursorOf = (session: Located | undefined): Located | undefined =>
  field(field(session, 'plan'), ...fieldNames.currentTaskIdx) ?? field(session, ...fieldNames.currentTaskIdx)

export interface TaskNode {
  readonly document: LocatedDocument
  readonly node: Located
  readonly id: string
  readonly status: { readonly document: LocatedDocument; readonly node: Located } | undefined
  readonly dependencies: readonly { readonly node: Located; readonly id: string }[]
}

/** Version 2 keeps the list in plan.json. */
export function tasksOf(state: State): readonly TaskNode[] {
  const { session } = state
  const own = field(field(session?.root, 'plan'), 'tasks')
  const plan = planOf(state)
  const list =
    session && own
      ? { document: session, items: itemsOf(own) }
      : plan && cursorOf(session?.root)
        ? { document: plan.document, items: itemsOf(field(plan.document.root, 'tasks')) }
        : undefined
  if (!list) return []
  const { document } = list
  return list.items.map((node, index) => {
    const id = textOf(field(node, 'id')) ?? `#${index + 1}`
    const own = field(node, 'status')
    const apart = field(field(field(session?.root, 'tasks'), id), 'status')
    const status = own ? { document, node: own } : session && apart ? { document: session, node: apart } : undefined
    const dependencies = itemsOf(field(node, ...fieldNames.dependencies)).flatMap((item) => {
      const to = textOf(item)
      return to === undefined ? [] : [{ node: item, id: to }]
    })
    return { document, node, id, status, dependencies }
  })
}

export const gapsOf = ({ session }: State): Located | undefined => field(session?.root, ...fieldNames.gapCount)
export const DEFAULT_MAX_GAP_RETRIES = 2
export const maxGapRetriesOf = ({ config }: State): Located | undefined => field(config?.root, 'max_gap_retries')
export const maxGapRetries = (state: State): number => numberOf(maxGapRetriesOf(state)) ?? DEFAULT_MAX_GAP_RETRIES

export const unclearBreaker = (state: State): Unclear[] => [
  ...unclearAmounts(state.session, { gapCount: gapsOf(state) }),
  ...unclearAmounts(state.config, { max_gap_retries: maxGapRetriesOf(state) }),
]

/**
 * Variable that restarts the task of an answered checkpoint: `checkpoint_id`, `user_input` and `task_id`. A host
 * removes it once handed over.
 */
export const checkpointAnswer = 'checkpoint_answer'

export const givenAnswers = 'checkpoint_answers'

export const replacedCommits = 'replaced_commits'

export const PHASE_COMMITS = 'phase_commits'

export const textsOf = (list: Located | undefined): string[] => itemsOf(list).flatMap((item) => textOf(item) ?? [])

export const phaseCommits = (
  state: State,
): { readonly phase: string; readonly node: Located; readonly commits: readonly string[] }[] =>
  entriesOf(variable(state, PHASE_COMMITS)).map(([phase, node]) => ({ phase, node, commits: textsOf(node) }))

export const variablesOf = ({ session }: State): readonly (readonly [string, Located])[] =>
  entriesOf(field(session?.root, 'variables'))
export const variable = ({ session }: State, ...names: readonly string[]): Located | undefined =>
  field(field(session?.root, 'variables'), ...names)
