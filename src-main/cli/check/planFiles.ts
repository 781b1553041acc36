/** All must be in the plan's folder, and are read before a machine is touched. */
import { realpath } from 'node:fs/promises'
import { basename, dirname, posix } from 'node:path'
import { AppError, describeFailure, toFailure } from '@shared/contract/errors'
import { containedPath } from '../../files/containedPath'
import { describeFileError } from '../../files/fileErrors'
import { readBounded } from '../../files/readBounded'
import type { FilePath } from '../parameters'
import { buildProgram, readSource, sourceKind, writeProgram } from '../sourceProgram'
import type { Case, Expectation } from './planSchema'
import { readPlan } from './readPlan'

const MAX_PLAN_BYTES = 2_000_000
const MAX_COMPARED_BYTES = 0x10000

export interface ReadyCase {
  readonly case: Case
  /** Absolute; null for none. */
  readonly program: string | null
  /** Absolute; null for none. */
  readonly labels: string | null
  readonly contents: ReadonlyMap<string, Uint8Array>
  readonly pictures: ReadonlyMap<string, string>
}

export interface ReadyPlan {
  readonly file: string
  /** Without symbolic links. */
  readonly folder: string
  readonly machines: readonly string[]
  readonly cases: readonly ReadyCase[]
}

/**
 * @param built folder for programs built from source
 * @throws AppError INVALID with `file:line: what to do` for each file that is missing or outside the folder, and for
 * wrong source
 */
export async function readPlanFile({ path, written }: FilePath, built: string): Promise<ReadyPlan> {
  const bytes = await readBounded(path, MAX_PLAN_BYTES, written)
  const { machines, cases } = readPlan(written, new TextDecoder().decode(bytes))
  const folder = await realpath(dirname(path)).catch((error: unknown) => {
    throw describeFileError(error, written, 'read')
  })
  const ready: ReadyCase[] = []
  const problems: string[] = []
  for (const [index, each] of cases.entries()) {
    const reader = new CaseFiles({ plan: written, folder, built, prefix: `${basename(built)}-${index}` }, problems)
    ready.push(await reader.read(each))
  }
  if (problems.length > 0) throw new AppError('INVALID', problems.join('\n'))
  return { file: written, folder, machines, cases: ready }
}

interface Where {
  readonly plan: string
  readonly folder: string
  readonly built: string
  readonly prefix: string
}

class CaseFiles {
  readonly #where: Where
  readonly #problems: string[]

  constructor(where: Where, problems: string[]) {
    this.#where = where
    this.#problems = problems
  }

  async read(each: Case): Promise<ReadyCase> {
    const contents = new Map<string, Uint8Array>()
    const pictures = new Map<string, string>()
    const nested = each.steps.flatMap(({ expect = [] }) => expect)
    for (const { memory, picture, line } of [...nested, ...each.expect] satisfies Expectation[]) {
      if (memory?.file !== undefined) {
        const { file } = memory
        const bytes = await this.#try(line, async () => readBounded(await this.#inside(file), MAX_COMPARED_BYTES, file))
        if (bytes?.length === 0)
          this.#problems.push(`${this.#where.plan}:${line}: ${file} is empty: nothing to compare.`)
        if (bytes) contents.set(file, bytes)
      }
      if (picture) await this.#try(line, async () => pictures.set(picture.file, await this.#inside(picture.file)))
    }
    const { labels, line } = each
    return {
      case: each,
      program: (await this.#try(line, () => this.#program(each))) ?? null,
      labels: labels === undefined ? null : ((await this.#try(line, () => this.#there(labels))) ?? null),
      contents,
      pictures,
    }
  }

  async #program({ name, program, assembly, basic, sourceLine }: Case): Promise<string | null> {
    const { plan, built, prefix } = this.#where
    const inline = assembly ?? basic
    const safeName = name.replaceAll(/[^A-Za-z0-9]+/g, '-').slice(0, 40)
    if (inline !== undefined) {
      const kind = assembly === undefined ? 'basic' : 'assembly'
      const source = { kind, name: basename(plan), firstLine: sourceLine + 1 } as const
      return await writeProgram(built, `${prefix}-${safeName}`, buildProgram(inline, source))
    }
    if (program === undefined) return null
    const path = await this.#there(program)
    const kind = sourceKind(program)
    if (kind === null) return path
    const source = await readSource({ path, written: program })
    return await writeProgram(built, `${prefix}-${safeName}`, buildProgram(source, { kind, name: program }))
  }

  async #there(file: string): Promise<string> {
    const path = await this.#inside(file)
    await realpath(path).catch((error: unknown) => {
      throw describeFileError(error, file, 'read')
    })
    return path
  }

  async #inside(file: string): Promise<string> {
    return await insideFolder(file, this.#where.folder)
  }

  async #try<Value>(line: number, read: () => Promise<Value>): Promise<Value | undefined> {
    try {
      return await read()
    } catch (error) {
      const failure = toFailure(error)
      if (failure.code === 'INTERNAL') throw error
      const text = failure.message
      const isPlaced = /^\S+:\d+: /.test(text)
      this.#problems.push(isPlaced ? text : `${this.#where.plan}:${line}: ${describe(failure)}`)
      return undefined
    }
  }
}

const describe = (failure: Parameters<typeof describeFailure>[0] & { readonly code: string }): string =>
  failure.code === 'NOT_FOUND'
    ? `${failure.message} Paths start at the folder of the checks.`
    : describeFailure(failure)

/** @throws AppError FORBIDDEN for a file outside the folder, also by way of a link */
async function insideFolder(file: string, folder: string): Promise<string> {
  try {
    return await containedPath(posix.normalize(file), { root: folder })
  } catch (error) {
    if (toFailure(error).code !== 'FORBIDDEN') throw describeFileError(error, file, 'read')
    throw new AppError(
      'FORBIDDEN',
      `${file} is not inside the folder of the checks: put it there, and write its path from there.`,
    )
  }
}

/**
 * Pictures go to `check-results` beside the plan.
 * @param title name without ending
 * @throws AppError FORBIDDEN where a link leads out of the folder
 */
export const resultPath = (folder: string, title: string): Promise<string> =>
  insideFolder(`check-results/${title}.png`, folder)
