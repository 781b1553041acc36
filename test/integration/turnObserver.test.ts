/** What a turn is recorded to have done, in real git repositories. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { runHold } from '@shared/runHold'
import { turnRecords, type TurnRecord } from '@shared/turnRecord'
import type { AgentResult } from '../../src-main/agents/agent'
import { newRun } from '../../src-main/agents/agentRun'
import { suggestedAgent } from '../../src-main/agents/agentSetups'
import { TestRepository } from '../support/repository'
import { findingsOf, TurnObserver } from '../../src-main/loops/turnObserver'
import { TreeAgents } from '../../src-main/loops/treeAgents'
import { TurnStore } from '../../src-main/loops/turnStore'

let repository: TestRepository
let values: Map<string, string>
/** What became of the run of an agent that a host which ended had asked for. */
let adopted: AgentResult | null
let said: string[]
let trees: TreeAgents
const remembered = {
  get: (name: string) => values.get(name),
  set: (changes: Readonly<Record<string, string | null>>) => {
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) values.delete(name)
      else values.set(name, value)
    }
  },
}
const store = () => new TurnStore({ own: repository.root, remembered }, z.unknown())
const records = () => turnRecords(remembered)
const result: AgentResult = {
  status: 'success',
  data: '',
  reason: '',
  tokens: null,
  cost: null,
  duration: 1,
  exitCode: 0,
  stillAlive: [],
  log: 'run-1',
}
const observer = (file?: (record: TurnRecord) => Promise<void>) =>
  new TurnObserver({
    work: {
      trusted: () => repository.trusted,
      log: (_level, text) => void said.push(text),
      adopt: () => Promise.resolve(adopted),
      remembered,
      holds: remembered,
      elsewhere: trees.elsewhere(repository.root, 'mine'),
    },
    turns: store(),
    ignored: ['.meta'],
    ...(file ? { file } : {}),
  })
const turnOf = (act: () => void, task: string | null = '02') =>
  observer().observe({ role: 'executor', task }, () => {
    act()
    return Promise.resolve(result)
  })

beforeEach(() => {
  repository = new TestRepository()
  values = new Map()
  adopted = null
  said = []
  trees = new TreeAgents()
})
afterEach(() => repository.remove())

