/** Runs of one task each, in three loops, with a stand-in that does not do well. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { defaultSettings, type Settings } from '@shared/contract/settings'
import { newSession, readPhaseLines } from '../../src-main/formats/maestro/session/newSession'
import { openDatabase } from '../../src-main/storage/database'
import { SettingsStore } from '../../src-main/storage/settings'
import { agentLike, isAlive } from './agentBench'
import { CommandLine } from './commandLine'
import { TestRepository } from './repository'

export const askingLoops = ['metashell', 'ncrew', 'maestro', 'tuning'] as const
export type AskingLoop = (typeof askingLoops)[number]

/** Of an agent that ends by itself, s: never reached, however slow the machine is. */
const TIME_LIMIT_S = 3_600
/** Of an agent that never ends, s: long enough for it to start. */
export const SHORT_TIME_LIMIT_S = 6

const session = {
  sessionId: '0d8c6a52-7a51-4a3c-9a0f-5d1f0c3e9b27',
  status: 'executing',
  currentPhase: 1,
  gapCount: 0,
  plan: { currentTaskIdx: 0, tasks: [{ id: '01', title: 'Read tapes', status: 'pending', dependencies: [] }] },
  variables: { research_done: true },
}

type Files = Readonly<Record<string, string>>

/** The files of a run with one task. */
export const filesOf: Readonly<Record<AskingLoop, () => Files>> = {
  metashell: () => ({
    '.meta/context.md': '# Project: Tapes\n\n## Phases\n\n1. Reading\n',
    '.meta/session.json': `${JSON.stringify(session, null, 2)}\n`,
  }),
  ncrew: () => ({
    '.noodlecrew/manifest.yml':
      'crew:\n  experts:\n    - role: product-owner\n      phase: discovery\nphases: [discovery]\n',
    'IDEA.md': '# Tapes\n',
    'INDEX.md':
      '---\ntype: project\nstatus: in_progress\ncurrent_phase: discovery\ncurrent_iteration: 0\ncost_so_far: 0\n---\n',
    'tasks.md': '# Tasks\n\n## Discovery Phase ⏳ PENDING\n- [ ] Vision\n- [ ] Users\n',
  }),
  maestro: () => ({
    '.gemini/state/active-session.md': newSession({
      task: 'Tapes',
      design: null,
      plan: null,
      time: '2026-03-02T10:00:00.000Z',
      taken: [],
      phases: readPhaseLines('Reading: coder'),
    }).text,
  }),
  // One issue, for which no fix can be generated.
  tuning: () => ({
    'skill/SKILL.md': '# Notes\n',
    'skill/phases/1.md': '```js\nconst prompt = `Sum up ${JSON.stringify(state)}`\nask(prompt)\n```\n',
  }),
}

export interface OddEnd {
  readonly code: number | null
  /** What the command said last. */
  readonly said: string
  /** Whether the agent's commits are there. */
  readonly commits: number
  /** How often it was started. */
  readonly starts: number
  /** Its processes that outlived the command. */
  readonly alive: number
  readonly state: string
  /** What waits for the person then: `kind: title`. */
  readonly needs: readonly string[]
  /** Of its turns, the first comes first. */
  readonly agents: readonly string[]
}

interface OddStart {
  /** Of the command, beside the folder. */
  readonly words?: readonly string[]
  /** Instead of the run's own, or beside them. */
  readonly files?: Files
  readonly environment?: NodeJS.ProcessEnv
  readonly agentLimits?: Partial<Settings['agentLimits']>
  /** Of an agent, s. */
  readonly timeLimit?: number
  /** Sets up `even`, too, which does well. */
  readonly hasSecond?: boolean
  /** As soon as an agent has started. */
  readonly isInterrupted?: boolean
}

