/** What a person has git take back for a run, in a real repository: shown first, then done with the run's files, or not at all. */
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { commands } from '@shared/contract/contract'
import type { EditRequest, WriteResult } from '@shared/contract/edits'
import type { Projects } from '../../src-main/projects/projects'
import { identifyFolder } from '../../src-main/projects/trust'
import { openDatabase, type Database } from '../../src-main/storage/database'
import { projectsHere } from '../support/projectWorkerHere'
import { GitShim } from '../support/gitShim'
import { TestRepository } from '../support/repository'
import { runTypescript } from '../support/runTypescript'

const SESSION = '.meta/session.json'
let repository: TestRepository
let folder: string
let database: Database
let projects: Projects
let one: string
let two: string

beforeEach(() => {
  repository = new TestRepository()
  repository.commit('Base', { 'a.txt': 'a\n', '.gitignore': '.meta/\n' })
  one = repository.commit('One', { 'a.txt': 'b\n' })
  two = repository.commit('Two', { 'a.txt': 'c\n' })
  repository.put('.meta/context.md', '# Project: Notes\n')
  const task = { id: '01-01', title: 'Add an index', status: 'failed', dependencies: [], commits: [one, two] }
  const session = {
    sessionId: 's',
    status: 'halted',
    currentPhase: 1,
    gapCount: 0,
    plan: { tasks: [task], currentTaskIdx: 0 },
    variables: {},
  }
  repository.put(SESSION, JSON.stringify(session, null, 2))
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'bridgedeck-actions-')))
  database = openDatabase(join(folder, 'bridgedeck.sqlite'))
  projects = projectsHere(database)
})
afterEach(async () => {
  await projects.closeAll()
  database.close()
  repository.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** The run, and what takes the commits of its task back. */
async function rollback() {
  const { project } = await projects.open(repository.root)
  const [run] = projects.runs({ project, after: null }).runs
  const at = { project, run: run?.key ?? '' }
  const { actions } = await projects.ask('projects.actions', { ...at, target: null })
  const action = actions.find(({ title }) => /roll/i.test(title))
  if (!action) throw new Error(`None of these rolls back: ${actions.map(({ title }) => title).join(', ')}`)
  const request: EditRequest = { kind: 'action', name: action.name, target: action.target, values: {} }
  const preview = async () =>
    commands['projects.preview'].output.parse(await projects.ask('projects.preview', { ...at, request }))
  return { at, request, preview, project }
}
const trust = () => projects.setTrusted({ path: repository.root, identity: identifyFolder(repository.root).identity })
const text = (file: string) => readFileSync(join(repository.root, file), 'utf8')

describe('rolling a task back', () => {
  it('is refused while the folder is restricted', async () => {
    const { preview } = await rollback()
    await expect(preview()).rejects.toMatchObject({
      code: 'FORBIDDEN',
      hint: expect.stringContaining('Trust') as string,
    })
  })

  it('shows what git and the files would be, is no plain write, and does both', async () => {
    const { at, request, preview, project } = await rollback()
    trust()
    const shown = await preview()
    expect(shown.git).toContain('Commits to undo, newest first:')
    expect(shown.git).toMatch(/Two\n.* One\n/)
    expect(shown.files.map(({ file, hunks }) => [file, hunks.length])).toEqual([
      ['a.txt', 1],
      [SESSION, expect.any(Number)],
    ])
    expect(shown.files[0]?.hunks[0]?.lines).toEqual(['-c', '+a'])
    expect(repository.git('rev-parse', 'HEAD')).toBe(two)

    await expect(projects.ask('projects.write', { ...at, request, token: shown.token })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
    const result = await projects.ask('projects.writeWithGit', { ...at, request, token: shown.token })
    expect(result).toMatchObject({
      outcome: 'written',
      summary: expect.stringContaining('refs/bridgedeck/backup/') as string,
    })
    expect(text('a.txt')).toBe('a\n')
    expect(repository.git('log', '-2', '--format=%s').split('\n')).toEqual(['Revert "One"', 'Revert "Two"'])
    const session = JSON.parse(text(SESSION)) as { plan: { tasks: { status: string; commits: string[] }[] } }
    expect(session.plan.tasks[0]).toMatchObject({ status: 'pending', commits: [] })
    expect((await projects.ask('projects.edits', { project, run: at.run })).edits[0]?.files).toEqual([SESSION])
  })

  it('changes nothing when git cannot do its part, and says why', async () => {
    const { at, request, preview } = await rollback()
    trust()
    writeFileSync(join(repository.root, 'a.txt'), 'in the middle of it\n')
    const before = [repository.state(), text(SESSION)]
    const shown = await preview()
    expect(shown.git).toContain('Cannot do this now: There are changes that are not committed, in a.txt')
    await expect(projects.ask('projects.writeWithGit', { ...at, request, token: shown.token })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    expect([repository.state(), text(SESSION)]).toEqual(before)
  })

  it('is not done when it is no longer what was agreed on', async () => {
    const { at, request, preview } = await rollback()
    trust()
    const { token } = await preview()
    const session = text(SESSION)
    repository.put(SESSION, session.replace(`"${two}"`, `"${one}"`))
    const before = repository.state()
    expect(await projects.ask('projects.writeWithGit', { ...at, request, token })).toMatchObject({
      outcome: 'conflict',
    })
    expect(repository.state()).toBe(before)
  })
})

describe('a rollback that is taken back', () => {
  const undo = async (at: { project: number; run: string }, edit: number) => {
    const answer = commands['projects.undo'].output.parse(
      await projects.ask('projects.undo', { project: at.project, edit }),
    )
    if (answer.outcome !== 'git') throw new Error(`It was ${answer.outcome}`)
    return {
      shown: answer.preview,
      agree: () =>
        projects.ask('projects.writeWithGit', { ...at, request: { kind: 'undo', edit }, token: answer.preview.token }),
    }
  }
  const editOf = ({ outcome, ...result }: WriteResult) =>
    'edit' in result ? result.edit : expect.fail(`It was ${outcome}`)
  async function rolledBack() {
    const { at, request, preview } = await rollback()
    trust()
    const edit = editOf(await projects.ask('projects.writeWithGit', { ...at, request, token: (await preview()).token }))
    return { at, edit }
  }
  const tasks = () =>
    (JSON.parse(text(SESSION)) as { plan: { tasks: { status: string; commits: string[] }[] } }).plan.tasks

  it('is shown and agreed to as it was, and then branch, files and session are what they were', async () => {
    const before = text(SESSION)
    const { at, edit } = await rolledBack()
    const { shown, agree } = await undo(at, edit)
    expect(shown.git).toMatch(
      /^git reset --keep refs\/bridgedeck\/backup\/\w+\nCommits to undo, newest first:\n.*Revert "One"\n.*Revert "Two"\n/,
    )
    expect(shown.files.map(({ file }) => file)).toEqual(['a.txt', SESSION])
    expect(tasks()[0]).toMatchObject({ status: 'pending' })
    await expect(
      projects.ask('projects.write', { ...at, request: { kind: 'undo', edit }, token: shown.token }),
    ).rejects.toMatchObject({ code: 'FORBIDDEN' })
    const again = editOf(await agree())
    expect([repository.git('rev-parse', 'HEAD'), text('a.txt'), text(SESSION)]).toEqual([two, 'c\n', before])
    const { edits } = await projects.ask('projects.edits', at)
    expect(edits.map(({ edit: number, undoneAt }) => [number, undoneAt === null])).toEqual([
      [again, true],
      [edit, false],
    ])
    await expect(undo(at, edit)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('already undone') as string,
    })
    // And taken back in its turn.
    await (await undo(at, again)).agree()
    expect(repository.git('log', '-1', '--format=%s')).toBe('Revert "One"')
    expect(tasks()[0]).toMatchObject({ status: 'pending', commits: [] })
  })

  it('is refused with what is in the way and the command that does it', async () => {
    const { at, edit } = await rolledBack()
    repository.commit('Since', { 'b.txt': 'b\n' })
    const before = [repository.state(), text(SESSION)]
    const { shown, agree } = await undo(at, edit)
    expect(shown.git).toMatch(
      /Cannot do this now: The branch has moved since, with a commit up to \w+ “Since”\..* git reset --hard refs\/bridgedeck\/backup\//,
    )
    await expect(agree()).rejects.toMatchObject({ code: 'CONFLICT' })
    expect([repository.state(), text(SESSION)]).toEqual(before)
  })
})

describe.skipIf(process.platform === 'win32')('a Bridgedeck that is killed in the middle of a rollback', () => {
  let shim: GitShim
  beforeEach(() => {
    shim = new GitShim()
  })
  afterEach(() => shim.remove())

  async function killed(when: 'before' | 'after', command: string, name: string, target: string) {
    shim.at(when, command, 'kill -9 $PPID; exit 1')
    const child = runTypescript(
      resolve('test/peers/rollbackWriter.ts'),
      [join(folder, 'bridgedeck.sqlite'), repository.root, name, target],
      { ...process.env, PATH: shim.path, TMPDIR: folder },
    )
    const [, signal] = (await once(child, 'close')) as [number | null, string | null]
    expect(signal).toBe('SIGKILL')
    const { project } = await projects.open(repository.root)
    const at = { project, run: projects.runs({ project, after: null }).runs[0]?.key ?? '' }
    const { edits } = await projects.ask('projects.edits', at)
    return { at, edit: edits[0] ?? expect.fail('It is not on the list') }
  }

  it('after git’s part says that it was begun, and done again does what is left', async () => {
    const { project } = await projects.open(repository.root)
    trust()
    await projects.close(project)
    const { edit } = await killed('after', 'merge', 'roll-back', '01-01')
    expect(edit.summary).toMatch(
      /^Started, outcome unknown: Rolled back task 01-01 \(before: refs\/bridgedeck\/backup\/\w+\)$/,
    )
    expect(repository.git('log', '-1', '--format=%s')).toBe('Revert "One"')
    expect(text(SESSION)).toContain('failed')
    const { at, request, preview } = await rollback()
    const shown = await preview()
    expect(shown.git).toContain('git has nothing to do')
    await projects.ask('projects.writeWithGit', { ...at, request, token: shown.token })
    expect(JSON.parse(text(SESSION))).toMatchObject({
      plan: { tasks: [{ status: 'pending', commits: [] }] },
      variables: { reverted_commits: [one, two] },
    })
    expect(repository.git('rev-list', '--count', `${two}..HEAD`)).toBe('2')
  })

  it('after git’s part can be taken back, and before it has nothing to be taken back', async () => {
    const { project } = await projects.open(repository.root)
    trust()
    await projects.close(project)
    const before = text(SESSION)
    const first = await killed('before', 'merge', 'roll-back', '01-01')
    const nothing = await projects.ask('projects.undo', { project: first.at.project, edit: first.edit.edit })
    expect(nothing).toMatchObject({
      outcome: 'git',
      preview: { git: expect.stringContaining('The branch is already at') as string },
    })
    await projects.close(first.at.project)
    expect(repository.git('log', '-1', '--format=%s')).toBe('Two')
    const { at, edit } = await killed('after', 'merge', 'roll-back', '01-01')
    const answer = await projects.ask('projects.undo', { project: at.project, edit: edit.edit })
    if (answer.outcome !== 'git') throw new Error(`It was ${answer.outcome}`)
    await projects.ask('projects.writeWithGit', {
      ...at,
      request: { kind: 'undo', edit: edit.edit },
      token: answer.preview.token,
    })
    expect([repository.git('rev-parse', 'HEAD'), text('a.txt'), text(SESSION)]).toEqual([two, 'c\n', before])
  })
})