describe('a turn', () => {
  it('has the commits made in it, the oldest first, whoever reports them', async () => {
    const before = repository.commit('Begin', { 'a.txt': 'a' })
    const made: string[] = []
    const { record } = await turnOf(() => {
      made.push(repository.commit('One', { 'b.txt': 'b' }), repository.commit('Two', { 'c.txt': 'c' }))
    })
    expect(record).toMatchObject({
      role: 'executor',
      task: '02',
      log: 'run-1',
      commits: made,
      elsewhere: [],
      left: [],
      uncommitted: [],
      before: { head: before, branch: 'main' },
      after: { head: made[1], branch: 'main' },
    })
    expect(records()).toEqual([{ ...record, number: 1 }])
    expect(said).toEqual([])
  })

  it('that pulls has its own commits and its merge, pushed or not, and none of those that others made', async () => {
    repository.commit('Begin', { 'a.txt': 'a' })
    const other = new TestRepository()
    try {
      repository.git('remote', 'add', 'origin', other.root)
      other.git('pull', '--quiet', repository.root, 'main')
      other.git('checkout', '--quiet', '-b', 'theirs')
      const theirs = other.commit('Of somebody else', { 'b.txt': 'b' })
      const own: string[] = []
      const { record } = await turnOf(() => {
        own.push(repository.commit('Own', { 'c.txt': 'c' }))
        repository.git('pull', '--quiet', '--no-rebase', '--no-edit', 'origin', 'theirs')
        own.push(repository.git('rev-parse', 'HEAD'))
        repository.git('push', '--quiet', 'origin', 'main:ours')
      })
      expect(new Set(record?.commits)).toEqual(new Set(own))
      expect(record?.elsewhere).toEqual([])
      const { record: ahead } = await turnOf(() => {
        other.commit('Later', { 'd.txt': 'd' })
        repository.git('fetch', '--quiet', 'origin', 'theirs:theirs')
      })
      expect([ahead?.commits, ahead?.elsewhere]).toEqual([[], []])
      expect(own).not.toContain(theirs)
    } finally {
      other.remove()
    }
  })

  it('that checks out a branch has none of the commits that the branch had before', async () => {
    repository.commit('Begin', { 'a.txt': 'a' })
    repository.git('checkout', '--quiet', '-b', 'other')
    repository.commit('Of somebody else', { 'b.txt': 'b' })
    repository.git('checkout', '--quiet', 'main')
    const { record } = await turnOf(() => repository.git('checkout', '--quiet', 'other'))
    expect(record).toMatchObject({ commits: [], elsewhere: [], after: { branch: 'other' } })
    expect(said).toEqual([expect.stringContaining('from main to other')])
  })

  it('has what it committed on another branch apart', async () => {
    repository.commit('Begin', { 'a.txt': 'a' })
    let aside = ''
    const { record } = await turnOf(() => {
      repository.git('checkout', '--quiet', '-b', 'aside')
      aside = repository.commit('Aside', { 'b.txt': 'b' })
      repository.git('checkout', '--quiet', 'main')
    })
    expect(record).toMatchObject({ commits: [], elsewhere: [aside] })
    expect(said).toEqual([expect.stringContaining(aside.slice(0, 10))])
  })

  it('that amends a commit has the new one, and took the old one off the branch', async () => {
    repository.commit('Begin', { 'a.txt': 'a' })
    const old = repository.commit('One', { 'b.txt': 'b' })
    const { record } = await turnOf(() => {
      repository.put('b.txt', 'better')
      repository.git('commit', '--quiet', '--all', '--amend', '-m', 'One')
    })
    expect(record).toMatchObject({ commits: [repository.git('rev-parse', 'HEAD')], left: [old] })
    expect(said).toEqual([expect.stringContaining(`took 1 commit off the branch: ${old.slice(0, 10)}`)])
  })

  it('that takes a commit of another task off the branch holds the run, until the person has looked', async () => {
    repository.commit('Begin', { 'a.txt': 'a' })
    const { record: first } = await turnOf(() => void repository.commit('One', { 'one.txt': '1' }), '01')
    const [lost = ''] = first?.commits ?? []
    await turnOf(() => {
      repository.git('reset', '--quiet', '--hard', 'HEAD~1')
      repository.commit('Two', { 'two.txt': '2' })
    })
    expect(runHold(remembered)).toMatchObject({
      kind: 'lost-commits',
      message: `The executor of task 02 took 1 commit off the branch: ${lost.slice(0, 10)}.`,
    })
  })

  it('that replaces a commit of an earlier attempt at its task holds nothing', async () => {
    repository.commit('Begin', { 'a.txt': 'a' })
    await turnOf(() => void repository.commit('One', { 'one.txt': '1' }))
    await turnOf(() => {
      repository.put('one.txt', 'better')
      repository.git('commit', '--quiet', '--all', '--amend', '-m', 'One')
    })
    expect(runHold(remembered)).toBeUndefined()
  })

  it('after which the repository is gone holds the run', async () => {
    repository.commit('Begin', { 'a.txt': 'a' })
    const { record } = await turnOf(() => rmSync(join(repository.root, '.git'), { recursive: true }))
    expect(record).toMatchObject({ commits: [], left: [] })
    expect(runHold(remembered)?.message).toBe(
      'The git repository was there before the turn of the executor, and is gone.',
    )
    expect(said).toEqual([])
  })

  it('in a folder without a repository says nothing of git', async () => {
    rmSync(join(repository.root, '.git'), { recursive: true })
    await turnOf(() => repository.put('a.txt', 'a'))
    expect(said).toEqual([])
    expect(runHold(remembered)).toBeUndefined()
  })

  it('leaves files uncommitted that were not before, its own folder apart', async () => {
    repository.commit('Begin', { 'a.txt': 'a', 'old.txt': 'old' })
    repository.put('old.txt', 'changed by the person')
    const { record } = await turnOf(() => {
      repository.put('a.txt', 'changed')
      repository.put('with space.txt', 'new')
      repository.put('.meta/session.json', '{}')
    })
    expect(record?.uncommitted).toEqual(['a.txt', 'with space.txt'])
    expect(said).toEqual(['The executor of task 02 left uncommitted changes in a.txt, with space.txt.'])
  })

  it('has the first commits of a repository that it made', async () => {
    repository.remove()
    repository = new TestRepository()
    const { record } = await turnOf(() => repository.commit('First', { 'a.txt': 'a' }))
    expect(record).toMatchObject({ before: { head: null }, commits: [repository.git('rev-parse', 'HEAD')] })
  })

  it('after which git cannot read the repository has no record, and took nothing off the branch', async () => {
    repository.commit('Begin', { 'a.txt': 'a' })
    const { record } = await turnOf(() => repository.put('.git/index', 'not an index'))
    expect(record).toBeNull()
    expect(records()).toEqual([])
    expect(store().openTurn).toBeUndefined()
    expect(said).toEqual([expect.stringContaining('git status failed')])
  })

  it('that brings in a long history has the newest thousand of its commits', async () => {
    let made: string[] = []
    const { record } = await turnOf(() => {
      made = repository.import(Array.from({ length: 1_002 }, (_, index) => ({ message: `${index}`, files: {} })))
    })
    expect(record?.commits).toEqual(made.slice(2))
  })

  it('that ends with an error is recorded as well', async () => {
    repository.commit('Begin', { 'a.txt': 'a' })
    const failed = observer().observe({ role: 'executor', task: '02' }, () => {
      repository.commit('Half', { 'b.txt': 'b' })
      return Promise.reject(new Error('gone'))
    })
    await expect(failed).rejects.toThrow('gone')
    expect(records()).toMatchObject([{ commits: [repository.git('rev-parse', 'HEAD')], log: '' }])
  })

  it('that was cut off with its host is settled by the next one, and filed before it is over', async () => {
    repository.commit('Begin', { 'a.txt': 'a' })
    void observer().observe({ role: 'executor', task: '02' }, () => new Promise(() => undefined))
    await expect.poll(() => store().openTurn).toBeDefined()
    const made = repository.commit('Before the crash', { 'b.txt': 'b' })
    const filed: boolean[] = []
    await observer((record) => {
      filed.push(store().openTurn !== undefined && record.commits[0] === made)
      return Promise.resolve()
    }).settle()
    expect(filed).toEqual([true])
    expect(records()).toMatchObject([{ task: '02', commits: [made] }])
    await observer().settle()
    expect(records()).toHaveLength(1)
  })

  it('says nothing where all is as it should be', () => {
    const record = { role: 'planner', task: null, log: '', startedAt: 0, endedAt: 1, commits: [], elsewhere: [] }
    const place = { head: 'a', branch: null }
    expect(findingsOf({ ...record, before: place, after: place, left: [], uncommitted: [] })).toEqual([])
  })
})

