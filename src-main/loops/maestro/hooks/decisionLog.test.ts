import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { noteDecision, readDecisions, type NotedDecision } from './decisionLog'

let top: string
let project: string
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'bridgedeck-decisions-')))
  project = join(top, 'project')
  mkdirSync(join(project, 'src'), { recursive: true })
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

const own = () => join(top, 'data/loops')
const note = (more: Partial<NotedDecision> = {}) =>
  noteDecision(own(), {
    time: 1,
    event: 'AfterAgent',
    agent: 'coder',
    answer: 'deny',
    reason: 'Missing',
    folder: project,
    ...more,
  })

it('The newest decision of a project comes first, and those of others do not', async () => {
  symlinkSync(project, join(top, 'link'))
  await note()
  await note({ time: 2, folder: join(project, 'src'), answer: 'allow', reason: '' })
  await note({ time: 3, folder: join(top, 'link') })
  await note({ time: 4, folder: `${project}-other` })
  appendFileSync(join(own(), 'maestro-hooks.jsonl'), '{"time": 5, "eve')
  const decisions = await readDecisions(own(), project)
  expect(decisions.map(({ time }) => time)).toEqual([3, 2, 1])
  expect(decisions.at(-1)).toEqual({ time: 1, event: 'AfterAgent', agent: 'coder', answer: 'deny', reason: 'Missing' })
})

it('There are none without a log', async () => expect(await readDecisions(own(), project)).toEqual([]))

it('The log is for its owner only, and stays small', async () => {
  const reason = 'x'.repeat(2_000)
  for (let time = 0; time < 400; time++) await note({ time, reason })
  const { size, mode } = statSync(join(own(), 'maestro-hooks.jsonl'))
  expect([size < 300_000, mode & 0o777]).toEqual([true, 0o600])
  const decisions = await readDecisions(own(), project)
  expect(decisions.map(({ time }) => time)).toEqual(Array.from({ length: 100 }, (_, index) => 399 - index))
})
