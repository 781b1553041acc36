import type { Finding } from '../../formats/finding'
import type { Remembered, RunFiles } from '../../formats/format'
import type { Listing } from '../../formats/listing'
import { nameOf, parentOf } from '../../formats/listing'
import { field, textOf } from '../../formats/text/located'
import { readStateFile } from '../../projects/read/readStateFile'
import { scanProject } from '../../projects/read/scanProject'
import { diskSource, readRun, runKey, runLimits } from '../../projects/read/readRun'
import type { StateFile } from '../../formats/text/stateFile'
import { ncrew } from '../../formats/ncrew/format'
import { isProject, locate, type State } from '../../formats/ncrew/state'
import { mayHoldState } from '../../formats/ncrew/unclear'
import { readSettled } from '../readSettled'

export interface Crew {
  readonly root: string
  readonly listing: Listing
  readonly files: RunFiles
  readonly state: State
}

const MAX_PARALLEL_READS = 16

/**
 * A file that is being written is read again for half a second, then taken as it is.
 * @param folder the crew's own
 * @returns undefined when there is no crew in it
 * @throws AppError when the folder cannot be read
 */
export async function readCrew(
  folder: string,
  loadRemembered: (root: string) => (run: string) => Remembered,
  signal: AbortSignal,
): Promise<Crew | undefined> {
  const read = async () => {
    const { root, listing, findings } = await scanProject(folder, signal)
    const candidate = ncrew.detect(listing).find((found) => found.folder === '')
    if (!candidate) return undefined
    const source = diskSource(root, listing, loadRemembered(root)(runKey(ncrew, candidate)))
    const { files } = await readRun(ncrew, candidate, source, runLimits, { signal })
    const leftOut = findings
      .filter(({ file, rule }) => rule === 'project/size' || mayHoldState(file))
      .map((finding): Finding => ({ ...finding, severity: 'error' }))
    const state = locate(files)
    return { root, listing, files, state: { ...state, problems: [...state.problems, ...leftOut] } }
  }
  const isWhole = (crew: Crew | undefined) => !crew?.state.problems.some(({ severity }) => severity === 'error')
  const crew = await readSettled(read, isWhole, signal)
  return crew && isProject(crew.files, crew.state) ? crew : undefined
}

export async function readAll(root: string, paths: readonly string[]): Promise<Map<string, StateFile>> {
  const files = new Map<string, StateFile>()
  for (let from = 0; from < paths.length; from += MAX_PARALLEL_READS) {
    for (const file of await Promise.all(
      paths.slice(from, from + MAX_PARALLEL_READS).map((path) => readStateFile(root, path)),
    ))
      files.set(file.path, file)
  }
  return files
}

export function expertFileOf({ state, listing }: Crew, role: string): string | undefined {
  const files = listing.below('.noodlecrew/experts').filter((path) => nameOf(path) === 'EXPERT.md')
  return (
    state.expertFiles.find((file) => textOf(field(file.front.document.root, 'role')) === role)?.text.path ??
    files.find((path) => nameOf(parentOf(path)) === role)
  )
}
