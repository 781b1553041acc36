import { AppError } from '@shared/contract/errors'
import { listNames } from '@shared/listNames'
import { nameOf, type Listing } from '../../formats/listing'
import { compositeOf } from '../../formats/tuning/compositeOf'
import { skillFolder } from '../../formats/tuning/fix'
import { tuning } from '../../formats/tuning/format'
import { countSeverities, issuesOf } from '../../formats/tuning/scan/issues'
import { tuningReport, type Reported } from '../../formats/tuning/scan/report'
import { scanSkill, type Area } from '../../formats/tuning/scan/scan'
import { diagnosisAreas } from '../../formats/tuning/schema'
import { healthScore } from '../../formats/tuning/scores'
import { skillsIn } from '../../formats/tuning/skills'
import { knownIssues } from '../../formats/tuning/knownIssues'
import { openState, type TuningState } from '../../formats/tuning/state'
import type { LoadRemembered } from '../../projects/read/inspectProject'
import { diskSource, readRun, runKey, runLimits } from '../../projects/read/readRun'
import { scanProject, type Scan } from '../../projects/read/scanProject'
import { readSkill, type SkippedFile } from './readSkill'

export const tuningAreas = diagnosisAreas

export interface SkillDiagnosis extends Reported {
  readonly folder: string
  /** Ids of issues come from this run; null without one. */
  readonly run: string | null
  readonly files: number
  readonly skipped: readonly SkippedFile[]
}

export interface DiagnoseOptions {
  readonly areas: readonly Area[]
  readonly loadRemembered: LoadRemembered
  readonly signal: AbortSignal
}

/**
 * @param folder of a skill, or of a project with one run or one skill
 * @throws AppError NOT_FOUND without a skill, CONFLICT with several
 */
export async function diagnoseSkill(
  folder: string,
  { areas, loadRemembered, signal }: DiagnoseOptions,
): Promise<SkillDiagnosis> {
  const scan = await scanProject(folder, signal)
  const { root, listing } = scan
  const found = listing.hasFile('SKILL.md')
    ? { skill: '' }
    : ((await skillOfRun(scan, loadRemembered, signal)) ?? onlySkill(listing, folder))
  const { files, skipped } = await readSkill(root, listing, found.skill, signal)
  const scans = scanSkill(files, areas, () => performance.now())
  const { known, usedIds } = found.state ? knownIssues(found.state) : { known: [], usedIds: [] }
  const issues = issuesOf(scans, known, usedIds)
  const counts = countSeverities(issues)
  return {
    folder: root,
    skill: found.skill || nameOf(root.replaceAll('\\', '/')),
    run: found.run ?? null,
    files: files.length,
    skipped,
    problem: found.state?.details.problem.value ?? '',
    ...healthScore(counts),
    composite: compositeOf(counts, scans.length, found.state),
    issuesBySeverity: counts,
    diagnosis: Object.fromEntries(scans.map(({ area, diagnosis }) => [area, diagnosis])),
    issues,
  }
}

export const reportOn = (found: SkillDiagnosis): string => tuningReport(found)

interface FoundSkill {
  readonly skill: string
  readonly run?: string
  readonly state?: TuningState
}

async function skillOfRun(
  { root, listing }: Scan,
  loadRemembered: LoadRemembered,
  signal: AbortSignal,
): Promise<FoundSkill | undefined> {
  const found: FoundSkill[] = []
  for (const candidate of tuning.detect(listing)) {
    const source = diskSource(root, listing, loadRemembered(root)(runKey(tuning, candidate)))
    const { files } = await readRun({}, candidate, source, runLimits, { signal })
    const state = openState(files)
    const skill = skillFolder(files, state)
    if (skill !== undefined) found.push({ skill, run: candidate.marker, state })
  }
  // Where one skill has several runs, the last one's ids continue.
  const skills = new Set(found.map(({ skill }) => skill))
  return skills.size === 1 ? found.sort((a, b) => ((a.run ?? '') < (b.run ?? '') ? -1 : 1)).at(-1) : undefined
}

/** @param folder as the person named it */
export function onlySkill(listing: Listing, folder: string): FoundSkill {
  const [skill, ...others] = skillsIn(listing, '')
  if (skill === undefined)
    throw new AppError('NOT_FOUND', `There is no skill in ${folder}.`, { hint: 'Name a folder that has a SKILL.md.' })
  if (others.length > 0)
    throw new AppError('CONFLICT', `There are ${others.length + 1} skills in ${folder}.`, {
      hint: `Name the folder of one: ${listNames([skill, ...others])}.`,
    })
  return { skill: skill === '.' ? '' : skill }
}
