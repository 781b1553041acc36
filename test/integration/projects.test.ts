/** Projects as they are followed on disk, with real files that others write: renamed over, cut off, moved, deleted. */
import { chmod, mkdir, mkdtemp, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Payload } from '@shared/contract/contract'
import { projectsCommands, projectsEvents } from '@shared/contract/orchestration'
import type { WatchFolder } from '../../src-main/projects/watch/folderWatch'
import type { Projects } from '../../src-main/projects/projects'
import { projectsHere } from '../support/projectWorkerHere'
import { soon } from '../support/soon'
import { openDatabase, type Database } from '../../src-main/storage/database'
import { SidecarStore } from '../../src-main/storage/sidecar'

const RUN = '.workflow/.scratchpad/skill-tuning-20260210T080003'
const STATE = `${RUN}/state.json`
const KEY = `tuning:${RUN}`

let folder: string
let project: string
let database: Database
let midRun: string
let events: Payload<'projects.changed'>[]
const opened: Projects[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridgedeck-projects-'))
  project = join(folder, 'one')
  database = openDatabase(join(folder, 'bridgedeck.sqlite'))
  midRun = await readFile('test/fixtures/spec004/mid-run.json', 'utf8')
  events = []
})
afterEach(async () => {
  vi.useRealTimers()
  for (const projects of opened.splice(0)) await projects.closeAll()
  database.close()
  await chmod(project, 0o700).catch(() => undefined)
  await rm(folder, { recursive: true, force: true })
})

async function put(file: string, text: string, root = project): Promise<void> {
  await mkdir(dirname(join(root, file)), { recursive: true })
  await writeFile(join(root, file), text)
}

async function replace(file: string, text: string): Promise<void> {
  await writeFile(join(project, `${file}.tmp`), text)
  await rename(join(project, `${file}.tmp`), join(project, file))
}

function create(watchFolder?: WatchFolder): Projects {
  const projects = projectsHere(database, {
    watchFolder,
    onChanged: (changes) => events.push(projectsEvents['projects.changed'].parse(changes)),
  })
  opened.push(projects)
  return projects
}

const runsOf = (projects: Projects, id: number) =>
  projectsCommands['projects.runs'].output.parse(projects.runs({ project: id, after: null })).runs
const stateOf = (projects: Projects, id: number) => runsOf(projects, id)[0]?.state.value
const journalOf = async (projects: Projects, id: number, run: string | null = null) =>
  (await projects.ask('projects.journal', { project: id, run, before: null })).entries
const summary = (projects: Projects, id: number) =>
  projects.list().projects.find(({ project: number }) => number === id)

/** Opened, and its watcher known to hear. */
async function openWatched(projects: Projects): Promise<number> {
  const { project: id } = await projects.open(project)
  const isSeen = () => runsOf(projects, id).some(({ key }) => key.includes('probe'))
  await vi.waitFor(
    async () => {
      if (!isSeen()) await put('.probe/skill-tuning-probe/state.json', `{"status":"pending","n":${Math.random()}}`)
      expect(isSeen()).toBe(true)
    },
    { timeout: 60_000, interval: 150 },
  )
  await rm(join(project, '.probe'), { recursive: true })
  await expect.poll(isSeen).toBe(false)
  events.length = 0
  return id
}

/** As on a network folder: ready, and deaf from then on. */
const deafFrom =
  (ready: (done: () => void) => void): WatchFolder =>
  () => {
    const watcher = {
      on: () => watcher,
      once: (_event: string, done: () => void) => (ready(done), watcher),
      close: () => Promise.resolve(),
    }
    return watcher as unknown as ReturnType<WatchFolder>
  }

