/** Whoever shows a run shows the same of it: the command line, its watch, the window and the scrubber. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AppError } from '@shared/contract/errors'
import type { OfferedAction } from '@shared/contract/edits'
import type { Run } from '@shared/contract/orchestration'
import { z } from 'zod'
import { formats } from '../../src-main/formats/formats'
import type { Finding } from '../../src-main/formats/finding'
import type { RunView } from '../../src-main/formats/run'
import { describeLists, describeRun } from '../../src-main/projects/read/describeRun'
import { inspectProject } from '../../src-main/projects/read/inspectProject'
import { readRememberedRuns } from '../../src-main/projects/read/rememberedRuns'
import type { Projects } from '../../src-main/projects/projects'
import { OpenProject } from '../../src-main/projects/watch/openProject'
import { RememberedWatch } from '../../src-main/projects/watch/rememberedWatch'
import { openDatabase, type Database } from '../../src-main/storage/database'
import { callHere, startHere } from '../support/callHere'
import { filledRequest } from '../support/filledRequest'
import { projectsHere } from '../support/projectWorkerHere'

let top: string
let root: string
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'bridgedeck-readers-'))
  root = join(top, 'project')
  cpSync('resources/sample-project', root, { recursive: true })
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

const CREW = 'tape-archive'

function edit(file: string, change: (text: string) => string): void {
  const path = join(root, file)
  writeFileSync(path, change(readFileSync(path, 'utf8')))
}

/** Completes the phase after which a person approves. */
function reachGate(): void {
  edit(`${CREW}/tasks.md`, (tasks) =>
    tasks.replace(/## Architecture[^]*?(?=## )/, (phase) =>
      phase.replaceAll('[ ]', '[x]').replace('🔄 IN PROGRESS', '✅ COMPLETE'),
    ),
  )
  edit(`${CREW}/INDEX.md`, (index) => index.replace('status: blocked', 'status: in_progress'))
  edit(`${CREW}/questions/software-architect-002-levels.md`, (question) =>
    question
      .replace('status: pending', 'status: resolved')
      .replace('**Decision:** ___', '**Decision:** Both')
      .replace('**Reason:** ___', '**Reason:** Each tells something else'),
  )
}

/** For a run that an action moved away. */
function restoreSample(): void {
  for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true })
  cpSync('resources/sample-project', root, { recursive: true })
}

describe('an approved gate of a crew', () => {
  const environment = () => ({ ...process.env, BRIDGEDECK_DATA: join(top, 'data'), INIT_CWD: top })
  const run = async (...args: string[]): Promise<unknown> =>
    JSON.parse((await callHere(['project', ...args, '--json'], { environment: environment() })).stdout)

  const needsSchema = z.object({
    data: z.object({ needs: z.array(z.object({ system: z.string(), need: z.object({ kind: z.string() }) })) }),
  })
  const inspectSchema = z.object({
    data: z.object({
      runs: z.array(z.object({ view: z.object({ system: z.string(), state: z.object({ value: z.string() }) }) })),
    }),
  })
  const crewNeeds = async (folder: string) =>
    needsSchema
      .parse(await run('needs', folder))
      .data.needs.flatMap(({ system, need }) => (system === 'ncrew' ? need.kind : []))
  const crewState = async (folder: string) =>
    inspectSchema
      .parse(await run('inspect', folder))
      .data.runs.flatMap(({ view }) => (view.system === 'ncrew' ? view.state.value : []))

  it('waits no longer for needs, inspect and watch', { timeout: 60_000 }, async () => {
    reachGate()
    expect([await crewNeeds('project'), await crewState('project')]).toEqual([['gate'], ['gate']])

    const watching = startHere(['project', 'watch', 'project', '--json'], { environment: environment() })
    try {
      await expect.poll(watching.output, { timeout: 20_000 }).toContain('"runs"')

      await run('answer', 'project', '--action', 'approve', '--yes')

      expect([await crewNeeds('project'), await crewState('project')]).toEqual([[], ['running']])
      // The crew's own folder, which lies in the one that was opened.
      expect([await crewNeeds(`project/${CREW}`), await crewState(`project/${CREW}`)]).toEqual([[], ['running']])
      await expect
        .poll(watching.output, { timeout: 20_000 })
        .toMatch(/"run":"ncrew:[^"]*","kind":"run","state":"running","needs":0/)
    } finally {
      watching.interrupt()
      await watching.ended
    }
  })
})

