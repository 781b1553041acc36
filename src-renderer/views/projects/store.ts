import { create } from 'zustand'
import type { Payload } from '@shared/contract/contract'
import type { Project, Run, System, ValueSource } from '@shared/contract/orchestration'
import { call } from '../../client/call'
import { ListFollower } from '../../client/listFollower'
import { showView } from '../../client/navigation'
import { notify, reportError } from '../../client/messages'
import { followedRun } from './followedRun'
import { hideReport } from './report/reportStore'

export interface Choice {
  readonly project: number
  readonly run: string | null
}

export interface Place {
  readonly project: number
  readonly source: ValueSource
}

type Shown =
  | (Place & { readonly kind: 'file' })
  | { readonly kind: 'commit'; readonly project: number; readonly run: string; readonly commit: string }

export interface PlacedRun {
  readonly project: number
  readonly run: Run
}

export interface ChosenNeed {
  readonly key: string
  readonly index: number
  readonly firstOf?: number
}

interface ProjectsState {
  /** By number, the last opened first; null until the list was read. */
  readonly projects: ReadonlyMap<number, Project> | null
  readonly runs: ReadonlyMap<string, PlacedRun>
  readonly formats: readonly System[]
  readonly choice: Choice | null
  readonly need: ChosenNeed | null
  readonly shown: Shown | null
  /** The moment that the chosen run is shown as of, ms since 1970; null for now. */
  readonly at: number | null
}

const nothing: ProjectsState = {
  projects: null,
  runs: new Map(),
  formats: [],
  choice: null,
  need: null,
  shown: null,
  at: null,
}

export const useProjects = create<ProjectsState>(() => nothing)

/** Whether git and agents may run in its folder. */
export const useTrusted = (project: number): boolean =>
  useProjects(({ projects }) => projects?.get(project)?.trusted ?? false)

export const placeOf = (project: number, run: string): string => `${project} ${run}`

type Changes = Payload<'projects.changed'>

const follower = new ListFollower<Changes>(readAll)

type Known = Pick<ProjectsState, 'runs'> & { readonly projects: ReadonlyMap<number, Project> }

function apply(
  { projects, runs }: Known,
  changes: Pick<Changes, 'projects' | 'forgotten' | 'runs' | 'removed'>,
): Known {
  const nextProjects = new Map(projects)
  for (const project of changes.projects) nextProjects.set(project.project, project)
  for (const project of changes.forgotten) nextProjects.delete(project)
  const nextRuns = new Map(runs)
  for (const { project, run } of changes.runs) nextRuns.set(placeOf(project, run.key), { project, run })
  for (const { project, run } of changes.removed) nextRuns.delete(placeOf(project, run))
  const inOrder = [...nextProjects.values()].sort((a, b) => b.openedAt - a.openedAt || b.project - a.project)
  return { projects: new Map(inOrder.map((project) => [project.project, project])), runs: nextRuns }
}

export function receiveProjectChanges(changes: Changes): void {
  const { projects, runs, choice } = useProjects.getState()
  const wereMissed = follower.receive(changes)
  if (projects === null) return
  const next = apply({ projects, runs }, changes)
  useProjects.setState({ ...next, choice: followed(choice, runs, next.runs) })
  if (wereMissed) refreshProjects().catch(reportError)
}

function followed(
  choice: Choice | null,
  before: ReadonlyMap<string, PlacedRun>,
  now: ReadonlyMap<string, PlacedRun>,
): Choice | null {
  const gone = choice?.run ? before.get(placeOf(choice.project, choice.run)) : undefined
  if (!gone || now.has(placeOf(gone.project, gone.run.key))) return choice
  const others = [...now.values()].flatMap(({ project, run }) => (project === gone.project ? [run] : []))
  const run = followedRun(gone.run, others)
  return run === null ? choice : { project: gone.project, run }
}

export function forgetProjects(): void {
  follower.forget()
  const { choice, need } = useProjects.getState()
  useProjects.setState({ ...nothing, choice, need })
}

export const refreshProjects = (): Promise<void> => follower.refresh()

async function readAll(changesAfter: (revision: number) => readonly Changes[]): Promise<void> {
  const { projects, formats, revision: first } = await call('projects.list', {})
  let oldest = first
  const runs: PlacedRun[] = []
  for (const { project, state } of projects) {
    if (state === 'closed') continue
    for (let after: string | null = null; ;) {
      const page: Awaited<ReturnType<typeof readPage>> = await readPage(project, after)
      runs.push(...page.runs.map((run) => ({ project, run })))
      oldest = Math.min(oldest, page.revision)
      if (page.next === null) break
      after = page.next
    }
  }
  const start = apply({ projects: new Map(), runs: new Map() }, { projects, forgotten: [], runs, removed: [] })
  // Whether newer than the page that was read or the same, it is what stands there now.
  const known = changesAfter(oldest).reduce(apply, start)
  useProjects.setState({ ...known, formats })
}

const readPage = (project: number, after: string | null) => call('projects.runs', { project, after })

export const choose = (choice: Choice | null): void =>
  useProjects.setState({ choice, need: null, shown: null, at: null })

export const chooseNeed = (choice: Choice, need: ChosenNeed): void =>
  useProjects.setState({ choice, need, shown: null, at: null })

export const moveNeed = (need: ChosenNeed | null): void => useProjects.setState({ need })

export const showSource = (project: number, source: ValueSource): void =>
  useProjects.setState({ shown: { kind: 'file', project, source } })

export const showCommit = (project: number, run: string, commit: string): void =>
  useProjects.setState({ shown: { kind: 'commit', project, run, commit } })

export const showTime = (at: number | null): void => useProjects.setState({ at })

export const asShown = (): { readonly at?: number } => {
  const { at } = useProjects.getState()
  return at === null ? {} : { at }
}

export const hideShown = (): void => useProjects.setState({ shown: null })

export async function showRun(choice: Choice): Promise<void> {
  hideReport()
  choose(choice)
  await showView('projects')
}

const show = (project: number): void => void showRun({ project, run: null })

export async function searchProjects(): Promise<void> {
  hideReport()
  await showView('projects')
  document.getElementById('projects-search')?.focus()
}

export async function openProject(): Promise<void> {
  const { project } = await call('projects.choose', {})
  if (project !== null) show(project)
}

export async function openSample(): Promise<void> {
  hideReport()
  const { project } = await call('projects.openSample', {})
  chooseNeed({ project, run: null }, { key: '', index: 0, firstOf: project })
  await showView('projects')
}

export async function openDropped(grant: string): Promise<void> {
  show((await call('projects.openGranted', { grant })).project)
}

export async function showWorktrees(): Promise<void> {
  hideReport()
  await showView('projects')
  const { choice } = useProjects.getState()
  if (choice) choose({ project: choice.project, run: null })
  else notify('Choose a project first.')
}
