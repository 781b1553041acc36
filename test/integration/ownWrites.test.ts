/** What a loop of Bridgedeck's own writes into the files of edits that are still watched: no other program's doing. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Payload } from '@shared/contract/contract'
import { applyEvent } from '../../src-main/loops/metashell/applyEvent'
import { SessionFiles } from '../../src-main/loops/metashell/sessionFiles'
import { snapshotOf } from '../../src-main/loops/metashell/snapshot'
import type { Projects } from '../../src-main/projects/projects'
import { openDatabase, type Database } from '../../src-main/storage/database'
import { projectsHere } from '../support/projectWorkerHere'

const FOLDER = 'sprite-editor'
const RUN = `metashell:${FOLDER}/.meta/session.json`
const FILE = `${FOLDER}/.meta/session.json`
const TASK = '02-03'

let folder: string
let root: string
let database: Database
let projects: Projects
let overwritten: Payload<'projects.overwritten'>[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridgedeck-own-'))
  root = join(folder, 'project')
  await cp('resources/sample-project', root, { recursive: true })
  database = openDatabase(join(folder, 'bridgedeck.sqlite'))
  overwritten = []
  projects = projectsHere(database, { onOverwritten: (event) => overwritten.push(event) })
})
afterEach(async () => {
  await projects.closeAll()
  database.close()
  await rm(folder, { recursive: true, force: true })
})

const session = () => readFile(join(root, FILE), 'utf8')

async function answered(): Promise<number> {
  const { project } = await projects.open(root)
  const request = { kind: 'action' as const, name: 'answer', target: '', values: { answer: 'Frames a second' } }
  const { token } = await projects.ask('projects.preview', { project, run: RUN, request })
  const { outcome } = await projects.ask('projects.write', { project, run: RUN, request, token })
  expect(outcome).toBe('written')
  return project
}

/** The task ends: its answer was handed over, and the session may halt as it was before. */
const endTask = (project: number | undefined) =>
  new SessionFiles(
    {
      root,
      folder: FOLDER,
      ...(project === undefined ? {} : { announceWrite: (change) => projects.announceWrite(project, change) }),
    },
    () => undefined,
  ).update((snapshot) =>
    applyEvent(snapshot, {
      kind: 'task-ended',
      taskId: TASK,
      outcome: {
        kind: 'checkpoint',
        checkpoint: { resume_id: 'speed', task_id: TASK, message: 'Once more?', options: [] },
      },
    }),
  )

/** Until the version that is there now has been seen. */
async function seen(project: number): Promise<void> {
  const written = await session()
  await vi.waitFor(async () => {
    const { moments } = await projects.ask('projects.moments', { project, run: RUN })
    const at = moments.at(-1)?.time ?? 0
    const { text } = await projects.ask('projects.file', { project, file: FILE, line: 1, at })
    expect(text.trim()).toBe(written.trim())
  }, 60_000)
}

describe('an answer that the loop has taken', () => {
  it('is not told as overwritten by another program, and stays in the session', async () => {
    const project = await answered()
    await endTask(project)
    await seen(project)
    await writeFile(join(root, FILE), (await session()).replace('"gapCount": 1', '"gapCount": 0'))
    await seen(project)
    expect(overwritten).toEqual([])
    const { variables } = JSON.parse(await session()) as { variables: Record<string, unknown> }
    expect(variables).not.toHaveProperty('checkpoint_answer')
    expect(variables.checkpoint_answers).toEqual([
      {
        checkpoint_id: 'speed',
        task_id: TASK,
        question: 'How is the speed of an animation told: in frames a second, or in raster frames a picture?',
        user_input: 'Frames a second',
      },
    ])
    const files = new SessionFiles({ root, folder: FOLDER }, () => undefined)
    expect(snapshotOf((await files.read()).state).givenAnswers).toMatchObject([
      { taskId: TASK, user_input: 'Frames a second' },
    ])
  })

  it('is told when the same comes from elsewhere', async () => {
    await answered()
    const before = JSON.parse(await session()) as { status: string; variables: Record<string, unknown> }
    delete before.variables.checkpoint_answer
    before.variables.pending_checkpoint = { resume_id: 'speed', task_id: TASK, message: 'Once more?', options: [] }
    await vi.waitFor(
      async () => {
        await writeFile(join(root, FILE), JSON.stringify({ ...before, status: 'halted' }, null, 2))
        expect(overwritten).toMatchObject([{ kind: 'dropped', file: FILE }])
      },
      { timeout: 60_000, interval: 500 },
    )
  })
})
