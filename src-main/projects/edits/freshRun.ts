import type { Candidate, Format, RunFiles } from '../../formats/format'
import type { Listing } from '../../formats/listing'
import { readStateFile } from '../read/projectFiles'
import type { StateFile } from '../../formats/text/stateFile'
import type { ActionRequest } from '../../formats/edit/action'

/** A run, and where its files are. */
export interface RunPlace {
  /** Of the project, without symbolic links. */
  readonly root: string
  readonly format: Format
  readonly candidate: Candidate
  readonly listing: Listing
  readonly remembered: ReadonlyMap<string, string>
}

/** The files of a run as they are on disk at this moment, with those that an action to be planned is about. */
export async function readFresh(
  { root, format, candidate, listing, remembered }: RunPlace,
  request?: ActionRequest,
): Promise<RunFiles> {
  const files = new Map<string, StateFile>()
  const read = async (paths: readonly string[]) => {
    const wanted = paths.filter((path) => listing.hasFile(path) && !files.has(path))
    for (const file of await Promise.all(wanted.map((path) => readStateFile(root, path)))) files.set(file.path, file)
  }
  const run = { candidate, listing, files, remembered }
  await read(candidate.files)
  await read(format.named?.(run, request) ?? [])
  return run
}