describe('an agent that outlived its host', () => {
  const turn = { role: 'executor', task: '02' }
  /** A host that is killed once it has asked for the agent. */
  const begin = async () => {
    void observer().observe(turn, (follow) => {
      follow({
        ...newRun({ agent: 'coder', prompt: '', cwd: '', purpose: '' }, suggestedAgent('custom')),
        run: 'run-1',
      })
      return new Promise(() => undefined)
    })
    await expect.poll(() => store().openTurn?.run).toBe('run-1')
  }
  const never = () => Promise.reject(new Error('It was started again.'))

  it('has its turn, commits and answer, and is not started again', async () => {
    repository.commit('Begin', { 'a.txt': 'a' })
    await begin()
    const made = repository.commit('After the crash', { 'b.txt': 'b' })
    adopted = { ...result, data: 'done' }
    const next = observer()
    expect(await next.settle()).toEqual(adopted)
    expect(records()).toMatchObject([{ task: '02', commits: [made], log: 'run-1' }])
    expect(await next.observe(turn, never)).toMatchObject({ result: { data: 'done' }, record: { commits: [made] } })
  })

  it('keeps its answer for however many hosts end before they have written what it came to', async () => {
    await begin()
    adopted = result
    await observer().settle()
    for (let host = 0; host < 2; host++) {
      const again = observer()
      expect(await again.settle()).toEqual(result)
      expect((await again.observe(turn, never)).result).toEqual(result)
    }
    store().end()
    await expect(observer().observe(turn, never)).rejects.toThrow('started again')
  })

  it('is started again where it gave no answer, or where the loop goes on otherwise', async () => {
    await begin()
    expect(await observer().settle()).toBeNull()
    expect(said).toEqual([expect.stringContaining('gave no answer')])
    const asked = async () => (await observer().observe(turn, () => Promise.resolve({ ...result, data: 'new' }))).result
    expect((await asked()).data).toBe('new')
    await begin()
    adopted = result
    await observer().settle()
    const next = observer()
    await next.observe({ role: 'planner', task: null }, () => Promise.resolve(result))
    expect(store().lastAnswer).toBeUndefined()
  })

  it('that the person stops while it is waited for ends the wait', async () => {
    await begin()
    adopted = { ...result, status: 'stopped' }
    await expect(observer().settle()).rejects.toMatchObject({ code: 'CANCELLED' })
    expect(store().openTurn).toBeUndefined()
    expect(store().lastAnswer).toBeUndefined()
  })
})
