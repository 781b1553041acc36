import { Facts } from '../text/facts'
import { fileFinding, type Finding } from '../finding'
import type { RunFiles } from '../format'
import { readFrontMatter, type FrontMatter } from '../text/frontMatter'
import { nameOf, within, type Listing } from '../listing'
import { entriesOf, field, isNull, itemsOf, LocatedDocument, plain, textOf, type Located } from '../text/located'
import { parseLocatedJson } from '../text/locatedJson'
import { markdownLines, type HeadingLine } from '../text/markdown'
import { projectPath } from '../text/namedPath'
import type { Fact, ValueSource } from '@shared/contract/orchestration'
import { unknown } from '../run'
import { StateText, type StateFile } from '../text/stateFile'
import { ownBatches } from './batchOwners'
import type { BatchFiles } from './batches'
import type { DesignGate, MaestroDetails, PhaseDetails, PlanDetails, SessionDetails, Tokens } from './details'
import { gateFiles, isMaestroFolder, isSession, planFiles, stateDirOf } from './detect'
import { readHookFiles } from './hooks/hookFiles'
import { NEWER_STATE_DIR, resolveSetting, stateDirSetting, type Setting, type SettingLayers } from './settings'

export interface MaestroState {
  readonly stateDir: string
  readonly session: SessionFile | undefined
  readonly gates: readonly LocatedDocument[]
  readonly batches: readonly BatchFiles[]
  readonly maxRetries: Fact<number>
  readonly details: MaestroDetails
  readonly findings: readonly Finding[]
}

export interface SessionFile {
  readonly file: string
  readonly document: LocatedDocument
  readonly root: Located | undefined
  readonly front: FrontMatter
  readonly headings: readonly HeadingLine[]
  readonly phases: readonly { readonly key: string; readonly node: Located }[]
}

const MAX_RETRIES = 2

export function openRun(run: RunFiles): MaestroState {
  const { candidate, files } = run
  const stateDir = stateDirOf(candidate)
  const env = within(candidate.folder, '.env')
  const layers: SettingLayers = { environment: {}, workspace: files.get(env)?.text ?? undefined }
  const session = isSession(candidate.marker) ? openSession(run, candidate.marker) : undefined
  const beside = candidate.archived ? [] : gateFiles(run.listing, stateDir)
  const gates = beside.map((file) => openJson(run, file))
  const batches = ownBatches(run, stateDir)
  const details: MaestroDetails = {
    system: 'maestro',
    stateDir,
    stateDirSetting: shownStateDir(stateDirSetting(layers), stateDir),
    session: session ? readSession(session) : null,
    phases: session?.phases.map(({ key, node }) => readPhase(session, key, node)) ?? [],
    plans: readPlans(run, stateDir, session),
    designGates: gates.map(readGate),
    hookFiles: candidate.archived ? [] : readHookFiles(run),
    batches: batches.map(({ summary: _summary, findings: _findings, ...batch }) => batch),
  }
  const findings = [
    ...(session ? (files.get(session.file)?.findings ?? []) : []),
    ...(session?.document.findings ?? []),
    ...(session?.front.syntax === 'none' && files.get(session.file)?.text !== null
      ? [
          fileFinding(
            session.file,
            'maestro/front-matter',
            'error',
            'a file that does not start with a line of ---',
            'front matter',
          ),
        ]
      : []),
    ...gates.flatMap((gate) => [...(files.get(gate.file)?.findings ?? []), ...gate.findings]),
    ...batches.flatMap((batch) => batch.findings),
  ]
  return {
    stateDir,
    session,
    gates,
    batches,
    maxRetries: retryLimit(resolveSetting('MAESTRO_MAX_RETRIES', layers, String(MAX_RETRIES)), env),
    details,
    findings,
  }
}

const shownStateDir = (setting: Setting, stateDir: string): Setting =>
  setting.source === 'default' && `/${stateDir}`.endsWith(`/${NEWER_STATE_DIR}`)
    ? { ...setting, value: NEWER_STATE_DIR }
    : setting

function retryLimit({ value, source }: Setting, env: string): Fact<number> {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : null
  return {
    value: number,
    source: source === 'default' ? null : { file: env },
    ...(number === null ? { written: value } : {}),
  }
}

/** Naming plans, reading and checking each want the session; its YAML is by far what takes longest. */
const opened = new WeakMap<StateFile, SessionFile>()

function openSession({ files }: RunFiles, file: string): SessionFile {
  const stateFile = files.get(file)
  const known = stateFile && opened.get(stateFile)
  if (known) return known
  const session = parseSession(file, stateFile?.text ?? '')
  if (stateFile) opened.set(stateFile, session)
  return session
}

