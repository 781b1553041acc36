import { z } from 'zod'
import { storedJson } from '@shared/storedJson'
import { isWithoutAnswer, type AgentResult } from '../agents/agent'
import type { LoopWork, Remembered, SpawnHooks, TurnRequest } from './loop'

const lanesSchema = z.record(z.string(), z.string())

/** Agents that work at once for one loop, each in a lane of its own: which run each is, so that a later start takes it over. */
export class Lanes {
  readonly #remembered: Remembered
  readonly #name: string

  /** @param place that names the loop */
  constructor(remembered: Remembered, place: string) {
    this.#remembered = remembered
    this.#name = `lanes ${place}`
  }

  /** By lane. */
  get runs(): ReadonlyMap<string, string> {
    return new Map(Object.entries(storedJson(this.#remembered.get(this.#name), lanesSchema) ?? {}))
  }

  /** Takes over the agent of this lane, or its answer; where it gave none, starts one. */
  async spawn(
    work: Pick<LoopWork, 'spawn' | 'adopt'>,
    lane: string,
    role: string,
    request: TurnRequest,
    hooks: SpawnHooks = {},
  ): Promise<AgentResult> {
    const run = this.runs.get(lane)
    const result = run === undefined ? null : await work.adopt(role, run, request, hooks)
    if (result && (result.status === 'stopped' || !isWithoutAnswer(result))) return result
    return work.spawn(role, request, {
      ...hooks,
      follow: (agentRun) => {
        if (this.runs.get(lane) !== agentRun.run) this.#set([...this.runs, [lane, agentRun.run]])
        hooks.follow?.(agentRun)
      },
    })
  }

  forget(lane: string): void {
    if (this.runs.has(lane)) this.#set([...this.runs].filter(([name]) => name !== lane))
  }

  clear(): void {
    if (this.runs.size > 0) this.#remembered.set({ [this.#name]: null })
  }

  #set(runs: readonly (readonly [string, string])[]): void {
    this.#remembered.set({ [this.#name]: JSON.stringify(Object.fromEntries(runs)) })
  }
}
