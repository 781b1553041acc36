import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Payload } from '@shared/contract/contract'
import type { Run, RunNeed } from '@shared/contract/orchestration'
import type { SteeringQuestion } from '@shared/contract/steering'
import type { Task } from '@shared/contract/tasks'
import { openDatabase, type Database } from '../storage/database'
import { ProjectStore } from '../storage/projects'
import { SidecarStore } from '../storage/sidecar'
import { Notices } from './notices'

let folder: string
let database: Database
let project: number
let time: number
let raised: Payload<'notice.raised'>[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-notices-'))
  database = openDatabase(join(folder, 'app.sqlite'))
  project = new ProjectStore(database).opened('/projects/one', 1).id
  time = 1_000_000
  raised = []
})
afterEach(() => {
  database.close()
  rmSync(folder, { recursive: true })
})

type Remember = SidecarStore['rememberAll']

const create = (onRemember: Remember = () => undefined) => {
  const sidecar = new SidecarStore(database)
  return new Notices({
    remembered: (id, key) => sidecar.all(id, key),
    remember: (id, runs) => {
      onRemember(id, runs)
      sidecar.rememberAll(id, runs)
    },
    raise: (notice) => raised.push(notice),
    now: () => time,
  })
}

const need = (title: string, line = 3): RunNeed => ({
  kind: 'question',
  title,
  detail: '',
  options: [],
  source: { file: 'questions/001.md', line },
  since: { value: time, source: null },
  unblocks: [],
})
const run = (...needs: RunNeed[]): Run =>
  ({
    key: 'ncrew:',
    archived: false,
    stale: null,
    needs,
    title: { value: 'Tapes', source: null },
    id: { value: null, source: null },
    folder: '',
  }) as unknown as Run

describe('what waits for a person', () => {
  it('is told once, with its place, however often its file is written anew', () => {
    const notices = create()
    notices.runs(project, [run()], false)
    notices.runs(project, [run(need('Which?'))], true)
    notices.runs(project, [run(need('Which?', 9))], true)
    expect(raised).toEqual([
      {
        title: 'A question needs you',
        body: 'Which?\nTapes',
        about: { kind: 'need', project, run: 'ncrew:', source: { file: 'questions/001.md', line: 3 } },
      },
    ])
  })

  it('is not told when it was there already as the project was opened', () => {
    const notices = create()
    notices.runs(project, [run(need('Which?'))], false)
    notices.runs(project, [run(need('Which?'), need('And then?'))], true)
    expect(raised.map(({ body }) => body)).toEqual(['And then?\nTapes'])
  })

  it('is remembered in one write, however many runs a project is opened with', () => {
    const writes: number[] = []
    const runs = Array.from({ length: 25 }, (_, number) => ({
      ...run(need(`Which ${number}?`)),
      key: `ncrew:${number}`,
    }))
    create((_project, written) => writes.push(written.size)).runs(project, runs, false)
    expect(writes).toEqual([25])
    create().runs(project, runs, true)
    expect(raised).toEqual([])
  })

  it('is not told again after a restart', () => {
    create().runs(project, [run(need('Which?'))], true)
    create().runs(project, [run(need('Which?'))], true)
    expect(raised).toHaveLength(1)
  })

  it('is told again when it came again after it had been answered, and not when its file was away for a moment', () => {
    const notices = create()
    notices.runs(project, [run(need('Which?'))], true)
    notices.runs(project, [run()], true)
    time += 2_000
    notices.runs(project, [run(need('Which?'))], true)
    expect(raised).toHaveLength(1)
    notices.runs(project, [run()], true)
    time += 61_000
    notices.runs(project, [run(need('Which?'))], true)
    expect(raised).toHaveLength(2)
  })

  it('in an archive, or of the last good version of a broken file, is not told', () => {
    const notices = create()
    notices.runs(project, [{ ...run(need('Which?')), archived: true }], true)
    notices.runs(project, [{ ...run(need('Which?')), stale: { since: 1, file: 'a', message: 'cut off' } }], true)
    expect(raised).toEqual([])
  })
})

describe('a task', () => {
  const task = (status: Task['status'], more: Partial<Task> = {}): Task =>
    ({
      id: '0001_poll',
      name: 'poll',
      operation: 'poll_screen',
      status,
      lastError: null,
      startedAt: null,
      ...more,
    }) as Task

  it('is told of when it fails or finds its text, once, and not for any other end', () => {
    const notices = create()
    notices.tasks([task('running')], [])
    notices.tasks([task('completed')], [])
    notices.tasks([task('completed')], [])
    notices.tasks([task('running')], [])
    notices.tasks([task('error', { lastError: 'no machine' })], [])
    notices.tasks([task('running')], [])
    notices.tasks([task('stopped')], [])
    notices.tasks([task('running', { operation: 'read' })], [])
    notices.tasks([task('completed', { operation: 'read' })], [])
    expect(raised.map(({ title, body }) => [title, body])).toEqual([
      ['A task found its text', 'The task poll found its text on the screen.'],
      ['A task failed', 'The task poll failed: no machine'],
    ])
  })
})

describe('what agents ask', () => {
  const asked = (question: number, name: string): SteeringQuestion => ({
    question,
    agent: question,
    name,
    colour: 0,
    right: 'change',
    text: 'memory write',
    since: 1,
  })

  it('is told once, by name, right and what it is about to do', () => {
    const notices = create()
    notices.questions([asked(1, 'coder')])
    notices.questions([asked(1, 'coder'), asked(2, 'tester')])
    notices.questions([])
    expect(raised.map(({ body, about }) => [body.split(' wants to ')[0], body.split('\n')[1], about.kind])).toEqual([
      ['coder', 'memory write', 'steering'],
      ['tester', 'memory write', 'steering'],
    ])
  })
})
