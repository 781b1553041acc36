/** Every action that the sample project offers, made on its real files: shown, written, and taken back to the byte. */
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { AppError } from '@shared/contract/errors'
import type { EditRequest, OfferedAction } from '@shared/contract/edits'
import type { Projects } from '../../src-main/projects/projects'
import { openDatabase, type Database } from '../../src-main/storage/database'
import { filledRequest } from '../support/filledRequest'
import { projectsHere } from '../support/projectWorkerHere'

let folder: string
let root: string
let database: Database
let projects: Projects
let project: number

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridgedeck-actions-'))
  root = join(folder, 'project')
  await cp('resources/sample-project', root, { recursive: true })
  database = openDatabase(join(folder, 'bridgedeck.sqlite'))
  projects = projectsHere(database)
  project = (await projects.open(root)).project
})
afterEach(async () => {
  await projects.closeAll()
  database.close()
  await rm(folder, { recursive: true })
})

/** All texts of the project, by path. */
async function tree(): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(
    await Promise.all(
      files.sort().map(async (file) => [relative(root, file), await readFile(file, 'latin1')] as const),
    ),
  )
}

const runKeys = () => projects.runs({ project, after: null }).runs.map(({ key }) => key)
const actionsOf = async (run: string) =>
  (await projects.ask('projects.actions', { project, run, target: null })).actions

/** What was just created or deleted is seen a moment later; until then the plan is another one than it was. */
const write = (run: string, action: OfferedAction) =>
  vi.waitFor(async () => {
    const asked = { project, run, request: filledRequest(action) }
    // A folder that is not trusted runs no git, so what needs it ends here.
    const preview = await projects.ask('projects.preview', asked).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'FORBIDDEN') return undefined
      throw error
    })
    if (!preview) return undefined
    const written = await projects.ask('projects.write', { ...asked, token: preview.token })
    expect({ action: action.title, written }).toMatchObject({
      written: { outcome: 'written', summary: preview.summary },
    })
    return { preview, edit: written.outcome === 'written' ? written.edit : 0 }
  }, 60_000)

it('each is shown, written as it was shown, and taken back', { timeout: 180_000 }, async () => {
  const before = await tree()
  const seen = new Set<string>()
  for (const run of runKeys()) {
    for (const action of await actionsOf(run)) {
      const done = await write(run, action)
      seen.add(`${run.split(':')[0]} ${action.name}${done ? '' : ' (git)'}`)
      if (!done) continue
      const { preview, edit } = done
      const after = await tree()
      const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
        (file) => before[file] !== after[file],
      )
      expect(changed.sort()).toEqual(
        preview.files.flatMap(({ file, from }) => (from === null ? [file] : [file, from])).sort(),
      )
      expect(await projects.ask('projects.undo', { project, edit })).toMatchObject({ outcome: 'written' })
      expect(await tree()).toEqual(before)
    }
  }
  expect([...seen].sort()).toEqual([
    'maestro abort',
    'maestro archive',
    'maestro install-hooks',
    'maestro resolve',
    'maestro retry',
    'maestro set-check',
    'maestro skip',
    'metashell answer',
    'metashell edit-task',
    'metashell jump',
    'metashell reset-breaker',
    'metashell roll-back',
    'metashell skip',
    'ncrew answer',
    'ncrew discard-turn (git)',
    'ncrew reset (git)',
    'ncrew set-check',
    'ncrew set-limits',
    'ncrew tick',
    'ncrew undo-iteration (git)',
    'ncrew untick',
    'tuning abort',
    'tuning leave',
    'tuning select-fixes',
  ])
})

