/** Whose commits are that agents made at once, in real git repositories. */
import { rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runHold } from '@shared/runHold'
import { turnRecords } from '@shared/turnRecord'
import type { AgentResult } from '../../src-main/agents/agent'
import { newRun } from '../../src-main/agents/agentRun'
import { suggestedAgent } from '../../src-main/agents/agentSetups'
import type { LoopWork, SpawnHooks, TurnRequest } from '../../src-main/loops/loop'
import { TreeAgents } from '../../src-main/loops/treeAgents'
import { TurnsTogether } from '../../src-main/loops/turnsTogether'
import { GitShim } from '../support/gitShim'
import { TestRepository } from '../support/repository'

let repository: TestRepository
let values: Map<string, string>
let said: string[]
let trees: TreeAgents
beforeEach(() => {
  repository = new TestRepository()
  repository.commit('Begin', { 'a.txt': 'a' })
  values = new Map()
  said = []
  trees = new TreeAgents()
  number = 0
})
afterEach(() => repository.remove())

const remembered = {
  get: (name: string) => values.get(name),
  set: (changes: Readonly<Record<string, string | null>>) => {
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) values.delete(name)
      else values.set(name, value)
    }
  },
}
const together = () =>
  new TurnsTogether({
    work: {
      trusted: () => repository.trusted,
      log: (_level, text) => void said.push(text),
      remembered,
      holds: remembered,
      elsewhere: trees.elsewhere(repository.root, 'mine'),
    },
    place: '.gemini/parallel/one',
    ignored: ['results'],
  })
const records = () => turnRecords(remembered).map(({ number: _number, ...record }) => record)
const of = (role: string) => records().find((record) => record.role === role)

const success = (log: string, data = ''): AgentResult => ({
  status: 'success',
  data,
  reason: '',
  tokens: null,
  cost: null,
  duration: 1,
  exitCode: 0,
  stillAlive: [],
  log,
})

let number: number
/** An agent that works from `begun` until `end` is called. */
function agent(turns: TurnsTogether, role: string) {
  const log = `run-${++number}`
  let end: (data?: string) => void = () => undefined
  let begun: () => void = () => undefined
  const hasBegun = new Promise<void>((resolve) => (begun = resolve))
  const spawn = async (_role: string, request: TurnRequest, hooks: SpawnHooks = {}) => {
    const run = newRun({ agent: 'gemini', prompt: '', cwd: '', purpose: '' }, suggestedAgent('custom'))
    hooks.follow?.({ ...run, run: log })
    await request.around?.begin()
    const answer = new Promise<string>((resolve) => (end = (data = '') => resolve(data)))
    begun()
    const result = success(log, await answer)
    await request.around?.end()
    return result
  }
  const adopt = () => Promise.resolve(success(log))
  const ended = turns.observed({ spawn, adopt }).spawn(role, { prompt: '', purpose: role, task: role })
  return { log, hasBegun, end: (data?: string) => (end(data), ended) }
}

