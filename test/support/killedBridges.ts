/** Bridges of a real window that are killed while tasks, a recording and an edit run, and what must be true after each. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import Database from 'better-sqlite3'
import type { Page } from 'playwright'
import { toFailure } from '@shared/contract/errors'
import type { BridgeState } from '@shared/contract/window'
import { BridgeClient } from '../../src-main/bridge/client'
import { connect, socketPath } from '../../src-main/bridge/socket'
import { bridgeProcess } from './bridgeProcess'
import { launchApp, untilLive, type RunningApp } from './launchApp'
import { readFrames, recordFrames } from './frameRecorder'

export interface KillReport {
  readonly kills: number
  /** s, from each kill to the next live frame in the window; of those that the window restarted by itself. */
  readonly live: number[]
  /** Edits that had been written, tasks that were running, and recordings that were open when the bridge was killed. */
  readonly written: number
  readonly tasks: number
  readonly recordings: number
  /** In a sentence each: something was torn, or runs and does not. */
  readonly damage: string[]
}

const QUESTION = 'questions/software-architect-002-levels.md'
const MAX_DELAY_MS = 400
/** For what a starved machine takes its time with. */
const SETTLE_MS = 60_000

interface Place {
  readonly folder: string
  readonly project: string
  readonly home: string
  readonly data: string
}

export async function killBridges(kills: number, random: () => number = Math.random): Promise<KillReport> {
  const folder = mkdtempSync(join(tmpdir(), 'bridgedeck-kills-'))
  const place = {
    folder,
    project: join(folder, 'project'),
    home: join(folder, '.c64bridge'),
    data: join(folder, 'data'),
  }
  const report = { kills, live: [] as number[], written: 0, tasks: 0, recordings: 0, damage: [] as string[] }
  mkdirSync(place.data, { mode: 0o700 })
  cpSync(resolve('resources/sample-project/tape-archive'), place.project, { recursive: true })
  const running = await launchApp({
    dataFolder: place.data,
    environment: { HOME: folder, C64_TASK_STATE_FILE: undefined },
  })
  running.page.on('pageerror', (error) => report.damage.push(`The page: ${error.stack ?? error.message}`))
  try {
    await untilLive(running.page)
    await recordFrames(running.page)
    await untilLive(running.page)
    for (let kill = 1; kill <= kills; kill++) await killOnce(kill, { running, place, report, random })
    await checkState(await client(place), place, report.damage)
  } finally {
    await running.close()
  }
  checkDatabases(place, report.damage)
  rmSync(folder, { recursive: true, force: true })
  return report
}

interface Round {
  readonly running: RunningApp
  readonly place: Place
  readonly report: { -readonly [Key in keyof KillReport]: KillReport[Key] }
  readonly random: () => number
}

async function killOnce(kill: number, { running, place, report, random }: Round): Promise<void> {
  const { page } = running
  const caller = await client(place)
  await checkState(caller, place, report.damage)
  const ids = await startTasks(caller)
  const question = await provideQuestion(caller, place)
  const edit = answer(caller, { ...question, kill }).then(
    () => report.written++,
    () => undefined,
  )
  await wait(random() * MAX_DELAY_MS)
  const { tasks } = await caller.call('tasks.live', {}).catch(() => ({ tasks: [] }))
  report.tasks += tasks.length
  report.recordings += existsSync(join(place.home, 'tasks/background', ids.record, 'recording.sqlite')) ? 1 : 0
  const epochs = (await readFrames(page)).epochs.length
  const ends = (await bridgeState(page)).recentEnds
  process.kill(bridgeProcess(running), 'SIGKILL')
  const killed = performance.timeOrigin + performance.now()
  await edit
  caller.close()
  checkQuestion(place, question.fresh, kill, report.damage)
  if (await restarts(page, ends)) {
    await untilNewEpoch(page, epochs)
    report.live.push(((await readFrames(page)).epochs.at(-1)?.at ?? Number.NaN) / 1000 - killed / 1000)
  } else {
    // After the fourth end in five minutes, the person decides.
    await page.getByRole('button', { name: 'Start it again' }).click()
    await untilNewEpoch(page, epochs)
  }
}

const untilNewEpoch = (page: Page, before: number) =>
  page.waitForFunction((count) => window.frameRecord.epochs.length > count, before, { timeout: SETTLE_MS })

/** Whether the bridge comes back by itself. */
async function restarts(page: Page, endsBefore: number): Promise<boolean> {
  for (let time = 0; time < SETTLE_MS; time += 20) {
    const { state, recentEnds } = await bridgeState(page)
    if (state === 'failed') return false
    if (state === 'ready' && recentEnds > endsBefore) return true
    await wait(20)
  }
  throw new Error('The bridge neither came back nor failed.')
}

