/** A person's answers to many questions, while an agent rewrites an unrelated line of the very file over and over. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Payload } from '@shared/contract/contract'
import type { EditRequest } from '@shared/contract/edits'
import { openDatabase } from '../../src-main/storage/database'
import type { Restlessness } from '../peers/restlessAgent'
import { projectsHere } from './projectWorkerHere'

export interface AnswersUnderRewrites {
  /** How long each answer that was written took, ms. */
  readonly times: readonly number[]
  /** In a sentence each: what became of an answer that is not in its file. */
  readonly missing: readonly string[]
  /** Answers that the agent dropped later, as it had read the file before them, and that were told. */
  readonly dropped: number
}

/** The longest wait for the notice that an answer is gone. */
const NOTICE_MS = 60_000

interface Rewrites extends Omit<Restlessness, 'path'> {
  /** Questions that the run has. */
  readonly questions: number
  /** How many of them are answered, one after the other. */
  readonly answers: number
}

export async function answerUnderRewrites({
  questions,
  answers,
  interval,
  writes,
}: Rewrites): Promise<AnswersUnderRewrites> {
  const folder = await mkdtemp(join(tmpdir(), 'bridgedeck-restless-'))
  const root = join(folder, 'project')
  const files = await makeQuestions(root, questions)
  const database = openDatabase(join(folder, 'bridgedeck.sqlite'))
  const told = new Map<number, Payload<'projects.overwritten'>>()
  const projects = projectsHere(database, { onOverwritten: (event) => told.set(event.edit, event) })
  const agent = fork(resolve('test/peers/restlessAgent.ts'), [], {
    execArgv: ['--import', join(import.meta.dirname, 'typescript.mjs')],
  })
  const direct = async (wanted: Restlessness | 'rest') => {
    const reported = once(agent, 'message')
    agent.send(wanted)
    await reported
  }
  const times: number[] = []
  const missing: string[] = []
  let dropped = 0
  try {
    const { project } = await projects.open(root)
    const at = { project, run: 'ncrew:crew/.noodlecrew' }
    for (const [index, file] of files.slice(0, answers).entries()) {
      const path = join(root, file)
      const request: EditRequest = {
        kind: 'action',
        name: 'answer',
        target: file,
        values: { decision: `Answer ${index}` },
      }
      await direct({ path, interval, writes })
      const { token } = await projects.ask('projects.preview', { ...at, request })
      const start = performance.now()
      const result = await projects.ask('projects.write', { ...at, request, token }).catch((error: unknown) => error)
      const time = performance.now() - start
      await direct('rest')
      if (!isWritten(result)) {
        missing.push(`${file}: ${JSON.stringify(result).slice(0, 300)} after ${time.toFixed(0)} ms`)
        continue
      }
      times.push(time)
      const isKept = async () => (await readFile(path, 'utf8')).includes(`**Decision:** Answer ${index}\n`)
      for (
        const end = performance.now() + NOTICE_MS;
        !(await isKept()) && !told.has(result.edit) && performance.now() < end;
      )
        await wait(50)
      if (await isKept()) continue
      if (told.has(result.edit)) dropped++
      else missing.push(`${file}: written, then lost without a word`)
    }
  } finally {
    agent.kill()
    await projects.closeAll()
    database.close()
    await rm(folder, { recursive: true })
  }
  return { times, missing, dropped }
}

const isWritten = (result: unknown): result is { edit: number } =>
  typeof result === 'object' &&
  result !== null &&
  'outcome' in result &&
  result.outcome === 'written' &&
  'edit' in result

async function makeQuestions(root: string, count: number): Promise<string[]> {
  const sample = resolve('resources/sample-project/tape-archive')
  await cp(sample, join(root, 'crew'), { recursive: true })
  const question = await readFile(join(sample, 'questions/software-architect-002-levels.md'), 'utf8')
  const text = question.replace('## Context', 'Heartbeat: 0\n\n## Context')
  const files = Array.from(
    { length: count },
    (_, index) => `crew/questions/software-architect-${String(index + 100)}-levels.md`,
  )
  await Promise.all(files.map((file) => writeFile(join(root, file), text)))
  return files
}