describe('agents that work at once', () => {
  it('each have the commits of the time in which only they worked', async () => {
    const turns = together()
    const coder = agent(turns, 'coder')
    await coder.hasBegun
    const first = repository.commit('One', { 'b.txt': 'b' })
    const tester = agent(turns, 'tester')
    await tester.hasBegun
    await coder.end()
    const second = repository.commit('Two', { 'c.txt': 'c' })
    await tester.end()
    await turns.close()
    expect(records()).toMatchObject([
      { role: 'coder', task: 'coder', log: coder.log, commits: [first], after: { head: first } },
      { role: 'tester', task: 'tester', log: tester.log, commits: [second], before: { head: first } },
    ])
    expect(values.size).toBe(3)
  })

  it('hold the run where one of them takes the repository away, which is told once', async () => {
    const turns = together()
    const coder = agent(turns, 'coder')
    const tester = agent(turns, 'tester')
    await Promise.all([coder.hasBegun, tester.hasBegun])
    rmSync(join(repository.root, '.git'), { recursive: true })
    await coder.end()
    expect(runHold(remembered)?.message).toBe(
      'The git repository was there before the turns of coder, tester, and is gone.',
    )
    await tester.end()
    await turns.close()
    expect(said).toEqual([])
  })

  it('hold the run where commits of earlier turns are lost, and not where one replaces what came meanwhile', async () => {
    const turns = together()
    const coder = agent(turns, 'coder')
    await coder.hasBegun
    repository.commit('Of the coder', { 'b.txt': 'b' })
    await coder.end()
    await turns.close()
    const [first, second] = [agent(turns, 'tester'), agent(turns, 'writer')]
    await Promise.all([first.hasBegun, second.hasBegun])
    repository.commit('Half', { 'c.txt': 'c' })
    const third = agent(turns, 'reviewer')
    await third.hasBegun
    repository.git('commit', '--quiet', '--amend', '-m', 'Whole')
    await third.end()
    expect(runHold(remembered)).toBeUndefined()
    repository.git('reset', '--quiet', '--hard', 'HEAD~2')
    await Promise.all([first.end(), second.end()])
    await turns.close()
    expect(runHold(remembered)).toMatchObject({
      kind: 'lost-commits',
      message: expect.stringContaining('took 1 commit off the branch') as string,
    })
  })

  it('share what was committed while several did, unless one alone names it in its answer', async () => {
    const turns = together()
    const coder = agent(turns, 'coder')
    const tester = agent(turns, 'tester')
    await Promise.all([coder.hasBegun, tester.hasBegun])
    const named = repository.commit('Named', { 'b.txt': 'b' })
    const unnamed = repository.commit('Not named', { 'c.txt': 'c' })
    const both = repository.commit('Named by both', { 'd.txt': 'd' })
    repository.put('left.txt', 'left')
    repository.put('results/coder.json', 'of the host')
    await coder.end(`Committed ${named.slice(0, 10)} and ${both}.`)
    await tester.end(`Committed ${both}.`)
    await turns.close()
    expect([of('coder')?.commits, of('tester')?.commits]).toEqual([[named], []])
    expect(of('coder, tester')).toMatchObject({
      task: null,
      log: '',
      commits: [unnamed, both],
      uncommitted: ['left.txt'],
      shared: [
        { role: 'coder', log: coder.log },
        { role: 'tester', log: tester.log },
      ],
    })
    expect(said).toEqual(['The coder, tester left uncommitted changes in left.txt.'])
  })

  it('have a commit that is made just while git is asked', async () => {
    const turns = together()
    const coder = agent(turns, 'coder')
    await coder.hasBegun
    const shim = new GitShim()
    const path = process.env['PATH']
    try {
      shim.at(
        'after',
        'status',
        `rm '${shim.path.split(delimiter)[0]}/git'; git -C '${repository.root}' -c user.name=A -c user.email=a@example.org commit --quiet --allow-empty -m Between`,
      )
      process.env['PATH'] = shim.path
      const tester = agent(turns, 'tester')
      await tester.hasBegun
      process.env['PATH'] = path
      await coder.end()
      await tester.end()
    } finally {
      process.env['PATH'] = path
      shim.remove()
    }
    await turns.close()
    expect(repository.git('log', '-1', '--format=%s')).toBe('Between')
    expect(records().flatMap(({ commits }) => commits)).toEqual([repository.git('rev-parse', 'HEAD')])
  })

  it('do not have what a person commits while none of them works', async () => {
    const turns = together()
    const coder = agent(turns, 'coder')
    await coder.hasBegun
    await coder.end()
    const mine = repository.commit('Mine', { 'b.txt': 'b' })
    const tester = agent(turns, 'tester')
    await tester.hasBegun
    await tester.end()
    await turns.close()
    expect(JSON.stringify(records().map(({ commits }) => commits))).not.toContain(mine)
  })

  it('keep their turns when their host is killed, and end them in the next one', async () => {
    const coder = agent(together(), 'coder')
    await coder.hasBegun
    const made = repository.commit('Before the crash', { 'b.txt': 'b' })
    const turns = together()
    await turns
      .observed<Pick<LoopWork, 'spawn' | 'adopt'>>({
        spawn: () => Promise.reject(new Error('again')),
        adopt: () => Promise.resolve(success(coder.log)),
      })
      .adopt('coder', coder.log)
    await turns.close()
    expect(records()).toMatchObject([{ role: 'coder', log: coder.log, commits: [made] }])
    await together().close()
    expect(records()).toHaveLength(1)
  })

  it('have what came to be while git could not tell, all of them', async () => {
    const turns = together()
    const coder = agent(turns, 'coder')
    await coder.hasBegun
    const made = repository.commit('One', { 'b.txt': 'b' })
    const index = repository.git('rev-parse', '--git-path', 'index')
    repository.put(index, 'not an index')
    const tester = agent(turns, 'tester')
    await tester.hasBegun
    repository.git('read-tree', '--empty')
    repository.git('reset', '--quiet', '--hard')
    await coder.end()
    await tester.end()
    await turns.close()
    expect(said[0]).toContain('Cannot tell what the agents committed')
    expect(of('coder, tester')?.commits).toEqual([made])
  })

  it('in a folder without a repository have no record', async () => {
    rmSync(join(repository.root, '.git'), { recursive: true })
    const turns = together()
    const coder = agent(turns, 'coder')
    await coder.hasBegun
    await coder.end()
    await turns.close()
    expect(records()).toEqual([])
  })
})
