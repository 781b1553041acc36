/** Runs as they were, compared, searched; the contents that are kept for it, and who is said to have written. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Projects } from '../../src-main/projects/projects'
import { openDatabase, type Database } from '../../src-main/storage/database'
import { projectsHere } from '../support/projectWorkerHere'

const RUN = '.workflow/.scratchpad/skill-tuning-20260210T080003'
const STATE = `${RUN}/state.json`
const KEY = `tuning:${RUN}`

let folder: string
let project: string
let database: Database
let projects: Projects
let midRun: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridgedeck-history-'))
  project = join(folder, 'one')
  database = openDatabase(join(folder, 'bridgedeck.sqlite'))
  midRun = await readFile('test/fixtures/spec004/mid-run.json', 'utf8')
  projects = projectsHere(database)
})
afterEach(async () => {
  await projects.closeAll()
  database.close()
  await rm(folder, { recursive: true, force: true })
})

async function put(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(project, file)), { recursive: true })
  await writeFile(join(project, file), text)
}

const withStatus = (status: string) => midRun.replace('"status": "running"', `"status": "${status}"`)
const moments = async (id: number) => (await projects.ask('projects.moments', { project: id, run: KEY })).moments

/** Writes it until it is seen, which is said by the journal. */
async function change(id: number, file: string, text: string): Promise<number> {
  const known = await moments(id)
  const before = known.length
  const last = known.at(-1)?.time ?? 0
  await vi.waitUntil(() => Date.now() > last, { interval: 1 })
  await put(file, text)
  await vi.waitFor(
    async () => {
      const all = await moments(id)
      if (all.length === before) await put(file, text)
      expect(all.length).toBeGreaterThan(before)
    },
    { timeout: 60_000, interval: 300 },
  )
  return (await moments(id)).at(-1)?.time ?? 0
}

