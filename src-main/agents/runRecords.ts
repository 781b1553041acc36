import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Input, Output, Payload } from '@shared/contract/contract'
import {
  MAX_AGENT_RUN_PAGE,
  MAX_FOUND_LINES,
  MAX_STEP_PAGE,
  type AgentRun,
  type LogStream,
} from '@shared/contract/agents'
import { AppError } from '@shared/contract/errors'
import { ChangeFeed } from '../rpc/changeFeed'
import { AgentRunStore } from '../storage/agentRuns'
import { childIsAlive, ownStart } from '../storage/children'
import type { Database } from '../storage/database'
import type { AgentCopies } from './agent'
import { LogFile } from './logFile'
import { readSaid } from './agentProcess'
import { searchLog, type ExpressionMatcher } from './logSearch'
import { OpenLogs, type OpenLog } from './openLogs'

export interface RunRecordsOptions {
  readonly database: Database
  readonly folder: string
  readonly regex: ExpressionMatcher
  readonly onChanged: (changes: Payload<'agentRuns.changed'>) => void
}

const NOTIFY_DELAY_MS = 250
const MAX_KEPT_RUNS = 500
const MAX_KEPT_BYTES = 10 * 1024 ** 3
const MAX_COUNTED_BYTES = 32 * 1024 * 1024

const files = {
  output: 'output.log',
  errors: 'errors.log',
  prompt: 'prompt.md',
  host: 'host.json',
  end: 'end.json',
  machines: 'machines.json',
  home: 'home',
} as const

const hostSchema = z.object({ pid: z.int(), startedAt: z.number() })

export class RunRecords {
  readonly #options: RunRecordsOptions
  readonly #store: AgentRunStore
  readonly #logs = new OpenLogs()
  readonly #current = new Map<string, AgentRun>()
  readonly #feed: ChangeFeed<AgentRun>

  constructor(options: RunRecordsOptions) {
    this.#options = options
    this.#store = new AgentRunStore(options.database)
    this.#feed = new ChangeFeed({
      delayMs: NOTIFY_DELAY_MS,
      maxItems: MAX_AGENT_RUN_PAGE,
      send: ({ from, revision, items }) =>
        options.onChanged({ from, revision, runs: items.map((run) => ({ ...run })) }),
    })
  }

  get abandoned(): AgentRun[] {
    return this.#store.open.filter(({ run }) => {
      const host = this.#hostOf(run)
      return host === undefined || host.pid === process.pid || !childIsAlive(host)
    })
  }

  get abandonedSince(): AgentRun[] {
    return this.#store.open.filter(({ run }) => {
      const host = this.#hostOf(run)
      return host !== undefined && host.pid !== process.pid && !childIsAlive(host)
    })
  }

  get(id: string): AgentRun | undefined {
    return this.#current.get(id) ?? this.#store.get(id)
  }

  async readAnswer({ run, preset }: AgentRun): Promise<string> {
    const log = new LogFile(this.path(run, 'output'))
    try {
      return (await readSaid(preset, log)).data
    } finally {
      await log.close()
    }
  }

  page({ before }: Input<'agentRuns.list'>): Output<'agentRuns.list'> {
    const page = this.#store.page(before, MAX_AGENT_RUN_PAGE)
    return {
      revision: this.#feed.revision,
      runs: page.map((stored) => this.#current.get(stored.run) ?? stored),
      next: page.length === MAX_AGENT_RUN_PAGE ? (page.at(-1)?.run ?? null) : null,
    }
  }

  get ended(): AgentRun[] {
    return this.#store.page(null, MAX_KEPT_RUNS).filter(({ state }) => state === 'ended')
  }

  path(run: string, file: keyof typeof files): string {
    return join(this.#folderOf(run), files[file])
  }

  hasBegun(run: string): boolean {
    return existsSync(this.path(run, 'output'))
  }

  logs(run: string): AgentCopies {
    return { output: this.path(run, 'output'), errors: this.path(run, 'errors') }
  }

  add(run: AgentRun, prompt: string): void {
    mkdirSync(this.#folderOf(run.run), { recursive: true, mode: 0o700 })
    writeFileSync(this.path(run.run, 'prompt'), prompt, { mode: 0o600 })
    const host = { pid: process.pid, startedAt: ownStart() }
    writeFileSync(this.path(run.run, 'host'), JSON.stringify(host), { mode: 0o600 })
    this.save(run, {})
  }

  change(run: AgentRun, changes: Partial<AgentRun>): void {
    Object.assign(run, changes)
    this.#current.set(run.run, run)
    this.#feed.note(run.run, run)
  }

  save(run: AgentRun, changes: Partial<AgentRun>): void {
    this.change(run, changes)
    this.#store.save(run)
    if (run.state !== 'ended') return
    this.#current.delete(run.run)
    // Its links lead to the person's files, and its settings are a copy of theirs.
    rmSync(this.path(run.run, 'home'), { recursive: true, force: true })
  }

  async readLog({ run, stream, from, count }: Input<'agentRuns.log'>): Promise<Output<'agentRuns.log'>> {
    const { file, times } = this.#logOf(run, stream)
    await file.catchUp(MAX_COUNTED_BYTES)
    const size = Math.max(await file.size(), file.counted)
    const total = file.lines
    const { counted } = file
    const isCounted = from !== null || counted >= size
    const first = from ?? Math.max(0, total - count)
    const lines = await (isCounted ? file.read(first, count) : file.tail(count))
    await times.load()
    return {
      lines: lines.map(({ text, bytes, start }) => ({ text, bytes, at: times.at(start) })),
      first: isCounted ? first : null,
      total,
      counted,
      size,
    }
  }

  async readSteps({ run, from }: Input<'agentRuns.steps'>): Promise<Output<'agentRuns.steps'>> {
    const log = this.#logOf(run, 'output')
    const known = this.get(run)
    const read = log.steps(known?.preset ?? 'custom')
    await read.load(MAX_COUNTED_BYTES, known?.state === 'ended')
    await log.times.load()
    const page = read.steps.slice(from, from + MAX_STEP_PAGE)
    return {
      steps: page.map(({ start, ...step }) => ({ ...step, at: log.times.at(start) })),
      total: read.steps.length,
      lines: read.lines,
    }
  }

  searchLog(
    { run, stream, ...search }: Input<'agentRuns.search'>,
    signal: AbortSignal,
  ): Promise<Output<'agentRuns.search'>> {
    return searchLog(this.#logOf(run, stream).file, search, this.#options.regex, MAX_FOUND_LINES, signal)
  }

  tidy(): void {
    let bytes = 0
    for (const [index, id] of this.#store.endedIds.entries()) {
      bytes += sizeOf(this.path(id, 'output')) + sizeOf(this.path(id, 'errors'))
      if (index < MAX_KEPT_RUNS && (bytes <= MAX_KEPT_BYTES || index === 0)) continue
      rmSync(this.#folderOf(id), { recursive: true, force: true })
      this.#store.forget(id)
    }
  }

  async close(): Promise<void> {
    this.#feed.flush()
    await this.#logs.close()
  }

  #logOf(run: string, stream: LogStream): OpenLog {
    if (!this.#store.get(run)) throw new AppError('NOT_FOUND', 'There is no such run of an agent any more.')
    return this.#logs.get(this.path(run, stream))
  }

  #hostOf(run: string): z.infer<typeof hostSchema> | undefined {
    try {
      return hostSchema.safeParse(JSON.parse(readFileSync(this.path(run, 'host'), 'utf8'))).data
    } catch {
      return undefined
    }
  }

  #folderOf(run: string): string {
    return join(this.#options.folder, run)
  }
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}
