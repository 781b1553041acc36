import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { agentRunId } from '@shared/contract/agents'
import type { AgentTestResult, LoopName } from '@shared/contract/loops'
import type { AgentResult, AgentRunner, FollowAgentRun } from '../agents/agent'
import type { SidecarStore } from '../storage/sidecar'
import { settingsKey } from './roleAssignments'

export interface AgentTest {
  readonly request: string
  readonly writesFiles: boolean
  readonly problemOf: (answer: string) => string | null
}

interface AgentTestsOptions {
  readonly sidecar: SidecarStore
  readonly agents: AgentRunner
  /** Changes with everything that decides how the agent behaves. */
  readonly commandOf: (agent: string) => string
  readonly folder: string
}

const TESTS = 'tests'
const TEST_LIMIT_MS = 120_000
const FILE = 'ready.txt'
const MAX_PROBLEM_CHARACTERS = 500

const storedSchema = z.record(
  z.string(),
  z.object({
    command: z.string(),
    problems: z.array(z.string()),
    notes: z.array(z.string()),
    log: agentRunId.nullable().default(null),
  }),
)
type Stored = z.infer<typeof storedSchema>

export class AgentTests {
  readonly #options: AgentTestsOptions

  constructor(options: AgentTestsOptions) {
    this.#options = options
  }

  resultOf(name: LoopName, agent: string): AgentTestResult | null {
    const stored = this.#stored(name)[agent]
    if (stored?.command !== this.#hashOf(agent)) return null
    return { problems: stored.problems, notes: stored.notes, log: stored.log }
  }

  async run(
    name: LoopName,
    agent: string,
    test: AgentTest,
    signal: AbortSignal,
    follow?: FollowAgentRun,
  ): Promise<AgentTestResult> {
    const { agents, folder, sidecar } = this.#options
    const command = this.#hashOf(agent)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const cwd = mkdtempSync(join(folder, 'test-'))
    try {
      const result = await agents.run(
        {
          agent,
          prompt: promptOf(test),
          cwd,
          purpose: `test for ${name.system}`,
          timeLimit: TEST_LIMIT_MS,
          problemOf: (answer) =>
            judge(test, { ...answered, data: answer }, existsSync(join(cwd, FILE))).problems.join(' ') || null,
        },
        signal,
        follow,
      )
      signal.throwIfAborted()
      const judged = { ...judge(test, result, existsSync(join(cwd, FILE))), log: result.log }
      if (result.status !== 'stopped')
        sidecar.remember(name.project, settingsKey(name), {
          [TESTS]: JSON.stringify({ ...this.#stored(name), [agent]: { command, ...judged } }),
        })
      return judged
    } finally {
      rmSync(cwd, { recursive: true, force: true })
    }
  }

  #stored(name: LoopName): Stored {
    const text = this.#options.sidecar.all(name.project, settingsKey(name)).get(TESTS)
    return text === undefined ? {} : storedSchema.parse(JSON.parse(text))
  }

  #hashOf(agent: string): string {
    return createHash('sha256').update(this.#options.commandOf(agent)).digest('hex')
  }
}

const answered = { status: 'success', reason: '', cost: null } as const

const promptOf = ({ request, writesFiles }: AgentTest): string =>
  [
    '# Test',
    'This is a test of the connection. The working folder is empty; touch nothing outside it.',
    ...(writesFiles ? [`Write the word ready into a file ${FILE} in the working folder.`] : []),
    request,
    '',
  ].join('\n\n')

export function judge(
  { problemOf, writesFiles }: AgentTest,
  { status, reason, data, cost }: Pick<AgentResult, 'status' | 'reason' | 'data' | 'cost'>,
  wroteFile: boolean,
): Pick<AgentTestResult, 'problems' | 'notes'> {
  const answer = status === 'success' ? problemOf(data) : reason
  const file =
    status === 'success' && writesFiles && !wroteFile
      ? `It wrote no file: it was asked for ${FILE}. Check the arguments that allow it to edit.`
      : null
  return {
    problems: [answer, file].flatMap((problem) => (problem === null ? [] : [problem.slice(0, MAX_PROBLEM_CHARACTERS)])),
    notes: status === 'success' && cost === null ? ['It reports no cost, so cost limits cannot stop it.'] : [],
  }
}