function parseSession(file: string, content: string): SessionFile {
  const text = new StateText(file, content)
  const front = readFrontMatter(text)
  const { root } = front.document
  const headings = markdownLines(text.text, front.bodyStart).filter((line) => line.kind === 'heading')
  return { file, document: front.document, root, front, headings, phases: keyedPhases(field(root, 'phases')) }
}

/** A list, or an object whose keys are the ids. Missing and repeated ids get a key of their own. */
function keyedPhases(phases: Located | undefined): SessionFile['phases'] {
  const named = phases?.kind === 'map' ? entriesOf(phases) : itemsOf(phases).map((node) => [undefined, node] as const)
  const taken = new Set<string>()
  return named.map(([name, node], index) => {
    const id = textOf(field(node, 'id')) ?? name
    const key = id === undefined || taken.has(id) ? `#${index + 1}` : id
    taken.add(key)
    return { key, node }
  })
}

function openJson({ files }: RunFiles, path: string): LocatedDocument {
  const file = files.get(path)
  const text = new StateText(path, file?.text ?? '')
  return typeof file?.text === 'string' ? parseLocatedJson(text) : new LocatedDocument(text, undefined, [])
}

function readSession({ document, root, front, headings }: SessionFile): SessionDetails {
  const facts = new Facts(document)
  const usage = field(root, 'token_usage')
  const tokens = (node: Located | undefined, prefix: string): Tokens => ({
    input: facts.number(node, `${prefix}input`),
    output: facts.number(node, `${prefix}output`),
    cached: facts.number(node, `${prefix}cached`),
  })
  return {
    syntax: front.syntax,
    status: facts.text(root, 'status'),
    created: facts.time(root, 'created'),
    updated: facts.time(root, 'updated'),
    task: facts.text(root, 'task'),
    executionMode: facts.text(root, 'execution_mode'),
    totalPhases: facts.number(root, 'total_phases'),
    workflowMode: facts.text(root, 'workflow_mode'),
    backend: facts.text(root, 'execution_backend'),
    currentBatch: facts.text(root, 'current_batch'),
    complexity: facts.text(root, 'task_complexity'),
    tokens: {
      ...tokens(usage, 'total_'),
      byAgent: entriesOf(field(usage, 'by_agent')).map(([agent, node]) => ({ agent, ...tokens(node, '') })),
    },
    log: headings.map(({ level, text, line }) => ({ level, title: text, line })),
  }
}

function readPhase({ document, headings }: SessionFile, key: string, node: Located): PhaseDetails {
  const facts = new Facts(document)
  const name = facts.text(node, 'name')
  return {
    key,
    id: facts.text(node, 'id'),
    name: name.value === null ? (headingOf(document, headings, key) ?? name) : name,
    status: facts.text(node, 'status'),
    agents: facts.texts(node, 'agents', 'agent'),
    parallel: facts.boolean(node, 'parallel'),
    started: facts.time(node, 'started'),
    completed: facts.time(node, 'completed'),
    blockedBy: facts.texts(node, 'blocked_by'),
    files: {
      created: facts.texts(node, 'files_created'),
      modified: facts.texts(node, 'files_modified'),
      deleted: facts.texts(node, 'files_deleted'),
      planned: facts.texts(node, 'planned_files'),
    },
    downstream: entriesOf(field(node, 'downstream_context')).map(([title, value]) => ({
      name: title,
      entries: downstreamEntries(document, value),
    })),
    errors: itemsOf(field(node, 'errors')).map((error) => ({
      agent: facts.text(error, 'agent'),
      time: facts.time(error, 'timestamp'),
      type: facts.text(error, 'type'),
      message: error.kind === 'scalar' ? facts.text(error) : facts.text(error, 'message'),
      resolution: facts.text(error, 'resolution'),
      resolved: facts.boolean(error, 'resolved'),
    })),
    retries: facts.number(node, 'retry_count'),
    requiresReconciliation: facts.boolean(node, 'requires_reconciliation'),
    reconciliationReason: facts.text(node, 'reconciliation_reason'),
  }
}

function headingOf(document: LocatedDocument, headings: readonly HeadingLine[], id: string): Fact<string> | undefined {
  for (const { text, line } of headings) {
    const [, number, title = ''] = /^Phase\s+([\w-]+)\s*[:–-]\s*(.*)$/i.exec(text) ?? []
    if (number === id && title !== '') return { value: title, source: { file: document.file, line } }
  }
  return undefined
}

const empty = new Set(['', 'none', 'n/a', 'not applicable'])

function downstreamEntries(document: LocatedDocument, node: Located): Fact<string>[] {
  const convert = (item: Located): string | undefined =>
    item.kind === 'scalar' ? textOf(item) : JSON.stringify(plain(item))
  const nodes = node.kind === 'list' ? node.items : isNull(node) ? [] : [node]
  return nodes
    .map((item) => document.fact(item, convert))
    .filter(({ value }) => !empty.has(value?.trim().toLowerCase() ?? ''))
}