describe('the sample project', () => {
  let database: Database
  let projects: Projects
  let project: number
  let watched: OpenProject
  let remembered: RememberedWatch

  beforeEach(async () => {
    const path = join(top, 'bridgedeck.sqlite')
    database = openDatabase(path)
    projects = projectsHere(database)
    project = (await projects.open(root)).project
    remembered = new RememberedWatch({
      load: () => readRememberedRuns(path, root),
      keys: () => watched.keys,
      onChanged: (run) => watched.reread(run),
    })
    const fail = (message: string, error?: unknown) => {
      throw new Error(message, { cause: error })
    }
    watched = new OpenProject({
      place: root,
      formats,
      firstRevision: 0,
      mayRead: () => true,
      remembered: remembered.of,
      lastHash: () => undefined,
      writerOf: () => null,
      onProject: () => undefined,
      onRuns: () => undefined,
      onObserved: () => undefined,
      onRefused: fail,
      log: fail,
    })
    await watched.open()
  })
  afterEach(async () => {
    remembered.close()
    await watched.close()
    await projects.closeAll()
    database.close()
  })

  type Shown = Pick<Run, 'title' | 'state' | 'reason' | 'currentPhase' | 'work' | 'needCount' | 'warnings'>
  type Lists = Pick<ReturnType<typeof describeLists>, 'needs' | 'meters' | 'errors'>
  /** Without times, which a file of the past has from the journal. */
  const shown = (run: Shown, { needs, meters, errors }: Lists) => {
    const { title, state, reason, currentPhase, work, needCount, warnings } = run
    return {
      title,
      state,
      reason,
      currentPhase,
      work,
      needCount,
      warnings,
      meters,
      needs: needs.map((need) => ({ ...need, since: null })),
      errors: errors.map((error) => ({ ...error, time: null })),
    }
  }
  const shownView = (view: RunView, findings: readonly Finding[]) => {
    const known = { key: '', view, findings, writtenAt: null, stale: null, revision: 0 }
    return shown(describeRun(known), describeLists(known, []))
  }
  const keys = () => projects.runs({ project, after: null }).runs.map(({ key }) => key)
  const inWindow = async (run: string, at?: number) => {
    const answer = await projects.ask('projects.run', { project, run, ...(at === undefined ? {} : { at }) })
    return shown(answer.run, answer)
  }

  /** Waits until all readers have seen the change, and agree on each run. @returns what they show, by run */
  const agreed = () =>
    vi.waitFor(
      async () => {
        const inspected = await inspectProject(
          root,
          (folder) => readRememberedRuns(join(top, 'bridgedeck.sqlite'), folder),
          new AbortController().signal,
        )
        const byInspect = Object.fromEntries(
          inspected.runs.map(({ view, marker, findings }) => [`${view.system}:${marker}`, shownView(view, findings)]),
        )
        const byWatch = Object.fromEntries(
          watched.keys.flatMap((key) => {
            const run = watched.run(key)
            return run ? [[key, shownView(run.view, run.findings)] as const] : []
          }),
        )
        const now = Date.now()
        const inWindows = await Promise.all(keys().map(async (key) => [key, await inWindow(key)] as const))
        const byHistory = await Promise.all(keys().map(async (key) => [key, await inWindow(key, now)] as const))
        const byWindow = Object.fromEntries(inWindows)
        expect(byWindow).toEqual(byInspect)
        expect(byWatch).toEqual(byInspect)
        expect(Object.fromEntries(byHistory)).toEqual(byInspect)
        return byWindow
      },
      { timeout: 20_000, interval: 100 },
    )

  const actionsOf = async (run: string) =>
    (await projects.ask('projects.actions', { project, run, target: null })).actions
  /** @returns the edit; undefined for what git does a part of, as the folder is restricted */
  const make = (run: string, action: OfferedAction) =>
    vi.waitFor(async () => {
      const asked = { project, run, request: filledRequest(action) }
      const preview = await projects.ask('projects.preview', asked).catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'FORBIDDEN') return undefined
        throw error
      })
      if (!preview) return undefined
      const written = await projects.ask('projects.write', { ...asked, token: preview.token })
      expect({ action: action.title, written }).toMatchObject({ written: { outcome: 'written' } })
      return written.outcome === 'written' ? written.edit : undefined
    }, 20_000)

  it('is shown the same by all readers after every action', { timeout: 240_000 }, async () => {
    const before = await agreed()
    const made = new Set<string>()
    for (const run of Object.keys(before)) {
      for (const action of await actionsOf(run)) {
        const kind = `${run.split(':')[0] ?? ''} ${action.name}`
        if (made.has(kind)) continue
        const edit = await make(run, action)
        if (edit === undefined) continue
        made.add(kind)
        await agreed()
        if (keys().includes(run)) await projects.ask('projects.undo', { project, edit })
        else restoreSample()
        await vi.waitFor(async () => expect(await agreed()).toEqual(before), 20_000)
      }
    }
    expect(made.size).toBeGreaterThan(15)
  })

  it('has a gate that waits for all readers or for none', { timeout: 60_000 }, async () => {
    const run = keys().find((key) => key.startsWith('ncrew:')) ?? ''
    reachGate()
    await vi.waitFor(async () => expect((await agreed())[run]?.state.value).toBe('gate'), 20_000)
    const reachedAt = Date.now()
    const [approve] = (await actionsOf(run)).filter(({ name }) => name === 'approve')
    if (!approve) throw new Error('The gate cannot be approved.')

    const edit = await make(run, approve)

    expect((await agreed())[run]).toMatchObject({ state: { value: 'running' }, needs: [] })
    // What is remembered counts from its own time on.
    expect((await inWindow(run, reachedAt)).state.value).toBe('gate')
    await projects.ask('projects.undo', { project, edit: edit ?? 0 })
    expect((await agreed())[run]?.state.value).toBe('gate')
  })
})