describe('a run as it was', () => {
  it('is read again from what was kept, at every moment, with its rows and files', async () => {
    await put(STATE, midRun)
    const { project: id } = await projects.open(project)
    const first = (await moments(id))[0]?.time ?? 0
    const failed = await change(id, STATE, withStatus('failed'))
    const done = await change(id, STATE, withStatus('completed'))
    expect((await moments(id)).map(({ files, changes }) => [files, changes])).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
    ])
    const stateAt = async (at?: number) =>
      (await projects.ask('projects.run', { project: id, run: KEY, ...(at === undefined ? {} : { at }) })).run.state
        .value
    expect(await Promise.all([first, failed, done, undefined].map((at) => stateAt(at)))).toEqual([
      'running',
      'failed',
      'done',
      'done',
    ])
    // Between two moments it is as it was at the one before.
    expect(await stateAt(done - 1)).toBe('failed')
    const rows = await projects.ask('projects.rows', { project: id, run: KEY, from: 0, at: failed })
    expect(rows.total).toBeGreaterThan(0)
    expect(await projects.ask('projects.file', { project: id, file: STATE, line: 1, at: failed })).toMatchObject({
      text: withStatus('failed'),
      writtenAt: failed,
    })
    await expect(stateAt(first - 1)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(
      projects.ask('projects.file', { project: id, file: STATE, line: 1, at: first - 1 }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('is still known after its files were deleted, and after a restart', async () => {
    await put(STATE, midRun)
    const { project: id } = await projects.open(project)
    const first = (await moments(id))[0]?.time ?? 0
    await projects.close(id)
    await rm(join(project, '.workflow'), { recursive: true })
    await projects.reopen(id)
    expect((await projects.ask('projects.run', { project: id, run: KEY, at: first })).run.state.value).toBe('running')
  })

  it('keeps nothing of what is in an .env file, and says so', async () => {
    await put('docs/maestro/state/active-session.md', '---\nsession_id: a\nstatus: in_progress\n---\n')
    await put('.env', 'MAESTRO_TOKEN=secret-of-mine\n')
    const { project: id } = await projects.open(project)
    expect(projects.runs({ project: id, after: null }).runs.map(({ system }) => system)).toEqual(['maestro'])
    expect(database.prepare('SELECT COUNT(*) AS kept FROM contents').get()).toEqual({ kept: 1 })
    expect(database.prepare("SELECT COUNT(*) AS seen FROM journal WHERE file = '.env'").get()).toEqual({ seen: 1 })
    await expect(projects.ask('projects.file', { project: id, file: '.env', line: 1, at: Date.now() })).rejects.toThrow(
      'was not kept',
    )
  })
})

describe('two moments of a run', () => {
  it('differ in the fields and the lines that changed between them', async () => {
    await put(STATE, midRun)
    const { project: id } = await projects.open(project)
    const first = (await moments(id))[0]?.time ?? 0
    const failed = await change(id, STATE, withStatus('failed'))
    const { files, more } = await projects.ask('projects.compare', { project: id, run: KEY, from: first, to: failed })
    expect(more).toBe(0)
    expect(files).toMatchObject([
      {
        file: STATE,
        change: 'changed',
        kept: true,
        cut: false,
        fields: [{ field: '/status', from: '"running"', to: '"failed"' }],
      },
    ])
    const lines = files[0]?.hunks.flatMap((hunk) => hunk.lines) ?? []
    expect(lines.filter((line) => !line.startsWith(' '))).toEqual(['-  "status": "running",', '+  "status": "failed",'])
    expect((await projects.ask('projects.compare', { project: id, run: KEY, from: failed })).files).toEqual([])
    expect(
      (await projects.ask('projects.compare', { project: id, run: KEY, from: 0, to: failed })).files,
    ).toMatchObject([{ change: 'added' }])
  })
})

describe('the writer in the journal', () => {
  const writers = async (id: number) =>
    (await projects.ask('projects.journal', { project: id, run: KEY, before: null })).entries.map(
      ({ writer }) => writer,
    )

  it('is an agent while it is the only one at work there', async () => {
    await put(STATE, midRun)
    const { project: id } = await projects.open(project)
    const endOne = projects.agentAtWork(id, 'claude')
    await change(id, STATE, withStatus('failed'))
    const endOther = projects.agentAtWork(id, 'gemini')
    await change(id, STATE, withStatus('completed'))
    endOne()
    endOther()
    await change(id, STATE, withStatus('pending'))
    expect(await writers(id)).toEqual([null, null, 'claude', null])
  })
})

describe('a search', () => {
  const search = async (text: string) => {
    const hits = []
    for (let after: Parameters<typeof projects.search>[0]['after'] = null; ;) {
      const page = await projects.search({ text, after })
      hits.push(...page.hits)
      if (page.next === null) return hits
      after = page.next
    }
  }

  it('finds text in titles, tasks, needs and lines, whatever the case, with the place of each', async () => {
    await put(STATE, midRun.replace('"status": "running"', '"status": "running",\n  "note": "Straße und WOMBAT"'))
    await projects.open(project)
    expect(await search('wombat')).toEqual([
      expect.objectContaining({
        run: KEY,
        kind: 'line',
        text: '  "note": "Straße und WOMBAT",',
        at: 22,
        source: { file: STATE, line: 3 },
      }),
    ])
    const { run } = await projects.ask('projects.run', { project: 1, run: KEY })
    expect((await search(run.title.value ?? '')).map(({ kind }) => kind)).toContain('title')
    expect((await search('diagnose context')).map(({ kind }) => kind)).toContain('task')
    expect(await search('nothing of the kind')).toEqual([])
  })

  it('comes in pages that leave out nothing and repeat nothing', async () => {
    const many = Array.from({ length: 250 }, (_, index) => `  "k${index}": "wombat ${index}"`).join(',\n')
    for (const name of ['20260210T080003', '20260211T080003'])
      await put(`.workflow/.scratchpad/skill-tuning-${name}/state.json`, `{\n${many}\n}\n`)
    await projects.open(project)
    const hits = await search('WOMBAT')
    expect(hits).toHaveLength(500)
    expect(new Set(hits.map(({ run, source }) => `${run} ${source?.line}`)).size).toBe(500)
  })

  it('can be given up', async () => {
    await put(STATE, midRun)
    await projects.open(project)
    const controller = new AbortController()
    const searching = projects.search({ text: 'a', after: null }, controller.signal)
    controller.abort()
    await expect(searching).rejects.toMatchObject({ code: 'CANCELLED' })
  })
})