function readGate(document: LocatedDocument): DesignGate {
  const facts = new Facts(document)
  const { root } = document
  const approved = field(root, 'approved_at')
  return {
    open: field(root, 'entered_at') !== undefined && (!approved || isNull(approved)),
    session: facts.text(root, 'session_id'),
    enteredAt: facts.time(root, 'entered_at'),
    approvedAt: facts.time(root, 'approved_at'),
    document: facts.text(root, 'design_document_path'),
  }
}

const planFields = [
  ['design', 'design_document'],
  ['implementation', 'implementation_plan'],
] as const

export function namedPlans(run: RunFiles): string[] {
  const { marker } = run.candidate
  if (!isSession(marker)) return []
  const { root } = openSession(run, marker)
  return planFields.flatMap(([, name]) => locatePlan(run, stateDirOf(run.candidate), textOf(field(root, name))) ?? [])
}

function readPlans(run: RunFiles, stateDir: string, session: SessionFile | undefined): PlanDetails[] {
  if (!session) {
    return planFiles(run.listing, stateDir).map((path) =>
      readPlan(run, path.endsWith('-impl-plan.md') ? 'implementation' : 'design', path, unknown()),
    )
  }
  return planFields.flatMap(([kind, name]) => {
    const named = session.document.fact(field(session.root, name), textOf)
    return named.value === null || named.value.trim() === ''
      ? []
      : [readPlan(run, kind, locatePlan(run, stateDir, named.value) ?? null, named)]
  })
}

/**
 * Also by the same name in the folders of plans: paths may be absolute, of another machine, or from before archiving.
 */
function locatePlan(
  { candidate, listing }: { candidate: RunFiles['candidate']; listing: Listing },
  stateDir: string,
  named: string | undefined,
): string | undefined {
  if (named === undefined) return undefined
  const name = named.split(/[/\\]/).at(-1) ?? ''
  const places = [
    projectPath(candidate.folder, named),
    within(stateDir, `plans/${name}`),
    within(stateDir, `plans/archive/${name}`),
  ]
  return places.find((path) => path !== undefined && listing.hasFile(path))
}

function readPlan(
  { files }: RunFiles,
  kind: PlanDetails['kind'],
  path: string | null,
  named: Fact<string>,
): PlanDetails {
  const file = path === null ? undefined : files.get(path)
  const front = readFrontMatter(new StateText(path ?? '', file?.text ?? ''))
  const facts = new Facts(front.document)
  const { root } = front.document
  const [heading] = markdownLines(front.document.text.text, front.bodyStart).filter((line) => line.kind === 'heading')
  const title = facts.text(root, 'title')
  return {
    kind,
    path,
    named,
    title:
      title.value === null && heading && path !== null
        ? { value: heading.text, source: { file: path, line: heading.line } }
        : title,
    status: facts.text(root, 'status'),
    created: facts.text(root, 'created'),
  }
}

/**
 * An archive without front matter counts only in a folder that is certainly Maestro's: other notes may lie in an
 * archive, too.
 */
export function isBareArchive({ candidate, listing, files }: RunFiles, { front, file }: SessionFile): boolean {
  const { text } = files.get(file) ?? {}
  if (front.syntax !== 'none' || typeof text !== 'string' || /^(readme|index)\b/i.test(nameOf(file))) return false
  return isMaestroFolder(listing, stateDirOf(candidate)) || front.document.text.text.includes('Orchestration Log')
}

export function looksLikeSession({ document, root }: SessionFile): boolean {
  const broken = document.findings.some(({ severity }) => severity === 'error')
  const has = (name: string): boolean =>
    field(root, name) !== undefined || (broken && document.text.text.slice(0, 100_000).includes(name))
  return ['session_id', 'phases', 'total_phases', 'current_phase'].some(has)
}

export function batchSource({ listing }: RunFiles, { session, stateDir }: MaestroState): ValueSource | undefined {
  if (session) return holdSource(session)
  const [file] = listing.below(within(stateDir, 'parallel'))
  return file === undefined ? undefined : { file }
}

export const holdSource = ({ document, file, root }: SessionFile): ValueSource => {
  const id = field(root, 'session_id')
  return id ? document.source(id) : { file }
}

export const idOf = (run: RunFiles, session: SessionFile): Fact<string> => {
  const id = session.document.fact(field(session.root, 'session_id'), textOf)
  return id.value === null && run.candidate.archived
    ? { value: nameOf(session.file).replace(/\.md$/, ''), source: { file: session.file } }
    : id
}
