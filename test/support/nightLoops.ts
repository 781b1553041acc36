/** What a night asks of each loop: a project for it, how it is started, and what its files must say at the end. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import type { AgentRun } from '@shared/contract/agents'
import { newSession, readPhaseLines } from '../../src-main/formats/maestro/session/newSession'
import { readFrontMatter } from '../../src-main/formats/text/frontMatter'
import { plain } from '../../src-main/formats/text/located'
import { StateText } from '../../src-main/formats/text/stateFile'
import { startedStateSchema } from '../../src-main/formats/tuning/schema'
import { initCrew } from '../../src-main/loops/ncrew/init'
import { initTuning } from '../../src-main/loops/tuning/initTuning'

/** Of the agent that does the work, in all loops. */
export const NIGHT_AGENT = 'night'

/** The last that an agent prints. */
export const nightAnswerSchema = z.object({
  type: z.literal('result'),
  /** In which way it did not do well, as nightAgent.mjs lists them, or `well`. */
  kind: z.string(),
  total_cost_usd: z.number(),
  usage: z.object({ input_tokens: z.number() }),
})
export type NightAnswer = z.infer<typeof nightAnswerSchema>

/** What is known of a project once its loop has ended. */
interface Ended {
  readonly folder: string
  readonly tasks: number
  /** Of its agents. */
  readonly runs: readonly AgentRun[]
  /** By their logs, USD. */
  readonly cost: number
  /** Undefined where it gave none. */
  readonly answerOf: (run: AgentRun) => NightAnswer | undefined
}

export interface NightLoop {
  readonly name: string
  /** The words of its command. */
  readonly start: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** Whether each task is a commit of its own. */
  readonly commits: boolean
  create(folder: string, tasks: number): Promise<void> | void
  /** @param code of its last start */
  isDone(folder: string, code: number | null): boolean
  /** What is not as it must be, in sentences. */
  check(ended: Ended): string[]
}

const put = (folder: string, file: string, text: string): void => {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}
const textIn = (folder: string, file: string): string => readFileSync(join(folder, file), 'utf8')
export const numbers = (tasks: number): string[] =>
  Array.from({ length: tasks }, (_, index) => String(index + 1).padStart(3, '0'))

/** Answers about a task that its loop could use. */
const goodAnswers = ({ runs, answerOf }: Ended, task: string): readonly AgentRun[] =>
  runs.filter((run) => run.status === 'success' && run.turn?.task === task && answerOf(run)?.kind !== 'liar')

const doneTimes = (task: string, times: number): string[] =>
  times === 1 ? [] : [`task ${task} was done ${times} times`]

const sessionSchema = z.object({
  plan: z.object({
    tasks: z.array(z.object({ id: z.string(), status: z.string(), commits: z.array(z.string()).default([]) })),
  }),
})

const metashell: NightLoop = {
  name: 'metashell',
  start: ['metashell', 'run', '.'],
  commits: true,
  create: (folder) => {
    put(folder, '.meta/context.md', '# Project: Night\n')
    put(folder, '.gitignore', '.meta/session.json*\n.meta/artifacts\n.meta/.*\n')
  },
  // A phase waits at its gate.
  isDone: (_folder, code) => code === 0 || code === 11,
  check: (ended) => {
    const { plan } = sessionSchema.parse(JSON.parse(textIn(ended.folder, '.meta/session.json')))
    return plan.tasks.flatMap(({ id, status, commits }) => [
      ...(status === 'complete' ? [] : [`task ${id} is ${status}`]),
      ...(commits.length === 1 ? [] : [`task ${id} has ${commits.length} commits`]),
      ...doneTimes(id, goodAnswers(ended, id).length),
    ])
  },
}

const ncrew: NightLoop = {
  name: 'ncrew',
  start: ['ncrew', 'run', '.'],
  // An agent that was killed after its tick and before its commit leaves that to the next one.
  commits: false,
  create: async (folder, tasks) => {
    put(
      folder,
      '.noodlecrew/manifest.yml',
      `crew:\n  default_llm: ${NIGHT_AGENT}\n  experts:\n    - role: product-owner\n      phase: discovery\nphases: [discovery]\nexecution:\n  max_iterations: 100000\n  max_cost: 100000\n`,
    )
    put(folder, 'IDEA.md', '# Night\n')
    const list = numbers(tasks).map((number) => `- [ ] Task ${number}.\n`)
    put(folder, 'tasks.md', `# Tasks\n\n## Discovery Phase\n${list.join('')}`)
    await initCrew({ folder, name: 'night', crew: resolve('resources/ncrew/default'), now: Date.now() })
  },
  isDone: (_folder, code) => code === 0,
  check: ({ folder, tasks, cost }) => {
    const [, said = ''] = /^cost_so_far: (.*)$/m.exec(textIn(folder, 'INDEX.md')) ?? []
    return [
      ...(Math.abs(Number(said) - cost) > 0.005_001 ? [`INDEX.md says $${said} of $${cost.toFixed(3)}`] : []),
      ...(textIn(folder, 'tasks.md').includes('[ ]') ? ['tasks are left'] : []),
      ...numbers(tasks).flatMap((number) =>
        existsSync(join(folder, `docs/task-${number}..md`)) ? [] : [`task ${number} is ticked and was not done`],
      ),
    ]
  },
}

