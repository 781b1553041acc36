import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentRun } from '@shared/contract/agents'
import { childIsAlive, type ChildStore } from '../storage/children'
import type { FollowAgentRun } from './agent'
import { pricedBy } from './agentRun'
import { endingOf, readErrors, readSaid } from './agentProcess'
import { removeEmptyGroups } from './cgroup'
import { LogFile } from './logFile'
import { PrintClock } from './printTimes'
import type { PriceFile } from './prices/priceFile'
import { endTree, livingOf, type Tree } from './processTree'
import type { RunRecords } from './runRecords'
import { verdict, type Ending } from './verdict'

export interface LeftRunsOptions {
  readonly records: RunRecords
  readonly children: ChildStore
  readonly prices: PriceFile | undefined
  readonly log: (message: string, error?: unknown) => void
}

export interface Adoption {
  /** ms since its start. */
  readonly limit: number
  readonly signal: AbortSignal
  readonly follow: FollowAgentRun
  /** ms */
  readonly grace: () => number
}

type Cause = NonNullable<Ending['cause']>

const POLL_MS = 2_000
const ADOPTED_POLL_MS = 100

export class LeftRuns {
  readonly #options: LeftRunsOptions
  readonly #runs = new Map<string, AgentRun>()
  #polling: NodeJS.Timeout | undefined

  constructor(options: LeftRunsOptions) {
    this.#options = options
  }

  get all(): AgentRun[] {
    return [...this.#runs.values()]
  }

  get(id: string): AgentRun | undefined {
    return this.#runs.get(id)
  }

  async find(runs: readonly AgentRun[]): Promise<void> {
    for (const run of runs) {
      const [first] = livingPids(run)
      // A run started just before its process number was noted is known by its mark.
      if (first !== undefined)
        this.#keep({
          ...run,
          state: 'left',
          pid: run.pid ?? first,
          reason: 'Bridgedeck ended while it ran; it still runs.',
        })
      else await this.#end(run, null)
    }
  }

  watch(): void {
    if (this.#runs.size === 0) return
    this.#polling ??= setInterval(() => {
      for (const run of this.#runs.values()) {
        if (run.state !== 'left' || livingPids(run).length > 0) continue
        this.#end(run, null).catch((error: unknown) =>
          this.#options.log('The log of an agent could not be read', error),
        )
      }
      if (this.#runs.size === 0) this.close()
    }, POLL_MS)
    this.#polling.unref()
  }

  async adopt(left: AgentRun, { limit, signal, follow, grace }: Adoption): Promise<void> {
    const run: AgentRun = {
      ...left,
      state: 'running',
      reason: 'An earlier Bridgedeck started it; its answer is awaited.',
    }
    this.#keep(run)
    const deadline = performance.now() + limit - Math.max(0, Date.now() - (run.startedAt ?? run.askedAt))
    const { output, errors } = this.#options.records.logs(run.run)
    const clocks = [output, errors].map((log) => PrintClock.goOn(log))
    while (this.#runs.get(run.run) === run) {
      follow(run)
      for (const clock of clocks) clock.look()
      if (run.state === 'stopping') await sleep(ADOPTED_POLL_MS)
      else if (signal.aborted) await this.stop(run, grace(), { status: 'stopped', reason: 'It was stopped.' })
      else if (!isAtWork(run)) await this.#end(run, null, await endTree(treeOf(run), grace()))
      else if (performance.now() > deadline) await this.stop(run, grace(), timedOut(limit))
      else await sleep(ADOPTED_POLL_MS, undefined, { signal }).catch(() => undefined)
    }
  }

  async stop(
    run: AgentRun,
    graceMs: number,
    cause: Cause = { status: 'stopped', reason: 'It was stopped by the person.' },
  ): Promise<readonly number[]> {
    this.#options.records.change(run, { state: 'stopping' })
    const stillAlive = await endTree(treeOf(run), graceMs)
    if (stillAlive.length > 0) this.#keep({ ...run, state: 'left', stillAlive })
    else await this.#end(run, cause)
    return stillAlive
  }

  close(): void {
    clearInterval(this.#polling)
    this.#polling = undefined
  }

  #keep(run: AgentRun): void {
    this.#runs.set(run.run, run)
    this.#options.records.save(run, {})
  }

  async #end(run: AgentRun, cause: Cause | null, stillAlive: readonly number[] = []): Promise<void> {
    const { records, children } = this.#options
    const log = new LogFile(records.path(run.run, 'output'))
    const said = await readSaid(run.preset, log)
    const output = { bytes: log.counted, lines: log.lines }
    await log.close()
    const neverStarted =
      run.pid === null && !records.hasBegun(run.run)
        ? { status: 'error' as const, reason: 'Bridgedeck ended before it started.' }
        : null
    const noted = endingOf(run.agent, records.path(run.run, 'end'))
    const { exitCode = null, signal = null } = noted
    const ending = { exitCode, signal, cause: cause ?? neverStarted ?? noted.cause ?? null }
    const { status, reason, refusal } = verdict(
      run.preset,
      ending,
      said,
      await readErrors(records.path(run.run, 'errors')),
    )
    records.save(
      { ...run },
      {
        state: 'ended',
        endedAt: Date.now(),
        status,
        reason: (reason || (exitCode === null ? 'Nobody saw how it ended.' : '')).slice(0, 2_000),
        ...(refusal ? { refusal } : {}),
        exitCode,
        tokens: said.tokens,
        ...(said.uses.length > 0 ? { uses: [...said.uses] } : {}),
        ...pricedBy(this.#options.prices, { ...said, uses: [...said.uses] }, run),
        turns: said.turns,
        stillAlive: [...stillAlive],
        output,
      },
    )
    this.#runs.delete(run.run)
    removeEmptyGroups()
    if (run.pid !== null) children.forget(run.pid)
  }
}

function livingPids(run: AgentRun): readonly number[] {
  const { pid, startedAt } = run
  // Without /proc the number alone could belong to another process by now.
  if (process.platform !== 'linux' && (pid === null || !childIsAlive({ pid, startedAt: startedAt ?? 0 }))) return []
  return livingOf(treeOf(run)).map((living) => living.pid)
}

const treeOf = ({ pid, run }: AgentRun): Tree => ({ pid: pid ?? 0, mark: run })

/** Only its first process counts: what that leaves behind is no work. */
const isAtWork = (run: AgentRun): boolean =>
  run.pid === null || run.startedAt === null
    ? livingPids(run).length > 0
    : childIsAlive({ pid: run.pid, startedAt: run.startedAt })

const timedOut = (limit: number): Cause => ({
  status: 'timeout',
  reason: `Timed out after ${Math.round(limit / 1000)} s.`,
})
