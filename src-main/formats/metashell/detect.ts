import type { Candidate, RunFiles } from '../format'
import { isArchived, nameOf, parentOf, within, type Listing } from '../listing'
import { field, stringOf, type Located } from '../text/located'
import { parseLocatedJson } from '../text/locatedJson'
import { projectPath } from '../text/namedPath'
import { StateText, type StateFile } from '../text/stateFile'

export const META = '.meta'

export function detect(listing: Listing): Candidate[] {
  const candidates: Candidate[] = []
  for (const meta of listing.folders) {
    if (nameOf(meta) !== META) continue
    const files = [
      `${meta}/context.md`,
      `${meta}/session.json`,
      `${meta}/config.json`,
      `${meta}/session.json.lock`,
    ].filter((file) => listing.hasFile(file))
    const folder = parentOf(meta)
    const marker = [`${meta}/session.json`, `${meta}/context.md`].find((file) => listing.hasFile(file))
    if (marker === undefined) continue
    const artefacts = [`${meta}/artifacts`, within(folder, 'artifacts')].flatMap((artifacts) =>
      jsonFiles(listing, artifacts),
    )
    const name = `${meta}/session.json`
    candidates.push({ folder, marker, name, archived: isArchived(folder), files: [...files, ...artefacts] })
  }
  return candidates
}

export const jsonFiles = (listing: Listing, folder: string) =>
  listing.in(folder).filter((file) => file.endsWith('.json'))

export function named({ candidate, listing, files }: RunFiles): string[] {
  const folder = configuredArtifacts(candidate.folder, files.get(within(candidate.folder, `${META}/config.json`)))
  return folder === undefined ? [] : jsonFiles(listing, folder)
}

export function configuredArtifacts(folder: string, config: StateFile | undefined): string | undefined {
  if (typeof config?.text !== 'string') return undefined
  return artifactsFolder(folder, parseLocatedJson(new StateText(config.path, config.text)).root)
}

export function ownPlaces({ candidate: { folder }, files }: RunFiles): string[] {
  const meta = within(folder, META)
  return [meta, configuredArtifacts(folder, files.get(`${meta}/config.json`)) ?? within(folder, 'artifacts')]
}

export function artifactsFolder(folder: string, config: Located | undefined): string | undefined {
  const path = stringOf(field(field(config, 'paths'), 'artifacts'))
  return path === undefined ? undefined : projectPath(folder, path)
}
