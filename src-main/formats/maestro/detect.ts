import type { Candidate } from '../format'
import { nameOf, parentOf, within, type Listing } from '../listing'
import { DEFAULT_STATE_DIR, NEWER_STATE_DIR } from './settings'

export const activeSession = (stateDir: string): string => within(stateDir, 'state/active-session.md')
const isArchived = (path: string): boolean => parentOf(path).endsWith('state/archive')

/** Plans count only where the folder has one of Maestro's own names: their names are too common. */
const mark =
  /(?:^|\/)(?:state\/(?:active-session\.md|archive\/[^/]+\.md|[^/]+\.design-gate\.json)|parallel\/[^/]+\/(?:prompts|results)\/[^/]+|(plans)\/[^/]+-(?:design|impl-plan)\.md)$/
const defaults = [DEFAULT_STATE_DIR, NEWER_STATE_DIR]

export function detect(listing: Listing): Candidate[] {
  const stateDirs = new Set<string>()
  for (const file of listing.files) {
    const found = mark.exec(file)
    if (!found) continue
    const stateDir = file.slice(0, found.index)
    if (found[1] === undefined || defaultOf(stateDir) !== undefined) stateDirs.add(stateDir)
  }
  return [...stateDirs].flatMap((stateDir) => candidatesOf(listing, stateDir))
}

function candidatesOf(listing: Listing, stateDir: string): Candidate[] {
  const folder = projectOf(listing, stateDir)
  const env = within(folder, '.env')
  const hooks = hookFilesOf(folder)
  const candidate = (marker: string, archived: boolean, files: readonly string[]): Candidate => ({
    folder,
    marker,
    archived,
    files: [...files, env, ...(archived ? [] : hooks)].filter((file) => listing.hasFile(file)),
  })
  const archived = archivedSessions(listing, stateDir)
  const active = activeSession(stateDir)
  const results = batchFiles(listing, stateDir)
  const batches = results.length === 0 ? [] : [...results, active, ...archived]
  const shared = [...gateFiles(listing, stateDir), ...batches]
  const plans = planFiles(listing, stateDir)
  const current = listing.hasFile(active)
    ? [candidate(active, false, [...new Set([active, ...shared])])]
    : shared.length + plans.length > 0 || hasPrompts(listing, stateDir)
      ? [candidate(stateDir === '' ? 'state' : stateDir, false, [...plans, ...shared])]
      : []
  return [...current, ...archived.map((file) => candidate(file, true, [...new Set([file, ...batches])]))]
}

/** Gemini CLI looks in the project's settings first, then in those of an extension developed there. */
export const hookFilesOf = (folder: string): readonly string[] =>
  ['.gemini/settings.json', 'hooks/hooks.json'].map((file) => within(folder, file))

export function stateDirOf({ marker }: Candidate): string {
  if (isSession(marker)) return parentOf(parentOf(isArchived(marker) ? parentOf(marker) : marker))
  return marker === 'state' ? '' : marker
}

export const isSession = (marker: string): boolean => marker.endsWith('.md')

export const gateFiles = (listing: Listing, stateDir: string): string[] =>
  listing.in(within(stateDir, 'state')).filter((file) => file.endsWith('.design-gate.json'))
export const planFiles = (listing: Listing, stateDir: string): string[] =>
  listing.in(within(stateDir, 'plans')).filter((file) => /-(?:design|impl-plan)\.md$/.test(file))

export const archivedSessions = (listing: Listing, stateDir: string): string[] =>
  listing.in(within(stateDir, 'state/archive')).filter((file) => file.endsWith('.md'))

const batchFiles = (listing: Listing, stateDir: string): string[] =>
  listing
    .below(within(stateDir, 'parallel'))
    .filter((file) => parentOf(file).endsWith('/results') && /\.(?:json|exit)$/.test(nameOf(file)))

const hasPrompts = (listing: Listing, stateDir: string): boolean =>
  listing.below(within(stateDir, 'parallel')).some((file) => parentOf(file).endsWith('/prompts'))

export const isMaestroFolder = (listing: Listing, stateDir: string): boolean =>
  defaultOf(stateDir) !== undefined ||
  listing.hasFile(activeSession(stateDir)) ||
  gateFiles(listing, stateDir).length + planFiles(listing, stateDir).length > 0

const defaultOf = (stateDir: string): string | undefined =>
  defaults.find((name) => stateDir === name || stateDir.endsWith(`/${name}`))

function projectOf(listing: Listing, stateDir: string): string {
  const name = defaultOf(stateDir)
  if (name !== undefined) return stateDir.slice(0, Math.max(0, stateDir.length - name.length - 1))
  for (let folder = parentOf(stateDir); ; folder = parentOf(folder)) {
    if (listing.hasFile(within(folder, '.env'))) return folder
    if (folder === '') return parentOf(stateDir)
  }
}
