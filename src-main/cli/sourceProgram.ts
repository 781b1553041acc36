/** Programs that are given as source: assembled, or as BASIC text, and kept as PRG with a file of their labels beside it. */
import { createHash } from 'node:crypto'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { assembleSource, type SourceProblem } from '@shared/c64/assembly/assembleSource'
import { tokenise } from '@shared/c64/basic/tokenise'
import { AppError } from '@shared/contract/errors'
import { dataFolder } from '../files/dataFolder'
import { describeFileError } from '../files/fileErrors'
import { makePrivateFolder } from '../files/privateFiles'
import type { FilePath } from './parameters'

const MAX_SOURCE_BYTES = 1_000_000
/** How many built programs are kept. */
const MAX_KEPT = 50

const isAssembly = (path: string): boolean => /\.(asm|s|a|a65|tas)$/i.test(path)
const isBasic = (path: string): boolean => /\.(bas|basic)$/i.test(path)

/**
 * The program to run: the file itself, or what its source makes, in Bridgedeck's own folder.
 * @throws AppError INVALID with each line of the source that is wrong
 */
export async function programOf(file: FilePath, environment: NodeJS.ProcessEnv): Promise<string> {
  const { path, written } = file
  if (!isAssembly(path) && !isBasic(path)) return path
  const source = await readSource(file)
  const made = isBasic(path) ? { ...tokenise(source), labels: [] } : assembled(source)
  if (!made.ok) throw refused(written, made.problems)
  const folder = join(dataFolder(environment), 'programs')
  makePrivateFolder(folder)
  const digest = createHash('sha256').update(path).update(source).digest('hex').slice(0, 8)
  const name = `${basename(path, extname(path)).slice(0, 60)}-${digest}`
  const program = join(folder, `${name}.prg`)
  const labels = made.labels.map(({ name, address }) => `al C:${address.toString(16).padStart(4, '0')} .${name}\n`)
  if (labels.length > 0) await writeFile(join(folder, `${name}.lbl`), labels.join(''), { mode: 0o600 })
  await writeFile(program, made.prg, { mode: 0o600 })
  await dropOld(folder)
  return program
}

function assembled(source: string) {
  const result = assembleSource(source)
  if (!result.ok) return result
  const { prg, labels } = result.program
  return { ok: true as const, prg, labels: labels.filter(({ address }) => address >= 0 && address <= 0xffff) }
}

async function readSource({ path, written }: FilePath): Promise<string> {
  try {
    const { size } = await stat(path)
    if (size > MAX_SOURCE_BYTES) throw new AppError('INVALID', `${written} is too long for a source: over 1 MB.`)
    return await readFile(path, 'utf8')
  } catch (error) {
    throw error instanceof AppError ? error : describeFileError(error, written, 'read')
  }
}

const refused = (written: string, problems: readonly SourceProblem[]): AppError =>
  new AppError('INVALID', problems.map(({ line, message }) => `${basename(written)}:${line}: ${message}`).join('\n'))

/** The oldest, beyond as many as are kept; each has two files. */
async function dropOld(folder: string): Promise<void> {
  const names = await readdir(folder)
  const dated = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(folder, name)).catch(() => null))?.mtimeMs ?? 0 })),
  )
  const old = dated.toSorted((a, b) => b.at - a.at).slice(2 * MAX_KEPT)
  await Promise.all(old.map(({ name }) => rm(join(folder, name), { force: true })))
}
