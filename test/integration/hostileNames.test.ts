/** Names of files and folders that no sentence, log line or key can hold: they are left out and told, and take nothing else with them. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Payload } from '@shared/contract/contract'
import { projectsCommands, projectsEvents } from '@shared/contract/orchestration'
import { printFinding } from '../../src-main/formats/finding'
import { inspectProject } from '../../src-main/projects/read/inspectProject'
import type { Projects } from '../../src-main/projects/projects'
import { openDatabase, type Database } from '../../src-main/storage/database'
import { projectsHere } from '../support/projectWorkerHere'

let folder: string
let project: string
let database: Database
const opened: Projects[] = []
const events: Payload<'projects.changed'>[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-names-'))
  project = join(folder, 'project')
  database = openDatabase(join(folder, 'bridgedeck.sqlite'))
})
afterEach(async () => {
  for (const projects of opened.splice(0)) await projects.closeAll()
  database.close()
  rmSync(folder, { recursive: true, force: true })
})

function putRun(name: string | Buffer): void {
  const run = Buffer.concat([Buffer.from(`${project}/`), Buffer.from(name), Buffer.from('/.meta')])
  mkdirSync(run, { recursive: true })
  writeFileSync(Buffer.concat([run, Buffer.from('/session.json')]), '{"status":"executing"}')
}

function create(): Projects {
  const projects = projectsHere(database, {
    onChanged: (changes) => events.push(projectsEvents['projects.changed'].parse(changes)),
  })
  opened.push(projects)
  return projects
}

const runsOf = (projects: Projects, id: number) =>
  projectsCommands['projects.runs'].output.parse(projects.runs({ project: id, after: null })).runs
const problemsOf = (projects: Projects) =>
  projectsCommands['projects.list'].output.parse(projects.list()).projects.flatMap(({ problems }) => problems)
const journalOf = async (projects: Projects, id: number) =>
  projectsCommands['projects.journal'].output.parse(
    await projects.ask('projects.journal', { project: id, run: null, before: null }),
  ).entries

const hostile: readonly (readonly [what: string, name: string | Buffer])[] = [
  ['a line end', 'a\nb'],
  ['a carriage return', 'a\rb'],
  ['an escape', 'a\u001b[31mb'],
  ['a C1 control', 'a\u009bb'],
  ['DEL', 'a\u007fb'],
  ['bytes that are no UTF-8', Buffer.from([0x61, 0xff, 0x62])],
  ['a path of more than 1,000 characters', Array.from({ length: 5 }, () => 'a'.repeat(250)).join('/')],
]

describe('a run in a folder whose name has', () => {
  it.each(hostile)('%s is left out and told, and the run beside it is shown', async (_what, name) => {
    putRun(name)
    putRun('good')
    const projects = create()
    const { project: id } = await projects.open(project)
    expect(runsOf(projects, id).map((run) => run.folder)).toEqual(['good'])
    expect(problemsOf(projects)).toMatchObject([expect.stringContaining('cannot be shown')])
    expect((await journalOf(projects, id)).map(({ run }) => run)).toEqual(['metashell:good/.meta/session.json'])
    const inspected = await inspectProject(project, () => () => new Map(), AbortSignal.timeout(60_000))
    expect(inspected.runs).toHaveLength(1)
    expect(inspected.findings).toMatchObject([{ rule: 'project/name' }])
    expect(inspected.findings.map(printFinding)[0]).toMatch(/^[^:\p{Cc}]+:1:1: warning project\/name: \P{Cc}+$/u)
  })

  it.each([
    ['a mark that turns the direction of writing', 'a\u202eb'],
    ['255 bytes', 'a'.repeat(255)],
    ['letters beyond the first plane', '𝕒🕹️'],
  ])('%s is shown', async (_what, name) => {
    putRun(name)
    const projects = create()
    const { project: id } = await projects.open(project)
    expect(runsOf(projects, id).map((run) => run.folder)).toEqual([name])
    expect(problemsOf(projects)).toEqual([])
  })
})

describe('an open project', () => {
  it('tells of a folder that comes with such a name, and that it is gone once it is renamed', async () => {
    putRun('good')
    const projects = create()
    const { project: id } = await projects.open(project)
    putRun('a\nb')
    await expect.poll(() => problemsOf(projects)).toMatchObject([expect.stringContaining('cannot be shown')])
    expect(runsOf(projects, id)).toHaveLength(1)
    renameSync(join(project, 'a\nb'), join(project, 'ab'))
    await expect.poll(() => runsOf(projects, id).map((run) => run.folder)).toEqual(['ab', 'good'])
    await expect.poll(() => problemsOf(projects)).toEqual([])
    expect(projects.list().projects[0]?.watch).toBe('system')
  })

  it('is refused where its own path cannot be shown', async () => {
    const place = join(folder, 'a\nb')
    mkdirSync(place)
    await expect(create().open(place)).rejects.toMatchObject({ code: 'INVALID' })
  })
})
