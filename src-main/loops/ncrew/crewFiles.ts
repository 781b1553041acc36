/** A crew's folder as it is on disk: what the runner decides by, and what it puts into a prompt. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Remembered, RunFiles } from '../../formats/format'
import type { Listing } from '../../formats/listing'
import { nameOf, parentOf } from '../../formats/listing'
import { field, textOf } from '../../formats/text/located'
import { readStateFile, scanProject } from '../../projects/read/projectFiles'
import { diskSource, readRun, runKey, runLimits } from '../../projects/read/readRun'
import type { StateFile } from '../../formats/text/stateFile'
import { ncrew } from '../../formats/ncrew/format'
import { isProject, locate, type State } from '../../formats/ncrew/state'

export interface Crew {
  /** Its folder, links resolved. */
  readonly root: string
  readonly listing: Listing
  readonly files: RunFiles
  readonly state: State
}

/** Files that are read at a time. */
const AT_ONCE = 16
/** Between two tries to read what somebody is just writing. */
const RETRY_PAUSE_MS = 170
const MAX_TRIES = 4

/**
 * What is being written at this moment is read again for half a second; then it counts as it is.
 * @param folder the crew's own
 * @returns undefined when there is no crew in it
 * @throws AppError when the folder cannot be read
 */
export async function readCrew(
  folder: string,
  loadRemembered: (root: string) => (run: string) => Remembered,
  signal: AbortSignal,
): Promise<Crew | undefined> {
  for (let tries = 1; ; tries++) {
    const { root, listing } = await scanProject(folder, signal)
    const candidate = ncrew.detect(listing).find((found) => found.folder === '')
    if (!candidate) return undefined
    const source = diskSource(root, listing, loadRemembered(root)(runKey(ncrew, candidate)))
    const { files } = await readRun(ncrew, candidate, source, runLimits, { signal })
    const state = locate(files)
    if (tries < MAX_TRIES && state.problems.some(({ severity }) => severity === 'error'))
      await wait(RETRY_PAUSE_MS, undefined, { signal })
    else return isProject(files, state) ? { root, listing, files, state } : undefined
  }
}

export async function readAll(root: string, paths: readonly string[]): Promise<Map<string, StateFile>> {
  const files = new Map<string, StateFile>()
  for (let from = 0; from < paths.length; from += AT_ONCE) {
    for (const file of await Promise.all(paths.slice(from, from + AT_ONCE).map((path) => readStateFile(root, path))))
      files.set(file.path, file)
  }
  return files
}

/** The EXPERT.md of a role: in the folder of that name, or wherever one says that it is this role’s. */
export function expertFileOf({ state, listing }: Crew, role: string): string | undefined {
  const files = listing.below('.noodlecrew/experts').filter((path) => nameOf(path) === 'EXPERT.md')
  return (
    state.expertFiles.find((file) => textOf(field(file.front.document.root, 'role')) === role)?.text.path ??
    files.find((path) => nameOf(parentOf(path)) === role)
  )
}
