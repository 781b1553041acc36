/** What a person has git take back for a run, in a real repository: shown first, then done with the run's files, or not at all. */
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { commands } from '@shared/contract/contract'
import type { EditRequest } from '@shared/contract/edits'
import type { Projects } from '../../src-main/orchestration/projects'
import { identifyFolder } from '../../src-main/orchestration/trust'
import { openDatabase, type Database } from '../../src-main/storage/database'
import { projectsHere } from '../support/follower'
import { TestRepository } from '../support/repository'

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
  const session = { sessionId: 's', status: 'halted', currentPhase: 1, gapCount: 0, plan: { tasks: [task], currentTaskIdx: 0 }, variables: {} }
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
  const preview = async () => commands['projects.preview'].output.parse(await projects.ask('projects.preview', { ...at, request }))
  return { at, request, preview, project }
}
const trust = () => projects.setTrusted({ path: repository.root, identity: identifyFolder(repository.root).identity })
const text = (file: string) => readFileSync(join(repository.root, file), 'utf8')

describe('rolling a task back', () => {
  it('is refused while the folder is restricted', async () => {
    const { preview } = await rollback()
    await expect(preview()).rejects.toMatchObject({ code: 'FORBIDDEN', hint: expect.stringContaining('Trust') as string })
  })

  it('shows what git and the files would be, is no plain write, and does both', async () => {
    const { at, request, preview, project } = await rollback()
    trust()
    const shown = await preview()
    expect(shown.git).toContain('Taken back, the newest first:')
    expect(shown.git).toMatch(/Two\n.* One\n/)
    expect(shown.files.map(({ file, hunks }) => [file, hunks.length])).toEqual([['a.txt', 1], [SESSION, expect.any(Number)]])
    expect(shown.files[0]?.hunks[0]?.lines).toEqual(['-c', '+a'])
    expect(repository.git('rev-parse', 'HEAD')).toBe(two)

    await expect(projects.ask('projects.write', { ...at, request, token: shown.token })).rejects.toMatchObject({ code: 'FORBIDDEN' })
    const result = await projects.ask('projects.writeWithGit', { ...at, request, token: shown.token })
    expect(result).toMatchObject({ outcome: 'written', summary: expect.stringContaining('refs/bridgedeck/backup/') as string })
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
    expect(shown.git).toContain('It cannot be done: There are changes that are not committed, in a.txt')
    await expect(projects.ask('projects.writeWithGit', { ...at, request, token: shown.token })).rejects.toMatchObject({ code: 'CONFLICT' })
    expect([repository.state(), text(SESSION)]).toEqual(before)
  })

  it('is not done when it is no longer what was agreed on', async () => {
    const { at, request, preview } = await rollback()
    trust()
    const { token } = await preview()
    const session = text(SESSION)
    repository.put(SESSION, session.replace(`"${two}"`, `"${one}"`))
    const before = repository.state()
    expect(await projects.ask('projects.writeWithGit', { ...at, request, token })).toMatchObject({ outcome: 'conflict' })
    expect(repository.state()).toBe(before)
  })
})
