import { z } from 'zod'
import { storedJson } from '@shared/storedJson'
import { isWithoutAnswer, type AgentResult } from '../agents/agent'
import type { LoopWork, Remembered, SpawnHooks, TurnRequest } from './loop'

const lanesSchema = z.record(z.string(), z.string())

export class Lanes {
  readonly #remembered: Remembered
  readonly #name: string

  constructor(remembered: Remembered, place: string) {
    this.#remembered = remembered
    this.#name = `lanes ${place}`
  }

  get runs(): ReadonlyMap<string, string> {
    return new Map(Object.entries(storedJson(this.#remembered.get(this.#name), lanesSchema) ?? {}))
  }

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
