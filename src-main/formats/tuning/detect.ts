import type { ActionRequest } from '../edit/action'
import type { Candidate, RunFiles } from '../format'
import { within, type Listing } from '../listing'
import { booleanOf, field, foldDotted, itemsOf, textOf } from '../text/located'
import { jsonOf } from '../text/locatedJson'
import { filesToBackUp } from './actions/initialise'
import { attempt } from './actions/tuningRun'
import { analysisTypes } from './ask/analysisQuestion'
import { backupOf, MAX_BACKUP_FILES, wholeBackup } from './backups'
import { changesOf, fixBackup, isPlainId, skillFolder } from './fix'
import { diagnosisAreas } from './schema'
import { markdownOf } from './skills'

const workDir = /^(.*?\/)?(skill-tuning-[^/]+)\//

const HOME = '.workflow/.scratchpad'

export function detect(listing: Listing): Candidate[] {
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

const analysisFiles = analysisTypes.flatMap((type) =>
  ['json', 'md'].map((ending) => `diagnosis/gemini-analysis-${type}.${ending}`),
)

const writtenBeside = [
  'abort-report.md',
  'errors.json',
  'tuning-report.md',
  'fixes/applied-fixes.json',
  'fixes/fix-proposals.json',
  ...analysisFiles,
  ...diagnosisAreas.map((area) => `diagnosis/${area}-diagnosis.json`),
]

const scanningActions: ReadonlySet<string> = new Set([
  'diagnose',
  'propose-fixes',
  'verify-fix',
  'ask-fix',
  'place-fix',
  'analyse',
])

const MAX_CHANGES = 500

export function named(files: RunFiles, request?: ActionRequest): string[] {
  const { candidate, listing } = files
  const file = within(candidate.marker, 'state.json')
  const document = jsonOf(file, files.files.get(file))
  const { root } = foldDotted(document.root)
  const state = { root } as const
  const paths = new Set(writtenBeside.map((name) => within(candidate.marker, name)))
  const skill = skillFolder(files, state)
  const fixes = [...itemsOf(field(root, 'proposed_fixes'))].slice(0, MAX_CHANGES)
  for (const fix of skill === undefined ? [] : fixes) {
    const id = textOf(field(fix, 'id'))
    for (const change of attempt(() => changesOf(files, state, fix)) ?? []) {
      if (paths.size > 2 * MAX_CHANGES) break
      paths.add(change.path)
      if (id !== undefined && isPlainId(id)) paths.add(within(fixBackup(files, state, id), change.relative))
    }
  }
  for (const applied of itemsOf(field(root, 'applied_fixes'))) {
    const folder = backupOf(files, state, applied)
    if (folder === undefined || booleanOf(field(applied, 'rollback_available')) !== true) continue
    for (const path of listing.below(folder).slice(0, MAX_BACKUP_FILES)) paths.add(path)
  }
  const backup = wholeBackup(files, state)
  if (skill !== undefined && backup.length <= MAX_BACKUP_FILES)
    for (const { from, to } of backup) paths.add(from).add(to)
  for (const path of request ? filesToBackUp(files, request) : []) paths.add(path)
  if (skill !== undefined && request && scanningActions.has(request.name))
    for (const path of markdownOf(listing, skill)) paths.add(path)
  return [...paths].filter((path) => listing.hasFile(path) && path !== file)
}
