/** Nothing outside of the folder is read or written, whatever a name says. */
import { appendFile, lstat, mkdir, open, readdir, readFile, realpath, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { MAX_ARTIFACTS, type Artifact } from '@shared/contract/tasks'
import { AppError } from '@shared/contract/errors'
import { isFileName } from '@shared/contract/fileName'
import { parseJson, printJson, type Json, type JsonObject } from '@shared/json'
import { PRIVATE, replaceFile } from '../files/stagedWrite'
import { formatTimestamp } from './timestamps'

const MAX_RESULT_BYTES = 512 * 1024
const LOG_PART_BYTES = 64 * 1024
const ARTIFACT_PART_BYTES = 256 * 1024

export interface LogPart {
  readonly offset: number
  readonly text: string
  readonly next: number
}

/** @throws AppError NOT_FOUND when there is none, FORBIDDEN when it is a link */
export async function requireFolder(path: string): Promise<string> {
  const found = await lstat(path).catch(() => undefined)
  if (!found) throw new AppError('NOT_FOUND', 'The task has no folder.')
  if (!found.isDirectory())
    throw new AppError('FORBIDDEN', 'The task’s folder is no folder, or a link to one elsewhere.')
  return path
}

export async function appendLog(folder: string, line: string, time: number): Promise<string> {
  const text = `[${formatTimestamp(time)}] ${line.replaceAll(/[\r\n]+/g, ' ')}\n`
  await appendFile(join(folder, 'log.txt'), text, PRIVATE)
  return text
}

export async function readLog(folder: string, offset?: number): Promise<LogPart> {
  const path = join(await requireFolder(folder), 'log.txt')
  if ((await lstat(path).catch(() => undefined))?.isFile() !== true) return { offset: 0, text: '', next: 0 }
  const { bytes, size } = await readPart(
    path,
    offset ?? Math.max(0, (await stat(path)).size - LOG_PART_BYTES),
    LOG_PART_BYTES,
  )
  const start = Math.min(offset ?? Math.max(0, size - LOG_PART_BYTES), size)
  // A character that is not complete yet is left for the next part.
  const whole = bytes.subarray(0, wholeCharacters(bytes))
  return { offset: start, text: new TextDecoder().decode(whole), next: start + whole.length }
}

function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return bytes.length
    if (byte >= 0xc0) return byte >= (back === 1 ? 0xc0 : back === 2 ? 0xe0 : 0xf0) ? bytes.length - back : bytes.length
  }
  return bytes.length
}

async function readPart(path: string, offset: number, length: number): Promise<{ bytes: Uint8Array; size: number }> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const bytes = new Uint8Array(Math.max(0, Math.min(length, size - offset)))
    const { bytesRead } = await file.read(bytes, 0, bytes.length, offset)
    return { bytes: bytes.slice(0, bytesRead), size }
  } finally {
    await file.close()
  }
}

export async function writeResult(folder: string, result: JsonObject): Promise<void> {
  await replaceFile(join(folder, 'result.json'), printJson(result), PRIVATE)
}

export const hasResult = async (folder: string): Promise<boolean> =>
  (await lstat(join(folder, 'result.json')).catch(() => undefined))?.isFile() === true

/**
 * Null where there is no result.
 * @throws AppError INVALID with line and column
 */
export async function readResult(folder: string): Promise<Json> {
  const path = join(await requireFolder(folder), 'result.json')
  const found = await lstat(path).catch(() => undefined)
  if (!found) return null
  if (!found.isFile() || found.size > MAX_RESULT_BYTES) {
    throw new AppError(
      'INVALID',
      `result.json: a file of ${MAX_RESULT_BYTES} bytes at most was expected, ${found.isFile() ? `this one has ${found.size}` : 'this is none'}.`,
    )
  }
  return parseJson(await readFile(path, 'utf8'), 'result.json')
}

/**
 * Writes the file whole or not at all.
 * @param name with `/`, such as `sprites/sprite_2000.png`
 */
export async function writeArtifact(folder: string, name: string, bytes: Uint8Array | string): Promise<void> {
  const path = join(folder, 'artifacts', ...partsOf(name))
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await requireInside(folder, dirname(path))
  await replaceFile(path, bytes, PRIVATE)
}

export async function removeArtifact(folder: string, name: string): Promise<void> {
  const path = join(folder, 'artifacts', ...partsOf(name))
  if (!(await lstat(path).catch(() => undefined))) return
  await requireInside(folder, dirname(path))
  await rm(path, { force: true })
}

/** Leaves links out. */
export async function listArtifacts(folder: string): Promise<{ artifacts: Artifact[]; more: number }> {
  await requireFolder(folder)
  const artifacts: Artifact[] = []
  let more = 0
  const walk = async (relative: string): Promise<void> => {
    const entries = await readdir(join(folder, relative), { withFileTypes: true }).catch(() => [])
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const artifact = `${relative}/${entry.name}`
      if (entry.name.startsWith('.') || !isFileName(artifact)) continue
      if (entry.isDirectory()) await walk(artifact)
      else if (entry.isFile() && artifacts.length < MAX_ARTIFACTS)
        artifacts.push({ artifact, size: (await stat(join(folder, artifact))).size })
      else if (entry.isFile()) more++
    }
  }
  if ((await lstat(join(folder, 'artifacts')).catch(() => undefined))?.isDirectory() === true) await walk('artifacts')
  return { artifacts, more }
}

/** @throws AppError NOT_FOUND; FORBIDDEN for anything outside of the folder */
export async function readArtifact(
  folder: string,
  artifact: string,
  offset: number,
): Promise<{ bytes: Uint8Array; size: number }> {
  return readPart(await artifactPath(folder, artifact), offset, ARTIFACT_PART_BYTES)
}

/** Larger artifacts are read in parts. */
const MAX_WHOLE_BYTES = 64 * 1024 * 1024

/** @throws AppError as {@link readArtifact}; INVALID when it is too large */
export async function readArtifactWhole(folder: string, artifact: string): Promise<Uint8Array> {
  const path = await artifactPath(folder, artifact)
  const { size } = await stat(path)
  if (size > MAX_WHOLE_BYTES)
    throw new AppError('INVALID', `${artifact} is larger than ${MAX_WHOLE_BYTES / 1024 / 1024} MiB.`)
  return new Uint8Array(await readFile(path))
}

/** @throws AppError NOT_FOUND, FORBIDDEN when it leads out of the folder */
export async function artifactPath(folder: string, artifact: string): Promise<string> {
  const path = join(await requireFolder(folder), ...partsOf(artifact))
  if ((await stat(path).catch(() => undefined))?.isFile() !== true)
    throw new AppError('NOT_FOUND', `${basename(folder)} has no ${artifact}.`)
  await requireInside(folder, path)
  return path
}

function partsOf(name: string): string[] {
  const parts = name.split('/')
  if (parts.some((part) => part === '' || part === '.' || part === '..' || /[\\:\0]/.test(part))) {
    throw new AppError('FORBIDDEN', 'An artifact lies in its task’s folder and nowhere else.')
  }
  return parts
}

async function requireInside(folder: string, path: string): Promise<void> {
  const [inside, outside] = await Promise.all([realpath(path), realpath(folder)])
  if (!`${inside}${sep}`.startsWith(`${outside}${sep}`))
    throw new AppError('FORBIDDEN', 'An artifact lies in its task’s folder and nowhere else.')
}
