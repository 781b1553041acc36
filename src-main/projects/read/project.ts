/** All runs in a folder, of every format, nested and archived ones too. Only reads; starts nothing, not even git. */
import { boundFindings, fileFinding, sortFindings, type Finding } from '../../formats/finding'
import type { Candidate, Format, Reading, RunFiles } from '../../formats/format'
import { formats } from '../../formats/formats'
import { readStateFile, scanProject, type Scan } from './projectFiles'
import type { System } from '../../formats/run'
import type { StateFile } from '../../formats/text/stateFile'

/** All files of one run together, bytes. */
const MAX_RUN = 256 * 1024 * 1024
/** Files that are read at a time. */
const AT_ONCE = 16

export interface FoundRun extends Reading {
  /** The file or folder that gave it away. */
  readonly marker: string
}

export interface Project {
  /** Without symbolic links. */
  readonly folder: string
  readonly runs: readonly FoundRun[]
  /** What was not looked into, and why. */
  readonly findings: readonly Finding[]
}

export interface Validation {
  readonly folder: string
  readonly runs: readonly { readonly system: System; readonly folder: string; readonly marker: string }[]
  readonly findings: readonly Finding[]
}

export async function inspectProject(folder: string, signal: AbortSignal): Promise<Project> {
  const scan = await scanProject(folder, signal)
  const runs: FoundRun[] = []
  const findings = [...scan.findings]
  for await (const { format, files } of candidates(scan, signal)) {
    const { result, failure } = attempt(format, files, () => format.read(files))
    if (failure) findings.push(failure)
    if (result)
      runs.push({
        ...result,
        marker: files.candidate.marker,
        findings: boundFindings(result.findings, files.candidate.marker),
      })
  }
  return { folder: scan.root, runs, findings: sortFindings(findings) }
}

export async function validateProject(folder: string, signal: AbortSignal): Promise<Validation> {
  const scan = await scanProject(folder, signal)
  const runs: Validation['runs'][number][] = []
  const findings = [...scan.findings]
  for await (const { format, files } of candidates(scan, signal)) {
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
  signal: AbortSignal,
): AsyncGenerator<{ format: Format; files: RunFiles }> {
  for (const format of formats) {
    for (const candidate of format.detect(listing).sort(byFolder)) {
      const files = new Map<string, StateFile>()
      await readAll(root, candidate.files, files, signal)
      const more = format.named?.({ candidate, listing, files }) ?? []
      await readAll(
        root,
        more.filter((path) => listing.hasFile(path)),
        files,
        signal,
      )
      yield { format, files: { candidate, listing, files } }
    }
  }
}

const byFolder = (a: Candidate, b: Candidate): number =>
  a.folder < b.folder ? -1 : a.folder > b.folder ? 1 : a.marker < b.marker ? -1 : 1

async function readAll(
  root: string,
  paths: readonly string[],
  files: Map<string, StateFile>,
  signal: AbortSignal,
): Promise<void> {
  const wanted = paths.filter((path) => !files.has(path))
  let total = [...files.values()].reduce((sum, { text }) => sum + (text?.length ?? 0), 0)
  for (let from = 0; from < wanted.length; from += AT_ONCE) {
    signal.throwIfAborted()
    const batch = wanted.slice(from, from + AT_ONCE)
    const read =
      total > MAX_RUN
        ? batch.map((path): StateFile => ({
            path,
            text: null,
            modifiedAt: null,
            findings: [
              fileFinding(
                path,
                'project/size',
                'error',
                'one file more than the run may have',
                `${MAX_RUN / 1024 / 1024} MB for a run as a whole`,
              ),
            ],
          }))
        : await Promise.all(batch.map((path) => readStateFile(root, path)))
    for (const file of read) {
      files.set(file.path, file)
      total += file.text?.length ?? 0
    }
  }
}

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
