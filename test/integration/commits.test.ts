/** Commits that the files of a run name, looked up in a real repository beside an agent that writes. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { commands, type Payload } from '@shared/contract/contract'
import type { Projects } from '../../src-main/projects/projects'
import { identifyFolder } from '../../src-main/projects/trust'
import { openDatabase, type Database } from '../../src-main/storage/database'
import { projectsHere } from '../support/projectWorkerHere'
import { TestRepository } from '../support/repository'
import { soon } from '../support/soon'

const KEY = 'metashell:.meta/session.json'
let repository: TestRepository
let folder: string
let database: Database
let projects: Projects
let events: Payload<'projects.changed'>[]

const session = (...tasks: { status: string; commits?: string[] }[]) =>
  JSON.stringify(
    {
      sessionId: 'one',
      status: 'executing',
      currentPhase: 1,
      gapCount: 0,
      plan: {
        tasks: tasks.map((task, index) => ({ id: `01-0${index + 1}`, title: 'A task', dependencies: [], ...task })),
        currentTaskIdx: tasks.length,
      },
      variables: {},
    },
    null,
    2,
  )

beforeEach(() => {
  repository = new TestRepository()
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'bridgedeck-commits-')))
  database = openDatabase(join(folder, 'bridgedeck.sqlite'))
  events = []
  projects = projectsHere(database, { onChanged: (changes) => events.push(changes) })
  repository.put('.meta/context.md', '# Project: Notes\n')
})
afterEach(async () => {
  await projects.closeAll()
  database.close()
  repository.remove()
  rmSync(folder, { recursive: true, force: true })
})

const open = async () => (await projects.open(repository.root)).project
const trust = () => projects.setTrusted({ path: repository.root, identity: identifyFolder(repository.root).identity })
const states = async (project: number, run = KEY) => {
  const { rows } = commands['projects.rows'].output.parse(
    await projects.ask('projects.rows', { project, run, from: 0 }),
  )
  return rows.filter(({ kind }) => kind === 'task').map(({ commitStates }) => commitStates)
}
const findings = async (project: number, run = KEY) =>
  (await projects.ask('projects.run', { project, run })).findings.filter(
    ({ rule }) => rule === 'metashell/commit-exists',
  )

describe('the commits of a run', () => {
  it('are unknown while the folder is restricted, found or missing once it is trusted, and unknown again when it is not', async () => {
    const one = repository.commit('One', { 'a.txt': 'a\n' })
    repository.put(
      '.meta/session.json',
      session(
        { status: 'complete', commits: [one.slice(0, 7), 'facade1'] },
        { status: 'pending', commits: [] },
        { status: 'complete', commits: ['HEAD', 'main'] },
      ),
    )
    const id = await open()
    expect(await states(id)).toEqual([['unknown', 'unknown'], [], ['unknown', 'unknown']])
    expect(await findings(id)).toEqual([])
    const before = (await projects.ask('projects.run', { project: id, run: KEY })).run

    trust()
    await soon(async () => expect(await states(id)).toEqual([['found', 'missing'], [], ['unknown', 'unknown']]))
    expect(await findings(id)).toEqual([
      {
        file: '.meta/session.json',
        line: 13,
        column: 1,
        rule: 'metashell/commit-exists',
        severity: 'warning',
        found: 'commit "facade1", which does not exist',
        expected: 'a commit of the repository, as task "01-01" says that it is done',
        repair: null,
      },
    ])
    const { run } = await projects.ask('projects.run', { project: id, run: KEY })
    expect(run.findings.warning).toBe(before.findings.warning + 1)
    expect(run.revision).toBeGreaterThan(before.revision)
    await expect.poll(() => events.flatMap(({ runs }) => runs).at(-1)?.run.findings.warning).toBe(run.findings.warning)

    projects.distrust(id)
    await soon(async () => expect(await states(id)).toEqual([['unknown', 'unknown'], [], ['unknown', 'unknown']]))
    expect(await findings(id)).toEqual([])
  })

  it('say who made them, when and of which files, in a trusted folder only', async () => {
    const one = repository.commit('One\n\nBecause.', { 'a.txt': 'a\n' })
    repository.put('.meta/session.json', session({ status: 'complete', commits: [one] }))
    const two = repository.commit('Two')
    const id = await open()
    const of = { project: id, run: KEY }
    await expect(projects.ask('projects.commit', { ...of, commit: one })).rejects.toMatchObject({ code: 'FORBIDDEN' })
    trust()
    const named = await projects.ask('projects.namedCommits', { ...of, names: [one.slice(0, 9), 'facade1'] })
    expect(named.commits).toMatchObject([{ commit: one, author: 'Ada', subject: 'One' }])
    const { commits, hasMore } = await projects.ask('projects.commits', { ...of, from: null, to: null })
    expect([commits.map(({ commit }) => commit), hasMore]).toEqual([[two, one], false])
    const answer = await projects.ask('projects.commit', { ...of, commit: one.slice(0, 9) })
    expect(commands['projects.commit'].output.parse(answer)).toMatchObject({
      commit: one,
      body: 'Because.',
      isCut: false,
      moreFiles: 0,
      files: expect.arrayContaining([{ path: 'a.txt', added: 1, deleted: 0 }]) as unknown,
    })
    await expect(projects.ask('projects.commit', { ...of, commit: 'facade1' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('of a task are shown as one difference, without what others changed between them', async () => {
    repository.put('.meta/session.json', session({ status: 'complete' }))
    const list = (...changed: string[]) => Array.from({ length: 20 }, (_, at) => changed[at] ?? `line ${at}`).join('\n')
    repository.commit('Begin', { 'a.txt': list() })
    const one = repository.commit('One', { 'a.txt': list('ONE') })
    repository.commit('Of others', { 'a.txt': list('ONE', ...Array<string>(18).fill('x')), 'theirs.txt': 'theirs\n' })
    repository.commit('Taken back', { 'a.txt': list('ONE') })
    const two = repository.commit('Two', { 'a.txt': list('TWO'), 'b.txt': 'b\n' })
    const later = repository.commit('Later', { 'theirs.txt': 'changed\n' })
    trust()
    const of = { project: await open(), run: KEY }
    const answer = await projects.ask('projects.difference', { ...of, commits: [two, one.slice(0, 9), 'facade1'] })
    const { files, diff } = commands['projects.difference'].output.parse(answer)
    expect(files).toEqual([
      { path: 'a.txt', added: 1, deleted: 1 },
      { path: 'b.txt', added: 1, deleted: 0 },
    ])
    expect(diff).toContain('-line 0\n+TWO')
    await expect(projects.ask('projects.difference', { ...of, commits: [one, later] })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    await expect(projects.ask('projects.difference', { ...of, commits: ['facade1'] })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('are cut where they are very large', async () => {
    repository.put('.meta/session.json', session({ status: 'complete' }))
    const large = repository.commit(
      'Large',
      Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`files/${index}.txt`, 'text\n'.repeat(200)])),
    )
    trust()
    const id = await open()
    const answer = commands['projects.commit'].output.parse(
      await projects.ask('projects.commit', { project: id, run: KEY, commit: large }),
    )
    expect([answer.files.length + answer.moreFiles, answer.isCut]).toEqual([602, true])
  })

  it('are looked for again when the files change: what was missing may have come', async () => {
    repository.commit('One', { 'a.txt': 'a\n' })
    repository.put('.meta/session.json', session({ status: 'complete', commits: ['facade1'] }))
    trust()
    const id = await open()
    await soon(async () => expect(await states(id)).toEqual([['missing']]))
    const two = repository.commit('Two', { 'a.txt': 'b\n' })
    repository.put('.meta/session.json', session({ status: 'complete', commits: [two] }))
    await soon(async () => expect(await states(id)).toEqual([['found']]))
    expect(await findings(id)).toEqual([])
  })

  it('are unknown without a repository, and those that a shallow clone lacks', async () => {
    const one = repository.commit('One', { 'a.txt': 'a\n' })
    const two = repository.commit('Two', { 'a.txt': 'b\n' })
    repository.put('clone/.gitkeep', '')
    repository.git('clone', '--quiet', '--depth=1', `file://${repository.root}`, join(repository.root, 'clone/shallow'))
    const shallow = 'clone/shallow'
    repository.put(`${shallow}/.meta/context.md`, '# Project: Shallow\n')
    repository.put(`${shallow}/.meta/session.json`, session({ status: 'complete', commits: [one, two] }))
    rmSync(join(repository.root, '.git'), { recursive: true })
    repository.put('.meta/session.json', session({ status: 'complete', commits: [one] }))
    trust()
    const id = await open()
    await soon(async () =>
      expect(await states(id, `metashell:${shallow}/.meta/session.json`)).toEqual([['unknown', 'found']]),
    )
    expect(await states(id)).toEqual([['unknown']])
  })
})