/** Opened, with the look after the watcher's start behind it: what changes from now on nobody tells. */
async function openDeaf(): Promise<{
  projects: Projects
  id: number
  beat: () => Promise<void>
  isLost: () => boolean
}> {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  let begin = (): void => undefined
  const projects = create(deafFrom((done) => (begin = done)))
  const { project: id } = await projects.open(project)
  await put('.last/skill-tuning-last/state.json', '{"status":"pending"}')
  begin()
  // Not by `expect.poll`, which moves the clock that is held.
  while (!runsOf(projects, id).some(({ key }) => key.includes('last'))) await wait(20)
  const isLost = () => summary(projects, id)?.watch === 'polling'
  const beat = async () => {
    vi.advanceTimersByTime(2_000)
    // No other heartbeat comes meanwhile, as one would with each look of `expect.poll`.
    for (const end = performance.now() + 15_000; !isLost() && performance.now() < end;) await wait(20)
  }
  return { projects, id, beat, isLost }
}

describe('an opened project', () => {
  it('has its runs with where each value stands, nested ones too, and all of it fits the contract', async () => {
    await put(STATE, midRun)
    await put(`deep/er/${RUN}/state.json`, midRun)
    const projects = create()
    const { project: id } = await projects.open(project)
    expect(runsOf(projects, id).map(({ key }) => key)).toEqual([KEY, `tuning:deep/er/${RUN}`])
    const detail = await projects.ask('projects.run', { project: id, run: KEY })
    expect(detail.run).toMatchObject({
      system: 'tuning',
      stale: null,
      state: { value: 'running', source: { file: STATE, pointer: '/status', line: 2 } },
    })
    expect(detail.files.map(({ file }) => file)).toEqual([STATE])
    const rows = await projects.ask('projects.rows', { project: id, run: KEY, from: 0 })
    expect(rows.total).toBe(rows.rows.length)
    expect(rows.total).toBeGreaterThan(0)
    expect(summary(projects, id)).toMatchObject({ name: 'one', state: 'open', runs: 2, problems: [] })
  })

  it('follows a file that is renamed over, and tells of that run alone what changed', async () => {
    await put(STATE, midRun)
    await put(`other/${RUN}/state.json`, midRun)
    const projects = create()
    const id = await openWatched(projects)
    await replace(STATE, midRun.replace('"status": "running"', '"status": "failed"'))
    await soon(() => expect(stateOf(projects, id)).toBe('failed'))
    await soon(() => expect(events.flatMap(({ runs }) => runs.map(({ run }) => run.key))).toEqual([KEY]))
    expect((await journalOf(projects, id, KEY))[0]).toMatchObject({
      kind: 'changed',
      file: STATE,
      field: '/status',
      from: '"running"',
      to: '"failed"',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    })
  })

  it('keeps what is remembered of a run for notices, and does not read the run again for that', async () => {
    await put(STATE, midRun)
    const projects = create()
    const { project: id } = await projects.open(project)
    const [run] = runsOf(projects, id)
    projects.remember(id, new Map([[KEY, { 'needs-told': '{}' }]]))
    await soon(() => expect(new SidecarStore(database).all(id, KEY)).toEqual(new Map([['needs-told', '{}']])))
    await projects.ask('projects.run', { project: id, run: KEY })
    expect(runsOf(projects, id)).toEqual([run])
  })

  it('sends many runs in several events, each of them once', async () => {
    const count = 230
    for (let number = 0; number < count; number++)
      await put(`area/skill-tuning-${number}/state.json`, '{"status":"pending"}')
    const projects = create()
    await projects.open(project)
    await soon(() => {
      const keys = events.flatMap(({ runs }) => runs.map(({ run }) => run.key))
      expect(new Set(keys).size).toBe(count)
    })
    for (const { runs } of events) expect(runs.length).toBeLessThanOrEqual(100)
    expect(events.map(({ from }) => from)).toEqual(events.map((_, index) => index))
  })

  it('says nothing of a rewrite with the same bytes', async () => {
    await put(STATE, midRun)
    const projects = create()
    const id = await openWatched(projects)
    const before = (await journalOf(projects, id)).length
    await put(STATE, midRun)
    await replace(STATE, midRun)
    await utimes(join(project, STATE), new Date(), new Date())
    // What is told of afterwards shows that the rewrites were seen.
    await put(`later/${RUN}/state.json`, midRun)
    await soon(() => expect(runsOf(projects, id)).toHaveLength(2))
    await soon(() => expect(events.flatMap(({ runs }) => runs)).not.toHaveLength(0))
    expect(events.flatMap(({ runs }) => runs.map(({ run }) => run.key))).toEqual([`tuning:later/${RUN}`])
    expect(await journalOf(projects, id, KEY)).toHaveLength(1)
    expect((await journalOf(projects, id)).length).toBe(before + 1)
  })

  it.each([
    ['cut off', (text: string) => text.slice(0, 700), 'file/json'],
    ['empty', () => '', 'is empty'],
    ['binary', () => '\0\x01\x02', 'a zero byte'],
  ])(
    'keeps the last good version of a file that is %s, says since when and why, and goes on with the next',
    async (_what, damage, words) => {
      await put(STATE, midRun)
      const projects = create()
      const id = await openWatched(projects)
      await put(STATE, damage(midRun))
      await soon(() => expect(runsOf(projects, id)[0]?.stale?.message).toContain(words))
      expect(stateOf(projects, id)).toBe('running')
      expect(runsOf(projects, id)[0]?.stale?.file).toBe(STATE)
      await put(STATE, midRun.replace('"status": "running"', '"status": "completed"'))
      await soon(() => expect(runsOf(projects, id)[0]).toMatchObject({ stale: null, state: { value: 'done' } }))
      expect((await journalOf(projects, id, KEY)).map(({ field }) => field)).toEqual(['/status', null, null])
    },
  )

  it('shows a file with a stray byte as it is: the rest of it can be read', async () => {
    await put(STATE, midRun)
    const projects = create()
    const id = await openWatched(projects)
    const next = midRun.replace('"status": "running"', '"status": "completed"').replace('Context', 'Contéxt')
    await writeFile(join(project, STATE), Buffer.from(next, 'latin1'))
    await soon(() => expect(runsOf(projects, id)[0]).toMatchObject({ stale: null, state: { value: 'done' } }))
  })

  it('does not show what was half-written for a moment', async () => {
    await put(STATE, midRun)
    const projects = create()
    const id = await openWatched(projects)
    await put(STATE, midRun.slice(0, 500))
    // Long enough to be seen; nothing tells of a look that shows nothing.
    await wait(100)
    await put(STATE, midRun.replace('"status": "running"', '"status": "failed"'))
    await soon(() => expect(stateOf(projects, id)).toBe('failed'))
    expect(events.flatMap(({ runs }) => runs).filter(({ run }) => run.stale !== null)).toEqual([])
  })

  it('follows a run that is moved, and one that is deleted', async () => {
    await put(STATE, midRun)
    const projects = create()
    const id = await openWatched(projects)
    await mkdir(join(project, 'moved'))
    await rename(join(project, RUN), join(project, 'moved/skill-tuning-20260210T080003'))
    await soon(() =>
      expect(runsOf(projects, id).map(({ key }) => key)).toEqual(['tuning:moved/skill-tuning-20260210T080003']),
    )
    await soon(() => expect(events.flatMap(({ removed }) => removed)).toContainEqual({ project: id, run: KEY }))
    expect((await journalOf(projects, id, KEY))[0]).toMatchObject({ kind: 'removed', file: STATE, hash: null })
    await rm(join(project, 'moved'), { recursive: true })
    await soon(() => expect(runsOf(projects, id)).toEqual([]))
  })

  it('ends a run whose last own files are moved away, though there is more beside them', async () => {
    await put('.gemini/plans/2026-02-24-scroller-impl-plan.md', '# Plan\n')
    const archived = await readFile('resources/sample-project/.gemini/state/archive/2026-11-02-title-screen.md', 'utf8')
    await put('.gemini/state/archive/2026-11-02-title-screen.md', archived)
    await put('.gemini/parallel/batch-1/results/coder.exit', '0\n')
    const projects = create()
    const id = await openWatched(projects)
    const keys = () => runsOf(projects, id).map(({ key }) => key)
    const session = 'maestro:.gemini/state/archive/2026-11-02-title-screen.md'
    expect(keys()).toEqual(['maestro:.gemini', session])
    await mkdir(join(project, '.gemini/plans/archive'))
    await rename(
      join(project, '.gemini/plans/2026-02-24-scroller-impl-plan.md'),
      join(project, '.gemini/plans/archive/2026-02-24-scroller-impl-plan.md'),
    )
    await soon(() => expect(keys()).toEqual([session]))
    const removed = { project: id, run: 'maestro:.gemini' }
    await soon(() => expect(events.flatMap((event) => event.removed)).toContainEqual(removed))
    expect(events.flatMap(({ runs }) => runs).filter(({ run }) => run.stale !== null)).toEqual([])
  })

  it('is followed by looking again and again when the system tells nothing, and says so', async () => {
    await put(STATE, midRun)
    const projects = create(deafFrom(setImmediate))
    const { project: id } = await projects.open(project)
    expect(summary(projects, id)).toMatchObject({ watch: 'system' })
    // What is written before the watcher is ready, the look right after that finds.
    let writes = 0
    await vi.waitFor(
      async () => {
        if (summary(projects, id)?.watch === 'system')
          await replace(STATE, midRun.replace('"status": "running"', `"status": "failed", "writes": ${writes++}`))
        expect(summary(projects, id)?.watch).toBe('polling')
      },
      { timeout: 60_000, interval: 1_500 },
    )
    await soon(() => expect(stateOf(projects, id)).toBe('failed'))
    expect(summary(projects, id)?.problems[0]).toMatch(/did not report a change.* every 2 s/)
    await put(`new/${RUN}/state.json`, midRun)
    await soon(() => expect(runsOf(projects, id)).toHaveLength(2))
  })

  it('notices by the next heartbeat that the system tells nothing, also by the file that was written longest ago of a thousand', async () => {
    const old = (run: number) => join(project, `deep-${run % 7}/skill-tuning-${run}/state.json`)
    for (let run = 0; run < 1_000; run++) {
      await put(`deep-${run % 7}/skill-tuning-${run}/state.json`, '{"status":"pending"}')
      await utimes(old(run), run, run)
    }
    const { isLost, beat } = await openDeaf()
    expect(isLost()).toBe(false)
    await writeFile(old(0), '{"status":"running"}')
    await utimes(old(0), 0, 1)
    await beat()
    expect(isLost()).toBe(true)
  })

  it.each([
    ['a new run', () => put(`new/${RUN}/state.json`, midRun), [KEY, `tuning:new/${RUN}`]],
    ['a run that is deleted', () => rm(join(project, RUN), { recursive: true }), []],
  ])('notices by the next heartbeat that the system does not tell of %s', async (_what, change, runs) => {
    await put(STATE, midRun)
    const { projects, id, isLost, beat } = await openDeaf()
    await change()
    await beat()
    expect(isLost()).toBe(true)
    await vi.waitFor(
      () => expect(runsOf(projects, id).flatMap(({ key }) => (key.includes('last') ? [] : [key]))).toEqual(runs),
      60_000,
    )
  })

  it('does not take a thousand files that come at once for ones of which the system tells nothing', async () => {
    await put(STATE, midRun)
    const projects = create()
    const id = await openWatched(projects)
    for (let file = 0; file < 1_000; file++) await put(`burst/of-${file % 3}/file-${file}.json`, '{}')
    await put(`after/${RUN}/state.json`, midRun)
    await soon(() => expect(runsOf(projects, id)).toHaveLength(2))
    // Over two heartbeats: nothing tells when one has found nothing.
    await wait(5_000)
    expect(summary(projects, id)).toMatchObject({ watch: 'system', problems: [] })
  })

  it('does not take a file that is written all the time for one of which the system tells nothing', async () => {
    await put(STATE, midRun)
    const projects = create()
    const id = await openWatched(projects)
    // Over two heartbeats.
    for (const end = performance.now() + 5_000; performance.now() < end;)
      await replace(STATE, midRun.replace('"status": "running"', `"status": "running", "at": ${performance.now()}`))
    expect(summary(projects, id)).toMatchObject({ watch: 'system', problems: [] })
    await soon(() => expect(events.length).toBeGreaterThan(3))
  })

  it('says that its folder vanished, keeps what was read, and takes it up again', async () => {
    await put(STATE, midRun)
    const projects = create()
    const { project: id } = await projects.open(project)
    await rename(project, `${project}-away`)
    await soon(() =>
      expect(summary(projects, id)).toMatchObject({
        state: 'gone',
        problems: [expect.stringContaining('There is no folder') as string],
      }),
    )
    expect(stateOf(projects, id)).toBe('running')
    await put(`../one-away/${STATE}`, midRun.replace('"status": "running"', '"status": "failed"'))
    await rename(`${project}-away`, project)
    await soon(() => expect(stateOf(projects, id)).toBe('failed'))
    await soon(() => expect(summary(projects, id)?.state).toBe('open'))
  })

  it('says of a folder that vanished that it did, whatever its watcher says then', async () => {
    await put(STATE, midRun)
    let fail = (_error: Error): void => undefined
    const failing: WatchFolder = () => {
      const watcher = {
        on: (event: string, told: (error: Error) => void) => {
          if (event === 'error') fail = told
          return watcher
        },
        once: (_event: string, done: () => void) => (setImmediate(done), watcher),
        close: () => Promise.resolve(),
      }
      return watcher as unknown as ReturnType<WatchFolder>
    }
    const projects = create(failing)
    const { project: id } = await projects.open(project)
    await rename(project, `${project}-away`)
    fail(Object.assign(new Error('gone'), { code: 'ENOENT' }))
    await soon(() =>
      expect(summary(projects, id)).toMatchObject({
        state: 'gone',
        problems: [expect.stringContaining('There is no folder') as string],
      }),
    )
    await rename(`${project}-away`, project)
    await soon(() => expect(summary(projects, id)).toMatchObject({ state: 'open', watch: 'system', problems: [] }))
  })

  it('keeps what was read when its folder is deleted, and takes up another in its place', async () => {
    await put(STATE, midRun)
    const projects = create()
    const id = await openWatched(projects)
    await rm(project, { recursive: true })
    await soon(() => expect(summary(projects, id)?.state).toBe('gone'))
    expect(stateOf(projects, id)).toBe('running')
    await put(STATE, midRun.replace('"status": "running"', '"status": "failed"'))
    await soon(() => expect(summary(projects, id)?.state).toBe('open'))
    await soon(() => expect(stateOf(projects, id)).toBe('failed'))
    await replace(STATE, midRun)
    await soon(() => expect(stateOf(projects, id)).toBe('running'))
  })

  it('is remembered, with what changed while nobody looked in the journal', async () => {
    await put(STATE, midRun)
    const first = create()
    const { project: id } = await first.open(project)
    await first.closeAll()
    await put(STATE, midRun.replace('"status": "running"', '"status": "failed"'))
    const second = create()
    await second.begin()
    expect(stateOf(second, id)).toBe('failed')
    expect((await journalOf(second, id)).map(({ kind, field }) => [kind, field])).toEqual([
      ['changed', null],
      ['seen', null],
    ])
    await second.close(id)
    expect(summary(second, id)).toMatchObject({ state: 'closed' })
    second.forget(id)
    expect(second.list().projects).toEqual([])
    await expect(journalOf(second, id)).rejects.toThrow('no longer on the list')
  })

  it('that is opened for reading keeps its place among the recent ones', async () => {
    await put(STATE, midRun)
    const projects = create()
    const { project: id } = await projects.open(project)
    const openedAt = summary(projects, id)?.openedAt
    await projects.close(id)
    await vi.waitUntil(() => Date.now() > (openedAt ?? Infinity), { interval: 1 })
    await projects.open(project, true)
    expect(summary(projects, id)?.openedAt).toBe(openedAt)
    await projects.close(id)
    await projects.open(project)
    expect(summary(projects, id)?.openedAt).toBeGreaterThan(openedAt ?? Infinity)
  })

  it('that was opened before the remembered ones were is followed once', async () => {
    await put(STATE, midRun)
    const projects = create()
    const id = await openWatched(projects)
    await projects.begin()
    await replace(STATE, midRun.replace('"status": "running"', '"status": "failed"'))
    await soon(() => expect(stateOf(projects, id)).toBe('failed'))
    // Longer than any second look at it would take.
    await wait(1_000)
    expect((await journalOf(projects, id)).filter(({ field }) => field === '/status')).toHaveLength(1)
  })

  it('shows a file around a line, and nothing that is not in it', async () => {
    await put(STATE, midRun)
    await put('../secret', 'nothing for anybody')
    await put('../one-more/secret', 'nothing for anybody')
    await symlink(join(folder, 'secret'), join(project, 'link'))
    await symlink(folder, join(project, 'up'))
    await symlink(project, join(project, 'loop'))
    const projects = create()
    const { project: id } = await projects.open(project)
    const shown = await projects.ask('projects.file', { project: id, file: STATE, line: 2 })
    expect(shown).toMatchObject({ firstLine: 1, text: midRun, size: midRun.length })
    for (const file of [
      '../secret',
      'link',
      'up/secret',
      '../one-more/secret',
      join(folder, 'secret'),
      'loop/../../secret',
    ]) {
      await expect(projects.ask('projects.file', { project: id, file, line: 1 }), file).rejects.toMatchObject({
        code: 'FORBIDDEN',
      })
    }
    await expect(projects.ask('projects.file', { project: id, file: '.workflow', line: 1 })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await put('picture', '\0')
    await expect(projects.ask('projects.file', { project: id, file: 'picture', line: 1 })).rejects.toMatchObject({
      code: 'INVALID',
    })
    await expect(projects.ask('projects.file', { project: id, file: 'none', line: 1 })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await put('long.txt', Array.from({ length: 50_000 }, (_, index) => `line ${index + 1}`).join('\n'))
    const part = await projects.ask('projects.file', { project: id, file: 'long.txt', line: 30_000 })
    expect(part).toMatchObject({ firstLine: 29_000, lines: 50_000 })
    expect(part.text.split('\n')[1_000]).toBe('line 30000')
  })

  it('is refused in words when there is no such folder, or it is a file', async () => {
    const projects = create()
    await expect(projects.open(join(folder, 'none'))).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await put('a-file', 'text')
    await expect(projects.open(join(project, 'a-file'))).rejects.toMatchObject({ code: 'INVALID' })
    expect(projects.list().projects).toEqual([])
  })

  it('can be one of several', async () => {
    await put(STATE, midRun)
    await put(STATE, midRun.replace('"status": "running"', '"status": "failed"'), join(folder, 'two'))
    const projects = create()
    const one = await projects.open(project)
    const two = await projects.open(join(folder, 'two'))
    expect(await projects.open(project)).toEqual(one)
    expect([stateOf(projects, one.project), stateOf(projects, two.project)]).toEqual(['running', 'failed'])
    await projects.close(one.project)
    expect(() => runsOf(projects, one.project)).toThrow('is not open')
    expect(stateOf(projects, two.project)).toBe('failed')
  })
})
