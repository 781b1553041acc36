import { appendFile, lstat, mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError, toFailure } from '@shared/contract/errors'
import { isJsonObject, parseJson, type Json, type JsonObject } from '@shared/json'
import { describeFileError } from '../files/fileErrors'
import { PRIVATE } from '../files/stagedWrite'
import type { OperationOutcome } from './operation'
import { readResult } from './taskFolder'
import { formatTimestamp } from './timestamps'

/** One line of JSON for each run; the older file holds the runs before. */
const RUNS_FILE = 'artifacts/runs.ndjson'
const OLDER_RUNS_FILE = 'artifacts/runs.older.ndjson'

/** Per file, bytes. */
const MAX_RUNS_BYTES = 8 * 1024 * 1024

/** Longer values are not kept. */
const MAX_VALUE_CHARACTERS = 16 * 1024

const MAX_LOGGED_RUNS = 10_000
const MAX_LOGGED_CHARACTERS = 300

const LINE_BYTES = 32 * 1024

export interface RunHistoryOptions {
  readonly folder: string
  /** ms since 1970 */
  readonly startedAt: number
  readonly say: (line: string) => void
  readonly note: (line: string) => void
  readonly maxBytes?: number
}

export class RunHistory {
  readonly #options: RunHistoryOptions
  readonly #maxBytes: number
  readonly #totals = new Map<string, number>()
  #pending: { readonly run: number; readonly line: string }[] = []
  #writing: Promise<void> = Promise.resolve()
  #isWriting = false
  #failure: string | undefined
  #firstRun: number | undefined
  #firstOlderRun: number | undefined
  #bytes = 0
  #isTorn = false

  constructor(options: RunHistoryOptions) {
    this.#options = options
    this.#maxBytes = options.maxBytes ?? MAX_RUNS_BYTES
  }

  async resume(): Promise<void> {
    const { folder } = this.#options
    const result = await readResult(folder).catch(() => null)
    const summary = isJsonObject(result) && isJsonObject(result.summary) ? result.summary : {}
    for (const [name, value] of Object.entries(summary)) if (typeof value === 'number') this.#totals.set(name, value)
    const path = join(folder, RUNS_FILE)
    this.#firstRun = runOf((await readLines(path, 'start')).at(0))
    this.#firstOlderRun = runOf((await readLines(join(folder, OLDER_RUNS_FILE), 'start')).at(0))
    this.#bytes = (await lstat(path).catch(() => undefined))?.size ?? 0
    this.#isTorn = ((await readLines(path, 'end')).at(-1) ?? '') !== ''
  }

  add(run: number, outcome: OperationOutcome, missed: number): void {
    const now = Date.now()
    const { startedAt, note, say } = this.#options
    for (const [name, count] of Object.entries({ missed: 0, ...outcome.counts })) this.#add(name, count)
    this.#add('missed', missed)
    const value = outcome.value === undefined ? outcome.summary : outcome.value
    if (value === null) return
    const text = JSON.stringify(value)
    if (run <= MAX_LOGGED_RUNS)
      note(
        `iteration=${run} ${text.length > MAX_LOGGED_CHARACTERS ? `${text.slice(0, MAX_LOGGED_CHARACTERS)}…` : text}`,
      )
    if (run === MAX_LOGGED_RUNS) say(`the values of further runs are in ${RUNS_FILE} only`)
    const kept = text.length > MAX_VALUE_CHARACTERS ? { omittedCharacters: text.length } : { value }
    this.#pending.push({
      run,
      line: `${JSON.stringify({ run, time: formatTimestamp(now), at: now - startedAt, ...kept })}\n`,
    })
    if (!this.#isWriting) this.#writing = this.#write()
  }

  resultOf({ summary, artifacts, counts }: OperationOutcome, run: number, missed: number): OperationOutcome {
    const totals = Object.keys(counts ?? {}).map((name) => [name, this.#totals.get(name) ?? 0] as const)
    const first = this.#firstOlderRun ?? this.#firstRun
    return {
      summary: {
        ...summary,
        ...Object.fromEntries(totals),
        runs: run,
        missed: (this.#totals.get('missed') ?? 0) + missed,
        ...(first !== undefined && first > 1 ? { firstKeptRun: first } : {}),
      },
      artifacts: { ...artifacts, ...(this.#firstRun === undefined ? {} : { runs: RUNS_FILE }) },
    }
  }

  async settled(): Promise<void> {
    await this.#writing
  }

  #add(name: string, count: number): void {
    this.#totals.set(name, (this.#totals.get(name) ?? 0) + count)
  }

  async #write(): Promise<void> {
    this.#isWriting = true
    while (this.#pending.length > 0) {
      const lines = this.#pending
      this.#pending = []
      try {
        await this.#append(lines)
        this.#failure = undefined
      } catch (error) {
        const { message } = toFailure(describeFileError(error, RUNS_FILE, 'written'))
        if (message !== this.#failure) this.#options.say(`run ${lines[0]?.run ?? 0} is not kept: ${message}`)
        this.#failure = message
      }
    }
    this.#isWriting = false
  }

  async #append(lines: readonly { readonly run: number; readonly line: string }[]): Promise<void> {
    const { folder, say } = this.#options
    const text = lines.map(({ line }) => line).join('')
    await mkdir(join(folder, 'artifacts'), { recursive: true, mode: 0o700 })
    if (!(await lstat(join(folder, 'artifacts'))).isDirectory())
      throw new AppError('FORBIDDEN', 'artifacts is no folder, or a link to one elsewhere.')
    if (this.#bytes > 0 && this.#bytes + text.length > this.#maxBytes) {
      await rename(join(folder, RUNS_FILE), join(folder, OLDER_RUNS_FILE))
      if (this.#firstOlderRun !== undefined)
        say(`only the runs from ${this.#firstRun ?? 0} on are still kept in ${OLDER_RUNS_FILE} and ${RUNS_FILE}`)
      this.#firstOlderRun = this.#firstRun
      this.#firstRun = undefined
      this.#bytes = 0
      this.#isTorn = false
    }
    // After a kill the last line may be incomplete.
    const whole = `${this.#isTorn ? '\n' : ''}${text}`
    await appendFile(join(folder, RUNS_FILE), whole, { mode: PRIVATE.mode })
    this.#isTorn = false
    this.#firstRun ??= lines[0]?.run
    this.#bytes += Buffer.byteLength(whole)
  }
}

export async function lastKeptRun(folder: string): Promise<number> {
  const runs = (await readLines(join(folder, RUNS_FILE), 'end')).flatMap((line) => runOf(line) ?? [])
  return runs.at(-1) ?? 0
}

function runOf(line: string | undefined): number | undefined {
  try {
    const json: Json = parseJson(line ?? '', '')
    const run = isJsonObject(json) ? json.run : undefined
    return typeof run === 'number' && Number.isSafeInteger(run) && run > 0 ? run : undefined
  } catch {
    return undefined
  }
}

async function readLines(path: string, where: 'start' | 'end'): Promise<string[]> {
  try {
    if (!(await lstat(path)).isFile()) return []
    const file = await open(path, 'r')
    try {
      const { size } = await file.stat()
      const bytes = Buffer.alloc(Math.min(size, LINE_BYTES))
      await file.read(bytes, 0, bytes.length, where === 'start' ? 0 : size - bytes.length)
      return bytes.toString('utf8').split('\n')
    } finally {
      await file.close()
    }
  } catch {
    return []
  }
}

export const withRuns = (summary: Json | undefined, runs: number): JsonObject | undefined =>
  isJsonObject(summary) && 'runs' in summary ? { ...summary, runs } : undefined
