import { createHash } from 'node:crypto'
import { boundFindings, fileFinding, printFinding, type Finding } from '../../formats/finding'
import type { Reading } from '../../formats/format'
import { isUnreadable } from '../../formats/text/stateFile'
import { readRun, runLimits, type RunSource } from '../read/readRun'
import type { FileVersion } from '../read/projectDisk'
import type { FoundRun, OpenRun } from './openRun'

export interface ReadAttempt {
  /** Undefined where the files are not a run of the format. */
  readonly reading: Reading | undefined
  readonly findings: readonly Finding[]
  readonly wanted: ReadonlySet<string>
  readonly files: ReadonlyMap<string, FileVersion>
}

interface AttemptOptions extends Pick<RunSource, 'listing' | 'remembered'> {
  readonly readVersion: (path: string) => Promise<FileVersion | undefined>
  /** False when reading this version of the run is known never to end. */
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

export const failedAttempt = ({ candidate }: FoundRun): ReadAttempt => ({
  reading: undefined,
  findings: [
    fileFinding(candidate.marker, 'file/read', 'error', 'a file that Bridgedeck cannot read', 'a file of this format'),
  ],
  wanted: new Set(candidate.files),
  files: new Map(),
})

export function isOver(before: OpenRun, { reading, files }: ReadAttempt): boolean {
  if (reading || before.files.has(before.candidate.marker)) return false
  const left = [...before.files].filter(([path]) => files.has(path))
  return left.length < before.files.size && left.every(([path, { hash }]) => files.get(path)?.hash === hash)
}

/** @returns undefined when the attempt replaces the last good version */
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

function versionOf(files: ReadonlyMap<string, FileVersion>): string {
  const hash = createHash('sha256')
  for (const [path, version] of files) hash.update(`${path}\0${version.hash}\0`)
  return hash.digest('hex')
}
