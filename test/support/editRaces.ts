/** A person's answers to questions, against agents that rewrite the same files at the same moment. */
import { fork } from 'node:child_process'
import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Payload } from '@shared/contract/contract'
import type { EditRequest } from '@shared/contract/edits'
import type { Projects } from '../../src-main/projects/projects'
import { openDatabase } from '../../src-main/storage/database'
import type { Rewrite } from '../peers/rewritingAgent'
import { projectsHere } from './projectWorkerHere'

export interface RaceCounts {
  /** Both are in the file. */
  merged: number
  /** The answer was refused, with what stands there. */
  conflicts: number
  /** The answer was written and dropped by the agent, which was told. */
  dropped: number
  /** The agent’s version was gone before it could be read; only the watcher found it, and it was told. */
  raced: number
  /** In a sentence each: something was lost and nobody was told. */
  readonly lost: string[]
}

/** The longest time between the two writes. */
const SPREAD_MS = 50
/** A race is settled after this time. */
const SETTLE_MS = 2_600
/** The longest wait for the notice that an edit is gone. */
const WAIT_MS = 60_000

const pick = <T>(...all: readonly [T, ...T[]]): T => all[Math.floor(Math.random() * all.length)] ?? all[0]

/** @param lanes runs in which races go on at the same time */
export async function raceEdits(count: number, lanes: number): Promise<RaceCounts> {
  const folder = await mkdtemp(join(tmpdir(), 'bridgedeck-races-'))
  const root = join(folder, 'project')
  const sample = resolve('resources/sample-project/tape-archive')
  await Promise.all(
    Array.from({ length: lanes }, (_, lane) => cp(sample, join(root, String(lane)), { recursive: true })),
  )
  const database = openDatabase(join(folder, 'bridgedeck.sqlite'))
  const told = new Map<number, Payload<'projects.overwritten'>>()
  const projects = projectsHere(database, { onOverwritten: (event) => told.set(event.edit, event) })
  const agents = new Agents()
  const clock = { latency: SPREAD_MS }
  const counts: RaceCounts = { merged: 0, conflicts: 0, dropped: 0, raced: 0, lost: [] }
  try {
    const { project } = await projects.open(root)
    let next = 0
    await Promise.all(
      Array.from({ length: lanes }, async (_, lane) => {
        for (let race = next++; race < count; race = next++)
          await oneRace(race, lane, { root, project, projects, agents, told, counts, clock })
      }),
    )
  } finally {
    agents.end()
    await projects.closeAll()
    database.close()
    await rm(folder, { recursive: true })
  }
  return counts
}

interface Ring {
  readonly root: string
  readonly project: number
  readonly projects: Projects
  readonly agents: Agents
  readonly told: ReadonlyMap<number, Payload<'projects.overwritten'>>
  readonly counts: RaceCounts
  /** How long an answer took lately, ms. */
  readonly clock: { latency: number }
}

const QUESTION = 'questions/software-architect-002-levels.md'

async function oneRace(
  race: number,
  lane: number,
  { root, project, projects, agents, told, counts, clock }: Ring,
): Promise<void> {
  const file = `${lane}/${QUESTION}`
  const path = join(root, file)
  await writeFile(`${path}.fresh`, await readFile(resolve('resources/sample-project/tape-archive', QUESTION)))
  await rename(`${path}.fresh`, path)
  const at = { project, run: `ncrew:${lane}/.noodlecrew` }
  const answer = `Answer ${race}`
  const note = `Note ${race} of the agent`
  const request: EditRequest = { kind: 'action', name: 'answer', target: file, values: { decision: answer } }
  const { token } = await projects.ask('projects.preview', { ...at, request })

  // Up to SPREAD_MS before the moment at which the answer is there, or after it.
  const delay = Math.max(0, clock.latency + (2 * Math.random() - 1) * SPREAD_MS)
  const rewrite = {
    path,
    note,
    delay,
    reads: pick('before', 'after'),
    writes: pick('renamed', 'at once', 'in pieces'),
  } as const
  const rewritten = agents.rewrite(rewrite)
  const start = performance.now()
  const result = await projects.ask('projects.write', { ...at, request, token })
  clock.latency += (performance.now() - start - clock.latency) / 10
  await rewritten
  await wait(SETTLE_MS)

  const isIn = async () => {
    const text = await readFile(path, 'utf8')
    return {
      ours: text.includes(`**Decision:** ${answer}\n`) && text.includes('status: resolved'),
      theirs: text.includes(note),
    }
  }
  let { ours, theirs } = await isIn()
  const lost = (what: string) => {
    counts.lost.push(`Race ${race}, ${JSON.stringify(rewrite)}: ${what}`)
  }
  if (result.outcome === 'conflict') {
    if (theirs) counts.conflicts++
    else lost('a conflict, and what the agent wrote is gone')
    return
  }
  if (result.outcome !== 'written') {
    lost(`the answer was ${result.outcome}`)
    return
  }
  for (
    const end = performance.now() + WAIT_MS;
    !(ours && theirs) && !told.has(result.edit) && performance.now() < end;
    { ours, theirs } = await isIn()
  )
    await wait(50)
  const event = told.get(result.edit)
  if (ours && theirs) counts.merged++
  else if (event?.kind === 'dropped' && theirs) counts.dropped++
  else if (event?.kind === 'raced') counts.raced++
  else
    lost(
      `${ours ? 'what the agent wrote' : 'the answer'} is gone, and it was ${event ? `only told as ${event.kind}` : 'not told'}`,
    )
}

/** The agents' process. */
class Agents {
  readonly #process = fork(resolve('test/peers/rewritingAgent.ts'), [], {
    execArgv: ['--import', join(import.meta.dirname, 'typescript.mjs')],
  })
  readonly #waiting = new Map<number, () => void>()
  #next = 1

  constructor() {
    this.#process.on('message', (id: number) => {
      this.#waiting.get(id)?.()
      this.#waiting.delete(id)
    })
  }

  rewrite(rewrite: Omit<Rewrite, 'id'>): Promise<void> {
    const id = this.#next++
    return new Promise((done) => {
      this.#waiting.set(id, done)
      this.#process.send({ id, ...rewrite })
    })
  }

  end(): void {
    this.#process.kill()
  }
}