/** Runs a loop with a stand-in of one kind until the command ends; one that waits for its service is interrupted. */
export async function runWithOdd(loop: AskingLoop, kind: string, start: OddStart = {}): Promise<OddEnd> {
  const calls = new CommandLine()
  const repository = new TestRepository()
  const pids = join(calls.folder, 'pids')
  try {
    writeFileSync(join(calls.folder, '.gitconfig'), '[user]\n\tname = T\n\temail = t@example.org\n')
    repository.commit('Begin', { ...filesOf[loop](), ...start.files })
    mkdirSync(join(calls.folder, 'data'), { mode: 0o700 })
    const database = openDatabase(join(calls.folder, 'data/bridgedeck.sqlite'))
    const agentOf = (name: string, kind: string) =>
      agentLike(
        {},
        {
          name,
          preset: 'claude',
          command: resolve('test/peers/agents/standIn.mjs'),
          args: ['--kind', kind, '--file', pids],
          timeLimit: start.timeLimit ?? TIME_LIMIT_S,
        },
      )
    const agents = [agentOf('odd', kind), ...(start.hasSecond ? [agentOf('even', 'well')] : [])]
    const agentLimits = { ...defaultSettings.agentLimits, ...start.agentLimits }
    new SettingsStore(database).change({ agents, agentLimits })
    database.close()
    Object.assign(calls.environment, {
      MAESTRO_MAX_RETRIES: '1',
      MAESTRO_EXECUTION_MODE: 'sequential',
      ...start.environment,
    })
    if (loop === 'tuning') await calls.data('tuning', 'init', repository.root, '--problem', 'It grows')
    const asked = loop === 'tuning' ? ['--agent', 'odd'] : []
    const call = calls.start(loop, 'run', repository.root, '--trust', ...asked, ...(start.words ?? []))
    const waits = setInterval(() => {
      const isDue = start.isInterrupted ? existsSync(pids) : (call.output() + call.errors()).includes('trying again at')
      if (!isDue) return
      clearInterval(waits)
      call.interrupt()
    }, 50)
    const { code, stdout, stderr } = await call.ended.finally(() => clearInterval(waits))
    const started = existsSync(pids) ? readFileSync(pids, 'utf8').trim().split('\n').map(Number) : []
    return {
      code,
      said: `${stdout}${stderr}`,
      commits: Number(repository.git('rev-list', '--count', 'HEAD')) - 1,
      starts: started.length,
      alive: started.filter(isAlive).length,
      state: stateOf(loop, repository.root),
      needs: await needsOf(calls, repository.root),
      agents: await agentsOf(calls),
    }
  } finally {
    await calls.remove()
    repository.remove()
  }
}

const runsSchema = z.object({ runs: z.array(z.object({ agent: z.string() })) })

const agentsOf = async (calls: CommandLine): Promise<string[]> =>
  runsSchema
    .parse(await calls.data('agent', 'runs'))
    .runs.map(({ agent }) => agent)
    .reverse()

const needsSchema = z.object({
  needs: z.array(z.object({ need: z.object({ kind: z.string(), title: z.string() }) })),
})

export const needsOf = async (calls: CommandLine, root: string): Promise<string[]> =>
  needsSchema
    .parse(await calls.data('project', 'needs', root))
    .needs.map(({ need: { kind, title } }) => `${kind}: ${title.replace(/skill-tuning-\d+/, 'skill-tuning-…')}`)

/** What the run's files say of its task. */
export function stateOf(loop: AskingLoop, root: string): string {
  const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '')
  if (loop === 'tuning') return tuningState(join(root, '.workflow/.scratchpad'))
  if (loop === 'ncrew') return `${read('tasks.md').split('- [x]').length - 1} of 2 checked`
  if (loop === 'maestro')
    return /phases:[^]*?status: "?(\w+)/.exec(read('.gemini/state/active-session.md'))?.[1] ?? 'archived'
  try {
    const { plan } = z
      .looseObject({ plan: z.looseObject({ tasks: z.array(z.looseObject({ status: z.string() })) }) })
      .parse(JSON.parse(read('.meta/session.json')))
    return plan.tasks[0]?.status ?? 'none'
  } catch {
    return 'torn'
  }
}

function tuningState(folder: string): string {
  const [run = ''] = readdirSync(folder)
  try {
    const { status, proposed_fixes } = z
      .looseObject({ status: z.string(), proposed_fixes: z.array(z.unknown()) })
      .parse(JSON.parse(readFileSync(join(folder, run, 'state.json'), 'utf8')))
    return `${status}, fixes: ${proposed_fixes.length}`
  } catch {
    return 'torn'
  }
}
