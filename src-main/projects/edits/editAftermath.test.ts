import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Payload } from '@shared/contract/contract'
import { AppError } from '@shared/contract/errors'
import { openDatabase, type Database } from '../../storage/database'
import { EditStore, type StoredEdit } from '../../storage/edits'
import { ProjectStore } from '../../storage/projects'
import { EditAftermath } from './editAftermath'

const slowSwap = vi.hoisted(() => ({ begun: () => {}, until: Promise.resolve() }))
vi.mock('../../files/compareAndSwap', async (original) => {
  const real = await original<typeof import('../../files/compareAndSwap')>()
  return {
    ...real,
    mergeAndSwap: async (...args: Parameters<typeof real.mergeAndSwap>) => {
      const swapped = await real.mergeAndSwap(...args)
      slowSwap.begun()
      await slowSwap.until
      return swapped
    },
  }
})

const FILE = 'answer.md'
const BEFORE = 'Decision:\n\nNotes:\n\n'
const AFTER = 'Decision: A\n\nNotes:\n\n'

let root: string
let database: Database
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'bridgedeck-aftermath-'))
  database = openDatabase(join(root, 'bridgedeck.sqlite'))
})
afterEach(async () => {
  vi.useRealTimers()
  database.close()
  await rm(root, { recursive: true })
})

it('tells a drop that it sees while it merges an earlier version once the merge has ended, and keeps what it told', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const project = new ProjectStore(database).opened(root, Date.now()).id
  const store = new EditStore(database)
  const overwritten: Payload<'projects.overwritten'>[] = []
  const aftermath = new EditAftermath({
    store,
    folderOf: () => ({ root, isStrict: false, remembered: new Map() }),
    editing: () => ({
      root,
      isStrict: false,
      plan: () => Promise.reject(new AppError('INVALID', 'It no longer fits.')),
    }),
    onWritten: () => undefined,
    writerOf: () => null,
    onOverwritten: (event) => overwritten.push(event),
    onEdited: () => undefined,
    log: (message, error) => {
      throw new Error(message, { cause: error })
    },
  })
  const change = { file: FILE, before: BEFORE, after: AFTER }
  const written = {
    time: Date.now(),
    project,
    run: 'run',
    summary: 'Answered',
    changes: {
      request: { kind: 'action' as const, name: 'answer', target: FILE, values: {} },
      files: [change],
      remembered: [],
    },
  }
  const edit: StoredEdit = { ...written, edit: store.add(written), undoneAt: null }
  aftermath.add(edit, { root, isStrict: false, plan: () => Promise.reject(new AppError('INVALID', '')) }, '', [])

  const merging = new Promise<void>((resolve) => (slowSwap.begun = resolve))
  let endMerge = () => {}
  slowSwap.until = new Promise((resolve) => (endMerge = resolve))
  await writeFile(join(root, FILE), `${BEFORE}A note of an agent.\n`)
  aftermath.filesChanged(project, new Set([FILE]))
  await merging
  vi.setSystemTime(Date.now() + 10_000)
  await writeFile(join(root, FILE), BEFORE)
  aftermath.filesChanged(project, new Set([FILE]))
  // Longer than a check waits before it believes what it saw.
  await new Promise((done) => setTimeout(done, 200))
  endMerge()
  await vi.waitFor(() => expect(overwritten).toMatchObject([{ edit: edit.edit, file: FILE, kind: 'dropped' }]))
  await aftermath.close()
  expect(store.get(project, edit.edit)?.changes.overwritten).toMatchObject({ file: FILE, theirs: BEFORE })
  expect(await readFile(join(root, FILE), 'utf8')).toBe(BEFORE)
})
