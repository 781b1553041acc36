import { createHash } from 'node:crypto'
import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { assembleSource } from '@shared/c64/assembly/assembleSource'
import { tokenise } from '@shared/c64/basic/tokenise'
import { AppError } from '@shared/contract/errors'
import { dataFolder } from '../files/dataFolder'
import { requireKnownData } from '../files/dataVersion'
import { makePrivateFolder } from '../files/privateFiles'
import { readBounded } from '../files/readBounded'
import type { FilePath } from './parameters'

const MAX_SOURCE_BYTES = 1_000_000
const MAX_KEPT = 50

export type SourceKind = 'assembly' | 'basic'

export function sourceKind(path: string): SourceKind | null {
  if (/\.(asm|s|a|a65|tas)$/i.test(path)) return 'assembly'
  return /\.(bas|basic)$/i.test(path) ? 'basic' : null
}

export interface BuiltProgram {
  readonly prg: Uint8Array
  readonly labels: readonly { readonly name: string; readonly address: number }[]
}

/**
 * A program built from source lies in Bridgedeck's own folder.
 * @throws AppError INVALID with each line of the source that is wrong
 */
export async function programOf(file: FilePath, environment: NodeJS.ProcessEnv): Promise<string> {
  const { path, written } = file
  const kind = sourceKind(path)
  if (kind === null) return path
  const source = await readSource(file)
  const built = buildProgram(source, { kind, name: basename(written) })
  const data = dataFolder(environment)
  requireKnownData(data)
  const folder = join(data, 'programs')
  makePrivateFolder(folder)
  const digest = createHash('sha256').update(path).update(source).digest('hex').slice(0, 8)
  const program = await writeProgram(folder, `${basename(path, extname(path)).slice(0, 60)}-${digest}`, built)
  await dropOld(folder)
  return program
}

/**
 * @param name of the source in messages
 * @param firstLine number of its first line there
 * @throws AppError INVALID with each line of the source that is wrong
 */
export function buildProgram(
  source: string,
  { kind, name, firstLine = 1 }: { readonly kind: SourceKind; readonly name: string; readonly firstLine?: number },
): BuiltProgram {
  const made = kind === 'basic' ? { ...tokenise(source), labels: [] } : assembled(source)
  if (made.ok) return made
  const problems = made.problems.map(({ line, message }) => `${name}:${line + firstLine - 1}: ${message}`)
  throw new AppError('INVALID', problems.join('\n'))
}

export async function writeProgram(folder: string, name: string, { prg, labels }: BuiltProgram): Promise<string> {
  const lines = labels.map(({ name, address }) => `al C:${address.toString(16).padStart(4, '0')} .${name}\n`)
  if (lines.length > 0) await writeFile(join(folder, `${name}.lbl`), lines.join(''), { mode: 0o600 })
  const program = join(folder, `${name}.prg`)
  await writeFile(program, prg, { mode: 0o600 })
  return program
}

function assembled(source: string) {
  const result = assembleSource(source)
  if (!result.ok) return result
  const { prg, labels } = result.program
  return { ok: true as const, prg, labels: labels.filter(({ address }) => address >= 0 && address <= 0xffff) }
}

export async function readSource({ path, written }: FilePath): Promise<string> {
  return new TextDecoder().decode(await readBounded(path, MAX_SOURCE_BYTES, written))
}

async function dropOld(folder: string): Promise<void> {
  const names = await readdir(folder)
  const dated = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(folder, name)).catch(() => null))?.mtimeMs ?? 0 })),
  )
  const old = dated.toSorted((a, b) => b.at - a.at).slice(2 * MAX_KEPT)
  await Promise.all(old.map(({ name }) => rm(join(folder, name), { force: true })))
}
