/** The real command lines of agents, with our own services of their models, as agents of runs that the command line drives. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Agent, AgentRun } from '@shared/contract/agents'
import { agentProgram, notInstalled, type AgentProgram } from '../../scripts/lib/agentPrograms.mjs'
import { suggestedAgent } from '../../src-main/agents/agentSetups'
import { AgentRunStore } from '../../src-main/storage/agentRuns'
import { openDatabase, type Database } from '../../src-main/storage/database'
import { SettingsStore } from '../../src-main/storage/settings'
import type { Misbehaviour } from '../peers/modelApi/misbehaviour'
import { ModelApi } from '../peers/modelApi/modelApi'
import type { Script } from '../peers/modelApi/script'
import { CommandLine } from './commandLine'
import { loopScript } from './loopScript'
import { filesOf, needsOf, stateOf, type AskingLoop } from './oddAgents'
import { TestRepository } from './repository'

/** A key is a word: our services take any. */
const KEY = 'word'

/** Of a request by the program itself, so that no test waits for a service that never answers. */
const RETRIES = 1

/** s: never reached, however slow the machine is. */
const TIME_LIMIT_S = 900

/** What a person has set up for a service elsewhere, beside the variables that the presets pass on. */
export const programVariables: Readonly<Record<AgentProgram, readonly string[]>> = {
  claude: ['CLAUDE_CODE_MAX_RETRIES'],
  gemini: ['GOOGLE_GEMINI_BASE_URL'],
  codex: [],
}

/** @param path relative to the home */
function putIn(home: string, path: string, text: string): void {
  mkdirSync(join(home, path, '..'), { recursive: true })
  writeFileSync(join(home, path), text)
}

/** All three programs in a home, with our services. @param url of them */
export function setUpProgram(home: string, url: string): { readonly environment: NodeJS.ProcessEnv } {
  putIn(home, '.gemini/settings.json', JSON.stringify(geminiSettings))
  putIn(home, '.codex/config.toml', codexConfiguration(url))
  return {
    environment: {
      ANTHROPIC_API_KEY: KEY,
      ANTHROPIC_BASE_URL: url,
      GEMINI_API_KEY: KEY,
      GOOGLE_GEMINI_BASE_URL: url,
      OPENAI_API_KEY: KEY,
      CODEX_HOME: join(home, '.codex'),
      CLAUDE_CONFIG_DIR: join(home, '.claude'),
      GEMINI_CLI_HOME: '',
      GEMINI_CLI_TRUST_WORKSPACE: '',
      CLAUDE_CODE_MAX_RETRIES: String(RETRIES),
    },
  }
}

export class RealAgentHome {
  readonly calls = new CommandLine()
  readonly repository = new TestRepository()
  readonly api: ModelApi
  #agent: Agent | undefined

  private constructor(api: ModelApi) {
    this.api = api
  }

  /** @throws Error where it is not installed */
  static async start(
    program: AgentProgram,
    { script = loopScript, agent = {} }: HomeOptions = {},
  ): Promise<RealAgentHome> {
    const command = agentProgram(program)
    if (command === undefined) throw new Error(notInstalled(program))
    const home = new RealAgentHome(await ModelApi.start(script))
    home.#setUp(program, { command, ...agent })
    return home
  }

  #setUp(program: AgentProgram, given: Partial<Agent>): void {
    const { folder, environment } = this.calls
    Object.assign(environment, setUpProgram(folder, this.api.url).environment, {
      PATH: [join(process.execPath, '..'), environment['PATH']].join(delimiter),
      MAESTRO_MAX_RETRIES: '1',
      MAESTRO_EXECUTION_MODE: 'sequential',
    })
    putIn(folder, '.gitconfig', '[user]\n\tname = Agent\n\temail = agent@example.org\n')
    mkdirSync(join(folder, 'data'), { mode: 0o700 })
    const suggested = suggestedAgent(program)
    const agent: Agent = {
      ...suggested,
      name: program,
      timeLimit: TIME_LIMIT_S,
      environment: [...suggested.environment, ...programVariables[program]],
      ...given,
    }
    this.#agent = agent
    this.withDatabase((database) => new SettingsStore(database).change({ agents: [agent] }))
  }

  /** As it is set up. */
  get agent(): Agent {
    if (!this.#agent) throw new Error('No agent is set up.')
    return this.#agent
  }

  /** Of the person, for all their projects. */
  putInstructions(text: string): void {
    for (const path of ['.claude/CLAUDE.md', '.gemini/GEMINI.md', '.codex/AGENTS.md'])
      putIn(this.calls.folder, path, `${text}\n`)
  }

  withDatabase<Result>(use: (database: Database) => Result): Result {
    const database = openDatabase(join(this.calls.folder, 'data/bridgedeck.sqlite'))
    try {
      return use(database)
    } finally {
      database.close()
    }
  }

  /** Newest first. */
  get runs(): readonly AgentRun[] {
    return this.withDatabase((database) => new AgentRunStore(database).page(null, 100))
  }

  async remove(): Promise<void> {
    await this.calls.remove()
    await this.api.close()
    this.repository.remove()
  }
}

interface HomeOptions {
  readonly script?: Script
  readonly agent?: Partial<Agent>
}

const geminiSettings = {
  general: { maxAttempts: RETRIES + 1 },
  security: { auth: { selectedType: 'gemini-api-key' } },
}

const codexConfiguration = (url: string): string => `model = "gpt-5.1-codex"
model_provider = "local"

[model_providers.local]
name = "local"
base_url = "${url}/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
request_max_retries = ${RETRIES}
stream_max_retries = ${RETRIES}
`

export interface LoopEnd {
  readonly code: number | null
  readonly said: string
  readonly state: string
  readonly commits: number
  readonly needs: readonly string[]
  readonly runs: readonly AgentRun[]
  /** What our services told of usage. */
  readonly tokensTold: number
  readonly errors: readonly unknown[]
}

/** Runs a loop of one task with a program until the command ends; one that waits for its service is interrupted. */
export async function runRealLoop(
  loop: AskingLoop,
  program: AgentProgram,
  { misbehaviour, times, ...options }: HomeOptions & { misbehaviour?: Misbehaviour; times?: number } = {},
): Promise<LoopEnd> {
  const home = await RealAgentHome.start(program, options)
  const { calls, repository, api } = home
  try {
    repository.commit('Begin', filesOf[loop]())
    if (loop === 'tuning') await calls.data('tuning', 'init', repository.root, '--problem', 'It grows')
    const before = Number(repository.git('rev-list', '--count', 'HEAD'))
    if (misbehaviour !== undefined) api.misbehave(misbehaviour, times)
    const asked = loop === 'tuning' ? ['--agent', program] : []
    // In a process of its own, so that loops with other homes run beside it.
    const call = calls.startProcess(loop, 'run', repository.root, '--trust', ...asked)
    const waits = setInterval(() => {
      if (!(call.output() + call.errors()).includes('trying again at')) return
      clearInterval(waits)
      call.interrupt()
    }, 50)
    const { code, stdout, stderr } = await call.ended.finally(() => clearInterval(waits))
    return {
      code,
      said: `${stdout}${stderr}`,
      state: stateOf(loop, repository.root),
      commits: Number(repository.git('rev-list', '--count', 'HEAD')) - before,
      needs: await needsOf(calls, repository.root),
      runs: home.runs,
      tokensTold: tokensTold(api),
      errors: api.errors,
    }
  } finally {
    await home.remove()
  }
}

const tokensTold = ({ ledger }: ModelApi): number =>
  ledger.reduce((sum, { usage }) => sum + (usage ? usage.input + usage.output : 0), 0)
