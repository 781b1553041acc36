import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import type { Agent, AgentRun } from '@shared/contract/agents'
import { Agents, type AgentsOptions } from '../../src-main/agents/agents'
import type { AgentResult } from '../../src-main/agents/agent'
import { RegexMatcher } from '../../src-main/regex/matcher'
import { ChildStore } from '../../src-main/storage/children'
import { openDatabase, type Database } from '../../src-main/storage/database'
import { SettingsStore } from '../../src-main/storage/settings'

/** The program that stands in for every agent; its options are described there. */
export const fakeAgent = resolve('test/peers/agents/agent.mjs')

/** An agent that is the stand-in. @param fake its options */
export const agentLike = (fake: object, agent: Partial<Agent> = {}): Agent => ({
  name: 'coder',
  preset: 'custom',
  command: fakeAgent,
  model: null,
  args: ['--fake', JSON.stringify(fake)],
  environment: [],
  timeLimit: 600,
  maxTurns: null,
  maxCost: null,
  ...agent,
})

/** Agents over a database and folder of their own. */
export class AgentBench {
  readonly folder: string
  readonly cwd: string
  /** What was told of runs, the last of each. */
  readonly told = new Map<string, AgentRun>()
  readonly regex = new RegexMatcher(resolve('test/support/regexWorker.mjs'), 2_000)
  readonly database: Database
  readonly settings: SettingsStore
  agents: Agents
  readonly #limits: AgentsOptions['limits']
  readonly #onChanged: AgentsOptions['onChanged']

  /**
   * @param folder of one that was not closed, to go on with
   * @param onChanged hears beside `told`
   */
  constructor(
    limits: AgentsOptions['limits'] = { grace: 2_000 },
    folder = mkdtempSync(join(tmpdir(), 'bridgedeck-agents-')),
    onChanged: AgentsOptions['onChanged'] = () => undefined,
  ) {
    this.#limits = limits
    this.#onChanged = onChanged
    this.folder = folder
    this.cwd = join(folder, 'project')
    mkdirSync(this.cwd, { recursive: true })
    // The program in `env node` is the one that runs the tests.
    process.env['PATH'] = [join(process.execPath, '..'), process.env['PATH']].join(delimiter)
    this.database = openDatabase(join(this.folder, 'bridgedeck.sqlite'))
    this.settings = new SettingsStore(this.database)
    this.agents = this.another()
  }

  /** As the next bridge would make them. */
  another(): Agents {
    return new Agents({
      database: this.database,
      folder: join(this.folder, 'agents'),
      settings: this.settings,
      children: new ChildStore(this.database),
      regex: this.regex,
      onChanged: (changes) => {
        for (const run of changes.runs) this.told.set(run.run, run)
        this.#onChanged(changes)
      },
      log: (message, error) => {
        throw new Error(message, { cause: error })
      },
      ...(this.#limits ? { limits: this.#limits } : {}),
    })
  }

  /** Sets it up and runs it once. */
  run(
    agent: Agent,
    {
      prompt = 'do it',
      signal = new AbortController().signal,
      timeLimit,
    }: { prompt?: string; signal?: AbortSignal; timeLimit?: number } = {},
  ): Promise<AgentResult> {
    this.agents.setups.save(agent)
    return this.agents.run(
      {
        agent: agent.name,
        prompt,
        cwd: this.cwd,
        purpose: 'a test',
        ...(timeLimit === undefined ? {} : { timeLimit }),
      },
      signal,
    )
  }

  /** The processes that a stand-in told this file of. */
  pidsIn(file: string): number[] {
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : []
  }

  async close(): Promise<void> {
    await this.agents.close()
    await this.regex.close()
    this.database.close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // One that only waits to be reaped has ended.
    return process.platform !== 'linux' || !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
