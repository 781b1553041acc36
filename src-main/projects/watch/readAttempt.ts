/** One attempt to read a run, and whether its result may take the place of what was read before. */
import { createHash } from 'node:crypto'
import { boundFindings, fileFinding, printFinding, type Finding } from '../../formats/finding'
import type { Reading } from '../../formats/format'
import { isUnreadable } from '../../formats/text/stateFile'
import { readRun, runLimits, type RunSource } from '../read/readRun'
import type { FileVersion } from '../read/projectDisk'
import type { FoundRun, OpenRun } from './openRun'

export interface ReadAttempt {
  /** Undefined where the files are no run of the format. */
  readonly reading: Reading | undefined
  readonly findings: readonly Finding[]
  /** Paths that were read or looked for. */
  readonly wanted: ReadonlySet<string>
  readonly files: ReadonlyMap<string, FileVersion>
}

interface AttemptOptions extends Pick<RunSource, 'listing' | 'remembered'> {
  readonly readVersion: (path: string) => Promise<FileVersion | undefined>
  /** Asked once the files are there: false when this version of the run is known to take for ever. */
  readonly mayRead: (version: string) => boolean
}

export async function attemptReading(
  { format, candidate }: FoundRun,
  { listing, remembered, readVersion, mayRead }: AttemptOptions,
): Promise<ReadAttempt> {
  const files = new Map<string, FileVersion>()
  const read = async (path: string) => {
    const version = await readVersion(path)
    if (version) files.set(path, version)
    return version?.file
  }
  const { files: all, wanted } = await readRun(format, candidate, { listing, remembered, read }, runLimits)
  if (!mayRead(versionOf(files))) return { reading: undefined, findings: [], wanted, files }
  const reading = format.read(all)
  const findings = reading
    ? boundFindings(format.validate(all), candidate.marker)
    : [...all.files.values()].flatMap((file) => file.findings)
  return { reading, findings, wanted, files }
}

/** What stands for an attempt that failed by a mistake in a format's reader. */
export const failedAttempt = ({ candidate }: FoundRun): ReadAttempt => ({
  reading: undefined,
  findings: [
    fileFinding(candidate.marker, 'file/read', 'error', 'a file that Bridgedeck cannot read', 'a file of this format'),
  ],
  wanted: new Set(candidate.files),
  files: new Map(),
})

/** Whether a run is over because files of it went, and those that are left, unchanged, are no run any more. */
export function isOver(before: OpenRun, { reading, files }: ReadAttempt): boolean {
  if (reading || before.files.has(before.candidate.marker)) return false
  const left = [...before.files].filter(([path]) => files.has(path))
  return left.length < before.files.size && left.every(([path, { hash }]) => files.get(path)?.hash === hash)
}

/** Why the last good version stays: a file that can no longer be read as what it was. Undefined when the attempt replaces it. */
export function whyWorse(
  before: OpenRun,
  { reading, findings, files }: ReadAttempt,
): { file: string; message: string } | undefined {
  const { marker } = before.candidate
  if (!files.has(marker) && before.files.has(marker)) return { file: marker, message: `${marker} is gone.` }
  for (const [path, { file }] of files) {
    if (file.text?.trim() === '' && (before.files.get(path)?.file.text ?? '').trim() !== '')
      return { file: path, message: `${path} is empty.` }
  }
  const wasBroken = new Set(
    before.stale ? [] : before.findings.filter(isUnreadable).map(({ file, rule }) => `${file} ${rule}`),
  )
  const broken = findings.find((finding) => isUnreadable(finding) && !wasBroken.has(`${finding.file} ${finding.rule}`))
  if (broken) return { file: broken.file, message: printFinding(broken) }
  if (!reading) return { file: marker, message: `${marker} no longer matches its format.` }
  return undefined
}

/** Another one when any of the files is another. */
function versionOf(files: ReadonlyMap<string, FileVersion>): string {
  const hash = createHash('sha256')
  for (const [path, version] of files) hash.update(`${path}\0${version.hash}\0`)
  return hash.digest('hex')
}
