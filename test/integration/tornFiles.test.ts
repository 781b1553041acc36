/** State files that were torn: a need of their own, and their last good version as an offer. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { inspectProject } from '../../src-main/projects/read/inspectProject'
import type { Projects } from '../../src-main/projects/projects'
import { openDatabase, type Database } from '../../src-main/storage/database'
import { projectsHere } from '../support/projectWorkerHere'

let folder: string
let root: string
let database: Database
const opened: Projects[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridgedeck-torn-'))
  root = join(folder, 'project')
  database = openDatabase(join(folder, 'bridgedeck.sqlite'))
})
afterEach(async () => {
  for (const projects of opened.splice(0)) await projects.closeAll()
  database.close()
  await rm(folder, { recursive: true, force: true })
})

async function put(file: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(root, file)), { recursive: true })
  await writeFile(join(root, file), content)
}
const read = (file: string) => readFile(join(root, file), 'utf8')

async function open(run: string) {
  const projects = projectsHere(database)
  opened.push(projects)
  const { project } = await projects.open(root)
  const at = { project, run }
  return {
    needs: async () => (await projects.ask('projects.run', at)).run.needs,
    actions: async () => (await projects.ask('projects.actions', { ...at, target: null })).actions,
    undo: (edit: number) => projects.ask('projects.undo', { project, edit }),
    restore: async (target: string) => {
      const request = { kind: 'action' as const, name: 'restore-version', target, values: {} }
      const { token } = await projects.ask('projects.preview', { ...at, request })
      return projects.ask('projects.write', { ...at, request, token })
    },
    close: () => projects.closeAll(),
  }
}

const fixture = (name: string) => readFile(join('test/fixtures', name), 'utf8')
const session = JSON.stringify(
  { sessionId: 'x', status: 'planning', currentPhase: 1, gapCount: 0, variables: {} },
  null,
  2,
)
const tuningRun = '.workflow/.scratchpad/skill-tuning-20260210080000'
const samples: readonly (readonly [run: string, file: string, load: () => Promise<string>])[] = [
  ['metashell:.meta/session.json', '.meta/session.json', () => Promise.resolve(session)],
  ['ncrew:.noodlecrew', 'INDEX.md', () => fixture('spec002/INDEX.md')],
  [
    'maestro:.gemini/state/active-session.md',
    '.gemini/state/active-session.md',
    () => fixture('spec003/active-session.md'),
  ],
  [`tuning:${tuningRun}`, `${tuningRun}/state.json`, () => fixture('spec004/mid-run.json')],
]

async function prepare(file: string, load: () => Promise<string>): Promise<string> {
  const good = await load()
  await put('.noodlecrew/tasks.md', '## Discovery Phase\n- [ ] a\n')
  await put(file, good)
  return good
}

const asTorn: readonly (readonly [string, (good: string) => string | Uint8Array])[] = [
  ['cut off', (good) => good.slice(0, good.indexOf('status') + 3)],
  ['empty', () => ''],
  ['full of zeros', (good) => new Uint8Array(good.length)],
]

describe.each(samples)('%s', (run, file, load) => {
  it.each(asTorn)('needs the person while it is %s, and its last good version can be put back', async (_, tear) => {
    const good = await prepare(file, load)
    const { needs, actions, restore, undo } = await open(run)
    expect(await needs()).not.toContainEqual(expect.objectContaining({ kind: 'unreadable' }))
    const torn = tear(good)
    await put(file, torn)
    await vi.waitFor(
      async () => expect(await needs()).toContainEqual(expect.objectContaining({ kind: 'unreadable' })),
      60_000,
    )
    const unreadable = (await needs()).filter(({ kind }) => kind === 'unreadable')
    expect(unreadable.map(({ source }) => source.file)).toEqual([file])
    const offered = (await actions()).find(({ name }) => name === 'restore-version')
    expect(offered).toMatchObject({ target: file, answersNeed: true, source: { file } })
    const result = await restore(file)
    expect(result.outcome).toBe('written')
    expect(await read(file)).toBe(good)
    await vi.waitFor(
      async () => expect(await needs()).not.toContainEqual(expect.objectContaining({ kind: 'unreadable' })),
      60_000,
    )
    expect((await actions()).map(({ name }) => name)).not.toContain('restore-version')
    if (result.outcome === 'written') await undo(result.edit)
    expect(await readFile(join(root, file))).toEqual(Buffer.from(torn))
  })
})

describe('a status that its format does not have', () => {
  it.each(samples.filter(([run]) => !run.startsWith('ncrew')))('is a need of %s', async (run, file, load) => {
    const good = await prepare(file, load)
    await put(file, good.replace(/("?status"?: )"\w+"/, '$1"blocked"'))
    const { needs } = await open(run)
    expect(await needs()).toContainEqual(
      expect.objectContaining({ kind: 'unreadable', title: 'Unknown status "blocked"' }),
    )
  })
})

describe('a file that is torn when its project is opened', () => {
  it('is put back from what was seen of it before', async () => {
    const [run, file, load] = samples[0] ?? ['', '', () => Promise.resolve('')]
    const good = await prepare(file, load)
    await (await open(run)).close()
    await put(file, good.slice(0, 30))
    const again = await open(run)
    expect((await again.needs()).map(({ kind }) => kind)).toContain('unreadable')
    await again.restore(file)
    expect(await read(file)).toBe(good)
  })

  it('is a need without an offer where nothing was seen of it', async () => {
    await put('.meta/session.json', session.slice(0, 30))
    const { needs, actions, restore } = await open('metashell:.meta/session.json')
    expect(await needs()).toMatchObject([{ kind: 'unreadable', source: { file: '.meta/session.json' } }])
    expect((await actions()).map(({ name }) => name)).not.toContain('restore-version')
    await expect(restore('.meta/session.json')).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('is a need for the command line, and none in an archive', async () => {
    await put('.meta/session.json', session.slice(0, 30))
    await put('archive/.meta/session.json', session.slice(0, 30))
    const { runs } = await inspectProject(root, () => () => new Map(), new AbortController().signal)
    expect(runs.map(({ view }) => [view.archived, view.needs.map(({ kind }) => kind)]).sort()).toEqual([
      [false, ['unreadable']],
      [true, []],
    ])
  })
})