it('the fixes of the tuning run are chosen, applied, verified and rolled back', { timeout: 60_000 }, async () => {
  const run = runKeys().find((key) => key.startsWith('tuning:')) ?? ''
  const skill = async () =>
    Object.fromEntries(Object.entries(await tree()).filter(([file]) => file.startsWith('skills/')))
  const before = await skill()
  const make = async (name: string, target = '') => {
    const action = (await actionsOf(run)).find((offered) => offered.name === name && offered.target === target)
    expect({ name, action }).toMatchObject({ action: { name } })
    if (action) await write(run, action)
  }
  await make('select-fixes')
  await make('apply-fix', 'FIX-1')
  await make('apply-fix', 'FIX-2')
  expect((await skill())['skills/sprite-sheets/phases/orchestrator.md']).toMatch(
    /keep its last five only\.\n.*with the colours as they were asked for\./,
  )
  await make('verify-fix', 'FIX-1')
  await make('verify-fix', 'FIX-2')
  // The first of the two, beside the second, which stays; then the second.
  await make('roll-back', 'FIX-1')
  expect((await skill())['skills/sprite-sheets/phases/orchestrator.md']).toMatch(
    /to the history\.\n.*with the colours as they were asked for\./,
  )
  await make('roll-back', 'FIX-2')
  expect(await skill()).toEqual(before)
})

it(
  'a tuning run that waits for its skill is started with a copy of it, and taken back to the byte',
  { timeout: 60_000 },
  async () => {
    const work = '.workflow/.scratchpad/skill-tuning-20260302095500'
    await mkdir(join(root, work))
    await cp('test/fixtures/spec004/initial-state.json', join(root, work, 'state.json'))
    const run = `tuning:${work}`
    await vi.waitFor(() => expect(runKeys()).toContain(run), 60_000)
    const before = await tree()
    const [action] = await actionsOf(run)
    expect(action).toMatchObject({ name: 'init', answersNeed: true })
    const start: EditRequest = {
      kind: 'action',
      name: 'init',
      target: '',
      values: { skill: 'skills/sprite-sheets', problem: 'It forgets the colours', focus: ['memory'] },
    }
    const asked = { project, run, request: start }
    const preview = await projects.ask('projects.preview', asked)
    expect(await tree()).toEqual(before)
    const written = await projects.ask('projects.write', { ...asked, token: preview.token })
    expect(written).toMatchObject({ outcome: 'written', summary: 'Started the run for sprite-sheets' })
    const after = await tree()
    const copies = Object.entries(before).flatMap(([file, text]) =>
      file.startsWith('skills/sprite-sheets/')
        ? [[file.replace('skills/sprite-sheets', `${work}/backups/sprite-sheets-backup`), text]]
        : [],
    )
    expect(copies.length).toBeGreaterThan(2)
    expect(after).toEqual({
      ...before,
      ...Object.fromEntries(copies),
      [`${work}/state.json`]: after[`${work}/state.json`],
    })
    expect(JSON.parse(after[`${work}/state.json`] ?? '')).toMatchObject({
      status: 'running',
      target_skill: { path: 'skills/sprite-sheets' },
      focus_areas: ['memory'],
    })
    const { edits } = await projects.ask('projects.edits', { project, run })
    expect(edits[0]).toMatchObject({ summary: 'Started the run for sprite-sheets' })
    if (written.outcome === 'written')
      expect(await projects.ask('projects.undo', { project, edit: written.edit })).toMatchObject({ outcome: 'written' })
    expect(await tree()).toEqual(before)
  },
)

it('that moves its run away is taken back also once the run is no longer there', { timeout: 180_000 }, async () => {
  const before = await tree()
  for (const run of runKeys()) {
    const archive = (await actionsOf(run)).find(({ name }) => name === 'archive')
    if (!archive) continue
    const done = await write(run, archive)
    await vi.waitFor(() => expect(runKeys()).not.toContain(run), 60_000)
    expect(await projects.ask('projects.undo', { project, edit: done?.edit ?? 0 })).toMatchObject({
      outcome: 'written',
    })
    expect(await tree()).toEqual(before)
    return
  }
  expect.fail('The sample project has no run that can be archived.')
})
