/** Folders, files and tasks with hostile names, before the real bridge: it lives, all it says fits the contract, and nothing good is lost. */
import { constantFrom, integer, oneof, record, array, string, tuple, type Arbitrary } from 'fast-check'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { isFileName } from '@shared/contract/fileName'
import { RealBridge, taskHomeOf, type BridgePlace } from '../support/realBridge'
import { fuzz } from './fuzz'

const MAX_NAME_BYTES = 255

/** One part of a path as bytes that Linux takes: no `/`, no NUL. */
const hostilePart: Arbitrary<Buffer> = oneof(
  array(
    oneof(
      constantFrom('\n', '\r', '\u001b[2J', '\u0007', '\u009b', '\u007f', '\t', '\u0001'),
      constantFrom('\u202e', '\u2066', '\u200f', '\u2028', '\ufeff', '\u200d', '\ufffd'),
      constantFrom('..', '%', '$(id)', '`', '"', "'", '\\', '<b>', '{{x}}', '__proto__', ' ', 'é', '🕹️', 'a'),
      string({ maxLength: 4 }),
    ),
    { minLength: 1, maxLength: 8 },
  ).map((parts) => Buffer.from(parts.join(''))),
  integer({ min: 1, max: MAX_NAME_BYTES }).map((length) => Buffer.alloc(length, 'x')),
  array(integer({ min: 1, max: 255 }), { minLength: 1, maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
).map((bytes) => {
  const part = Buffer.from(bytes.subarray(0, MAX_NAME_BYTES).filter((byte) => byte !== 0 && byte !== 0x2f))
  const text = part.toString('latin1')
  return text === '' || text === '.' || text === '..' ? Buffer.from('plain') : part
})

const hostileProject = record({
  /** Folders that hold a copy of the sample project. */
  folders: array(array(hostilePart, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
  /** Which of its files and folders are renamed, and to what. */
  renamed: array(tuple(integer({ min: 0, max: 1000 }), hostilePart), { maxLength: 6 }),
  tasks: array(tuple(hostilePart, string({ maxLength: 20 })), { maxLength: 6 }),
  /** A machine of c64bridge's own configuration. */
  host: hostilePart,
})
type HostileProject = typeof hostileProject extends Arbitrary<infer Value> ? Value : never

const pathOf = (...parts: readonly (string | Buffer)[]): Buffer =>
  Buffer.concat(parts.flatMap((part, index) => [...(index === 0 ? [] : [Buffer.from('/')]), Buffer.from(part)]))

/** Of the runs that the sample project has. */
const RUNS_OF_SAMPLE = 4

function putProject(project: string, { folders, renamed }: HostileProject): void {
  cpSync('resources/sample-project', join(project, 'good'), { recursive: true })
  const copy = join(project, 'copy')
  cpSync('resources/sample-project', copy, { recursive: true })
  const entries = readdirSync(copy, { recursive: true, withFileTypes: true })
  for (const [which, name] of renamed) {
    const entry = entries[which % entries.length]
    // What is in a folder that was renamed before is no longer there.
    if (entry) attempt(() => renameSync(join(entry.parentPath, entry.name), pathOf(entry.parentPath, name)))
  }
  for (const parts of folders) {
    const folder = pathOf(project, ...parts)
    attempt(() => mkdirSync(pathOf(folder, '.meta'), { recursive: true }))
    attempt(() => writeFileSync(pathOf(folder, '.meta/session.json'), '{"status":"executing"}'))
  }
}

function putTasks(home: string, { tasks }: HostileProject): void {
  rmSync(home, { recursive: true, force: true })
  mkdirSync(join(home, 'tasks/background'), { recursive: true })
  for (const [name] of tasks) {
    attempt(() => mkdirSync(pathOf(home, 'tasks/background', name)))
    attempt(() => mkdirSync(pathOf(home, 'tasks', '0001_artifacts', 'artifacts', name), { recursive: true }))
    attempt(() => writeFileSync(pathOf(home, 'tasks', '0001_artifacts', 'artifacts', `${name.toString()}.png`), ''))
  }
  const entries = tasks.map(([name, text], index) => ({
    id: index % 2 === 0 ? name.toString() : `000${index}_x`,
    name: text,
    type: 'background',
    operation: text,
    status: 'completed',
    folder: `tasks/background/${name.toString()}`,
    machine: text,
  }))
  writeFileSync(join(home, 'tasks.json'), JSON.stringify({ tasks: entries }))
}

/** Names that are too long, or taken. */
function attempt(work: () => unknown): void {
  try {
    work()
  } catch {
    // The others are enough.
  }
}

describe('Names', () => {
  let place: BridgePlace
  let bridge: RealBridge
  let count = 0
  beforeAll(async () => {
    place = { folder: mkdtempSync(join(tmpdir(), 'bridgedeck-hostile-')) }
    mkdirSync(join(place.folder, 'home'))
    bridge = await RealBridge.start(place)
  })
  afterAll(async () => {
    await bridge.stop()
    rmSync(place.folder, { recursive: true, force: true })
  })

  async function readAll(project: number): Promise<string[]> {
    const { runs } = await bridge.call('projects.runs', { project, after: null })
    for (const { key: run } of runs) {
      await bridge.call('projects.run', { project, run })
      await bridge.call('projects.rows', { project, run, from: 0 })
      await bridge.call('projects.details', { project, run })
      await bridge.call('projects.graph', { project, run })
      await bridge.call('projects.actions', { project, run, target: null })
    }
    await bridge.call('projects.journal', { project, run: null, before: null })
    await bridge.call('projects.search', { text: 'a', after: null })
    await bridge.call('projects.list', {})
    return runs.map(({ key }) => key)
  }

  fuzz(
    'of folders, files and tasks never end the bridge nor hide what has good ones',
    hostileProject,
    async (hostile) => {
      const project = join(place.folder, `p${count++}`)
      putProject(project, hostile)
      putTasks(taskHomeOf(place), hostile)
      const opened = await bridge.call('projects.open', { path: project })
      const keys = await readAll(opened.project)
      expect(keys.filter((key) => key.includes(':good/')).length).toBeGreaterThanOrEqual(RUNS_OF_SAMPLE)
      for (const parts of hostile.folders) {
        const name = Buffer.concat(parts.flatMap((part) => [part, Buffer.from('/')])).toString()
        // A name that is still to be filled in is a template's, which is no run.
        const isTemplate = /\{\{\s*[\w .-]+\s*\}\}/.test(name)
        if (isFileName(`${name}.meta/session.json`) && Buffer.from(name).length < 900 && !isTemplate)
          expect(keys).toContain(`metashell:${name}.meta/session.json`)
      }
      const { tasks } = await bridge.call('tasks.list', { after: null })
      for (const { id } of tasks) await bridge.call('tasks.show', { id })
      const config = { c64u: { host: hostile.host.toString() }, vice: { host: hostile.host.toString(), port: 1 } }
      writeFileSync(join(place.folder, 'home/.c64bridge.json'), JSON.stringify(config))
      await bridge.call('connections.list', {})
      await bridge.call('recorder.list', {})
      await bridge.call('machine.list', {})
      await bridge.call('projects.close', { project: opened.project })
      await bridge.call('projects.forget', { project: opened.project })
      rmSync(project, { recursive: true, force: true })
      expect(bridge.misfits).toEqual([])
      expect(bridge.how).toBeUndefined()
    },
    100,
  )
})
