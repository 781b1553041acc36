import type { RunFiles } from '../../src-main/formats/format'
import { Listing } from '../../src-main/formats/listing'
import { detect } from '../../src-main/formats/ncrew/detect'
import { locate, type State } from '../../src-main/formats/ncrew/state'
import { decodeStateFile } from '../../src-main/formats/text/stateFile'
import { MODIFIED_AT, type ProjectFiles } from './projectFiles'

/** What the files of a crew in memory say. */
export function crewState(project: ProjectFiles): State {
  const listing = new Listing(Object.keys(project))
  const candidate = detect(listing).find(({ folder }) => folder === '')
  if (!candidate) throw new Error('There is no crew.')
  const bytes = (content: string | Uint8Array) =>
    typeof content === 'string' ? new TextEncoder().encode(content) : content
  const files = new Map(
    candidate.files.flatMap((path) =>
      project[path] === undefined ? [] : [[path, decodeStateFile(path, bytes(project[path]), MODIFIED_AT)] as const],
    ),
  )
  const run: RunFiles = { candidate, listing, files, remembered: new Map() }
  return locate(run)
}