const STATE = '.gemini/state'
const frontSchema = z.looseObject({
  token_usage: z.looseObject({ total_input: z.number() }),
  phases: z.array(z.looseObject({ id: z.union([z.string(), z.number()]), status: z.string() })),
})
const REVIEWER = 'code_reviewer'

/** Two at once, then one that waits for both. */
const maestro: NightLoop = {
  name: 'maestro',
  start: ['maestro', 'run', '.', '--mode', 'parallel'],
  environment: { MAESTRO_STAGGER_DELAY: '0', MAESTRO_MAX_RETRIES: '1000' },
  commits: true,
  create: (folder, tasks) => {
    const lines = numbers(tasks).map((number, index) => {
      const [agent, after] = [
        ['coder', index === 0 ? [] : [index]],
        ['tester', index === 1 ? [] : [index - 1]],
        ['technical_writer', [index - 1, index]],
      ][index % 3] as [string, number[]]
      return `Part ${number}: ${agent}${after.length === 0 ? '' : `, after ${after.join(', ')}`}`
    })
    const { text } = newSession({
      task: 'Night',
      design: null,
      plan: null,
      time: '2026-03-02T10:00:00.000Z',
      taken: [],
      phases: readPhaseLines(lines.join('\n')),
    })
    put(folder, `${STATE}/active-session.md`, text)
    put(folder, '.gitignore', '.gemini/\n')
  },
  isDone: (folder) => !existsSync(join(folder, STATE, 'active-session.md')),
  check: (ended) => {
    const [archived = ''] = readdirSync(join(ended.folder, STATE, 'archive')).filter((name) => name.endsWith('.md'))
    const { root } = readFrontMatter(new StateText('s', textIn(ended.folder, `${STATE}/archive/${archived}`))).document
    const { token_usage, phases } = frontSchema.parse(root && plain(root))
    const told = ended.runs.flatMap((run) => (run.turn?.role === REVIEWER ? [] : (ended.answerOf(run) ?? [])))
    const tokens = told.reduce((sum, { usage }) => sum + usage.input_tokens, 0)
    return [
      ...(token_usage.total_input === tokens ? [] : [`the session has ${token_usage.total_input} of ${tokens} tokens`]),
      ...phases.flatMap(({ id, status }) => [
        ...(status === 'completed' ? [] : [`phase ${id} is ${status}`]),
        ...doneTimes(String(id), goodAnswers(ended, String(id)).length),
      ]),
    ]
  },
}

const SCRATCH = '.workflow/.scratchpad'

/** Issues whose fixes cannot be generated. One whose every agent failed is left, as a person would be told. */
const tuning: NightLoop = {
  name: 'tuning',
  start: ['tuning', 'run', '.', '--auto', '--agent', NIGHT_AGENT],
  commits: false,
  create: async (folder, tasks) => {
    put(folder, 'skill/SKILL.md', '---\nname: night\n---\n# Night\n')
    for (const number of numbers(tasks)) {
      const call =
        'try { check(await Task({ prompt: `Plan, then call Task({ prompt: "build" })` })) } catch (error) { retry(error) }'
      put(folder, `skill/phases/${number}.md`, `# Phase ${number}\n\n\`\`\`js\n${call}\n\`\`\`\n`)
    }
    put(folder, '.gitignore', '.workflow/\nskill/\n')
    const options = { skill: 'skill', problem: 'Agents call agents', focus: ['agent'], maxIterations: 20 }
    await initTuning({ folder, ...options, signal: new AbortController().signal })
  },
  isDone: (_folder, code) => code === 0,
  check: (ended) => {
    const [run = ''] = readdirSync(join(ended.folder, SCRATCH))
    const state = startedStateSchema.parse(JSON.parse(textIn(ended.folder, `${SCRATCH}/${run}/state.json`)))
    const asked = new Set(ended.runs.flatMap(({ turn }) => turn?.task ?? []))
    const fixes = (issue: string) => state.proposed_fixes.filter(({ issue_ids }) => issue_ids.includes(issue))
    const left = numbers(ended.tasks).filter((number) =>
      textIn(ended.folder, `skill/phases/${number}.md`).includes('then call'),
    )
    return [
      ...(asked.size === ended.tasks ? [] : [`${asked.size} issues were asked about`]),
      ...[...asked].flatMap((issue) => {
        const answers = goodAnswers(ended, issue).length
        const isFixed = state.applied_fixes.filter(
          ({ fix_id, verification_result }) =>
            verification_result === 'pass' && fixes(issue).some(({ id }) => id === fix_id),
        )
        return [
          ...(answers === fixes(issue).length ? [] : [`${issue} has ${answers} answers, ${fixes(issue).length} fixes`]),
          ...(answers === 0 ? [] : doneTimes(issue, isFixed.length)),
        ]
      }),
      ...(left.length === ended.tasks - state.applied_fixes.length ? [] : [`${left.length} phases are not fixed`]),
    ]
  },
}

export const nightLoops: readonly NightLoop[] = [metashell, ncrew, maestro, tuning]
