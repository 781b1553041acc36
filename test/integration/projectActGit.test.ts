/** What git does for a run, from the command line: shown first, done with --yes, and never in a folder that is not trusted. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { callHere } from '../support/callHere'
import { TestRepository } from '../support/repository'

let repository: TestRepository
let data: string
let first: string
let second: string

const example = (path: string) => readFileSync(resolve('test/fixtures', path), 'utf8')

beforeEach(() => {
  repository = new TestRepository()
  data = mkdtempSync(join(tmpdir(), 'bridgedeck-act-'))
  first = repository.commit('Base', {
    'INDEX.md': example('spec002/INDEX.md'),
    'tasks.md': example('spec002/tasks.md'),
    'docs/prd.md': 'One\n',
  })
  second = repository.commit('A task', { 'docs/prd.md': 'Two\n' })
})
afterEach(() => {
  repository.remove()
  rmSync(data, { recursive: true, force: true })
})

const bridgedeck = (...words: string[]) =>
  callHere(words, { environment: { ...process.env, BRIDGEDECK_DATA: data, INIT_CWD: repository.root } })
const act = (action: string, ...words: string[]) => bridgedeck('project', 'act', '.', '--action', action, ...words)
const trust = async () => expect(await bridgedeck('project', 'trust', '.', '--yes')).toMatchObject({ code: 0 })
const head = () => repository.git('rev-parse', 'HEAD')

describe('project act', () => {
  it('runs no git in a restricted folder, with --yes neither', async () => {
    const before = repository.state()
    for (const words of [[], ['--yes']]) {
      expect(await act('undo-iteration', ...words)).toMatchObject({
        code: 8,
        stdout: '',
        stderr: expect.stringContaining('is restricted: Bridgedeck runs nothing there') as string,
      })
    }
    expect(repository.state()).toBe(before)
  })

  it('shows what the last commit’s undoing would change, and does it when told to', async () => {
    await trust()
    const before = repository.state()
    const shown = await act('undo-iteration')
    expect(shown).toMatchObject({ code: 0, stderr: '' })
    expect(shown.stdout).toContain(`git reset --hard ${first}`)
    expect(shown.stdout).toMatch(
      new RegExp(
        `^${second.slice(0, 10)} .* A task$[^]*^\\+\\+\\+ b/docs/prd\\.md$[^]*^-Two\n\\+One$[^]*Add --yes`,
        'm',
      ),
    )
    expect(repository.state()).toBe(before)

    const done = await act('undo-iteration', '--yes')
    expect(done).toMatchObject({ code: 0, stderr: '' })
    const [backup = ''] = /refs\/bridgedeck\/backup\/\w+/.exec(done.stdout) ?? []
    expect(repository.git('rev-parse', backup)).toBe(second)
    expect(head()).toBe(first)
    expect(readFileSync(join(repository.root, 'docs/prd.md'), 'utf8')).toBe('One\n')
  })

  it('goes back to a commit that is named, and says what is none', async () => {
    await trust()
    repository.commit('Another task', { 'docs/prd.md': 'Three\n' })
    expect(await act('reset', '--set', 'commit=main')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not a commit hash') as string,
    })
    expect((await act('reset', '--set', `commit=${first}`, '--yes')).code).toBe(0)
    expect(head()).toBe(first)
  })

  it('puts away what is not committed', async () => {
    await trust()
    repository.put('docs/prd.md', 'Half\n')
    repository.put('left.txt', 'x\n')
    expect((await act('discard-turn')).stdout).toMatch(/^-Half$/m)
    expect((await act('discard-turn', '--yes')).code).toBe(0)
    expect(repository.git('status', '--porcelain')).toBe('')
    expect(head()).toBe(second)
  })

  it('ends with 1 where git cannot do it, and with 6 when it is to be done all the same', async () => {
    await trust()
    repository.put('.meta/context.md', '# Project: Notes\n')
    const task = { id: '01-01', title: 'Write', status: 'failed', dependencies: [], commits: [second] }
    repository.put(
      '.meta/session.json',
      JSON.stringify(
        {
          sessionId: 's',
          status: 'halted',
          currentPhase: 1,
          gapCount: 0,
          plan: { tasks: [task], currentTaskIdx: 0 },
          variables: {},
        },
        null,
        2,
      ),
    )
    repository.put('docs/prd.md', 'In the middle of it\n')
    const before = repository.state()
    const shown = await act('roll-back')
    expect(shown).toMatchObject({ code: 1, stderr: '' })
    expect(shown.stdout).toContain('Cannot do this now: There are changes that are not committed, in docs/prd.md')
    expect(await act('roll-back', '--yes')).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('Nothing was changed.') as string,
    })
    expect(repository.state()).toBe(before)
  })
})
