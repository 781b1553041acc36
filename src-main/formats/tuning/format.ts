import type { Candidate, Format } from '../format'
import { within, type Listing } from '../listing'
import type { TuningDetails } from './details'
import { actions, named, plan } from './patch'
import { read } from './read'
import { validate } from './validate'

/** The folder of a run, wherever it was moved to. */
const workDir = /^(.*?\/)?(skill-tuning-[^/]+)\//

/** Where runs are made, below the project's folder. */
const HOME = '.workflow/.scratchpad'

/** Skill tuning, specification 004: `.workflow/.scratchpad/skill-tuning-<time>/state.json`. */
export const tuning: Format<TuningDetails> = {
  name: 'tuning',
  detect,
  named,
  read,
  tell: (details) => ({ system: 'tuning', ...details }),
  validate,
  actions,
  plan,
}

function detect(listing: Listing): Candidate[] {
  const folders = new Set<string>()
  for (const file of listing.files) {
    const [found, parent = '', name = ''] = file.includes('skill-tuning-') ? (workDir.exec(file) ?? []) : []
    if (found === undefined) continue
    const folder = parent + name
    // A folder that only has the name, such as one with notes, is no run.
    if (listing.hasFile(within(folder, 'state.json')) || /^skill-tuning-\d{8}/.test(name)) folders.add(folder)
  }
  return [...folders].map((folder) => ({
    folder: projectOf(folder),
    marker: folder,
    archived: false,
    files: [within(folder, 'state.json')],
  }))
}

function projectOf(folder: string): string {
  const parent = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))
  if (parent === HOME) return ''
  return parent.endsWith(`/${HOME}`) ? parent.slice(0, -HOME.length - 1) : parent
}
