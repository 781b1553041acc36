/** Nested and archived runs too. Only reads; starts nothing, not even git. */
import type { System } from '@shared/contract/orchestration'
import { boundFindings, fileFinding, sortFindings, type Finding } from '../../formats/finding'
import type { Candidate, Format, Reading, RunFiles } from '../../formats/format'
import { formats } from '../../formats/formats'
import { scanProject, type Scan } from './scanProject'
import { needsOf } from './unreadableNeeds'
import { diskSource, readRun, runKey, runLimits } from './readRun'
import type { RememberedRuns } from './rememberedRuns'

export type LoadRemembered = (root: string) => RememberedRuns

export interface FoundRun extends Reading {
  readonly marker: string
}

export interface Project {
  readonly folder: string
  readonly runs: readonly FoundRun[]
  readonly findings: readonly Finding[]
}

export interface Validation {
  readonly folder: string
  readonly runs: readonly { readonly system: System; readonly folder: string; readonly marker: string }[]
  readonly findings: readonly Finding[]
}

export async function inspectProject(
  folder: string,
  loadRemembered: LoadRemembered,
  signal: AbortSignal,
): Promise<Project> {
  const scan = await scanProject(folder, signal)
  const runs: FoundRun[] = []
  const findings = [...scan.findings]
  for await (const { format, files } of candidates(scan, loadRemembered(scan.root), signal)) {
    const { result, failure } = attempt(format, files, () => format.read(files))
    if (failure) findings.push(failure)
    if (result)
      runs.push({
        ...result,
        view: { ...result.view, needs: needsOf({ ...result, stale: null }) },
        marker: files.candidate.marker,
        findings: boundFindings(result.findings, files.candidate.marker),
      })
  }
  return { folder: scan.root, runs, findings: sortFindings(findings) }
}

export async function validateProject(
  folder: string,
  loadRemembered: LoadRemembered,
  signal: AbortSignal,
): Promise<Validation> {
  const scan = await scanProject(folder, signal)
  const runs: Validation['runs'][number][] = []
  const findings = [...scan.findings]
  for await (const { format, files } of candidates(scan, loadRemembered(scan.root), signal)) {
    const { result, failure } = attempt(format, files, () => (format.read(files) ? format.validate(files) : undefined))
    if (failure) findings.push(failure)
    if (!result) continue
    runs.push({ system: format.name, folder: files.candidate.folder, marker: files.candidate.marker })
    findings.push(...boundFindings(result, files.candidate.marker))
  }
  return { folder: scan.root, runs, findings: sortFindings(findings) }
}

/** One at a time: a run's texts are let go before the next one's are read. */
async function* candidates(
  { root, listing }: Scan,
  rememberedRuns: RememberedRuns,
  signal: AbortSignal,
): AsyncGenerator<{ format: Format; files: RunFiles }> {
  for (const format of formats) {
    for (const candidate of format.detect(listing).sort(byFolder)) {
      const source = diskSource(root, listing, rememberedRuns(runKey(format, candidate)))
      const { files } = await readRun(format, candidate, source, runLimits, { signal })
      yield { format, files }
    }
  }
}

const byFolder = (a: Candidate, b: Candidate): number =>
  a.folder < b.folder ? -1 : a.folder > b.folder ? 1 : a.marker < b.marker ? -1 : 1

/** One run that no reader can cope with does not take the others with it. */
function attempt<Result>(
  format: Format,
  { candidate }: RunFiles,
  action: () => Result,
): { result?: Result; failure?: Finding } {
  try {
    return { result: action() }
  } catch (error) {
    const message = error instanceof Error ? error.message.slice(0, 200) : 'an error'
    return {
      failure: fileFinding(
        candidate.marker,
        'project/reader',
        'error',
        `what the reader of ${format.name} failed at (${message})`,
        'a run',
      ),
    }
  }
}