async function bridgeState(page: Page): Promise<BridgeState> {
  const info = await page.evaluate(() => window.bridgedeck.window.info({}))
  if (!info.ok) throw new Error(info.error.message)
  return info.data.bridge
}

/** To the bridge that runs now, as the command line is. */
async function client({ data }: Place): Promise<BridgeClient> {
  for (let time = 0; time < SETTLE_MS; time += 50) {
    const line = await connect(socketPath(data))
    if (line) return new BridgeClient(line)
    await wait(50)
  }
  throw new Error('No bridge listens.')
}

async function startTasks(caller: BridgeClient): Promise<{ record: string }> {
  const builtin = { machine: 'builtin', type: 'background' } as const
  const read = { ...builtin, operation: 'read', args: { address: '$0400', length: 40 }, intervalMs: 20 }
  await caller.call('tasks.start', read)
  const poll = { pattern: 'never there', timeoutMs: SETTLE_MS }
  await caller.call('tasks.start', { ...builtin, type: 'foreground', operation: 'poll_screen', args: poll })
  const { id } = await caller.call('tasks.start', { ...builtin, operation: 'record', args: {}, intervalMs: 100 })
  return { record: id }
}

/** A fresh one, in a project that is open, also where two kills have closed it. */
async function provideQuestion(caller: BridgeClient, { project: path }: Place) {
  const fresh = readFileSync(resolve('resources/sample-project/tape-archive', QUESTION), 'utf8')
  writeFileSync(join(path, `${QUESTION}.fresh`), fresh)
  renameSync(join(path, `${QUESTION}.fresh`), join(path, QUESTION))
  try {
    const { project } = await caller.call('projects.open', { path })
    return { project, fresh }
  } catch (error) {
    if (toFailure(error).code !== 'CONFLICT') throw error
    await caller.call('quarantine.open', { kind: 'project', name: path })
    const { project } = await caller.call('projects.open', { path })
    return { project, fresh }
  }
}

async function answer(caller: BridgeClient, { project, kill }: { project: number; kill: number }): Promise<void> {
  const at = { project, run: 'ncrew:.noodlecrew' }
  const request = { kind: 'action', name: 'answer', target: QUESTION, values: { decision: `Answer ${kill}` } } as const
  const { token } = await caller.call('projects.preview', { ...at, request })
  const result = await caller.call('projects.write', { ...at, request, token })
  if (result.outcome !== 'written') throw new Error(result.outcome)
}

function checkQuestion({ project }: Place, fresh: string, kill: number, damage: string[]): void {
  const text = readFileSync(join(project, QUESTION), 'utf8')
  const isWhole = text.includes(`**Decision:** Answer ${kill}\n`) && text.includes('status: resolved')
  if (text !== fresh && !isWhole) damage.push(`Kill ${kill}: ${QUESTION} is neither the old nor the new version.`)
}

/** What is said to run does, and all files of tasks parse. */
async function checkState(caller: BridgeClient, { home }: Place, damage: string[]): Promise<void> {
  for (let time = 0; ; time += 100) {
    const { tasks, problems } = await caller.call('tasks.list', { after: null })
    const { tasks: live } = await caller.call('tasks.live', {})
    const isLive = new Set(live.map(({ id }) => id))
    const wrong = [
      ...problems.map(({ message }) => message),
      ...tasks.flatMap(({ id, status }) => (status === 'running' && !isLive.has(id) ? [`${id} is said to run.`] : [])),
      ...tornFiles(home),
    ]
    if (wrong.length === 0) return
    if (time >= SETTLE_MS) {
      damage.push(...wrong)
      return
    }
    await wait(100)
  }
}

/** JSON that does not parse, and what was staged by a process that is gone. */
function tornFiles(home: string): string[] {
  if (!existsSync(home)) return []
  return readdirSync(home, { recursive: true, encoding: 'utf8' }).flatMap((file) => {
    if (file.endsWith('.tmp')) return [`${file} was left behind.`]
    if (!file.endsWith('.json')) return []
    try {
      JSON.parse(readFileSync(join(home, file), 'utf8'))
      return []
    } catch (error) {
      // One that is replaced at this moment is looked at again.
      return [`${file} is torn: ${String(error)}`]
    }
  })
}

function checkDatabases({ data, home }: Place, damage: string[]): void {
  const recordings = readdirSync(join(home, 'tasks/background')).map((id) =>
    join(home, 'tasks/background', id, 'recording.sqlite'),
  )
  for (const path of [join(data, 'bridgedeck.sqlite'), ...recordings.filter((recording) => existsSync(recording))]) {
    const database = new Database(path, { readonly: true })
    const said = database.pragma('integrity_check', { simple: true })
    if (said !== 'ok') damage.push(`${path}: ${String(said)}`)
    database.close()
  }
}
