import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { readFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AppError } from '@shared/contract/errors'
import { backUp } from './backup'
import { measureData } from './measure'

let around: string
let folder: string
let tasks: string
let to: string
beforeEach(() => {
  around = mkdtempSync(join(tmpdir(), 'bridgedeck-backup-'))
  folder = join(around, 'data')
  tasks = join(around, 'tasks')
  to = join(around, 'all.tar.gz')
  const database = (path: string) => {
    mkdirSync(dirname(path), { recursive: true })
    const made = new Database(path)
    made.pragma('journal_mode = WAL')
    made.exec("CREATE TABLE profiles (sealed BLOB); INSERT INTO profiles VALUES ('sealed-secret')")
    made.close()
  }
  database(join(folder, 'bridgedeck.sqlite'))
  database(join(tasks, 'tasks/background/0001_film/recording.sqlite'))
  write(folder, { 'window.json': '{}', 'serve.json': 'token', 'bridge.pid': '1', 'bridgedeck.sqlite.before-14': 'old' })
  write(folder, { 'logs/main.log': 'log', 'agents/1.log': 'log', 'chromium/Cache/data': 'cache' })
  write(folder, { 'loops/a/turns/1.md': 'turn', 'loops/a/worktree/.git': 'gitdir', 'loops/a/worktree/source.c': 'c' })
  write(tasks, { 'tasks.json': '{}', 'tasks/0002_ram/log.txt': 'log', 'mine/private': 'other', 'notes.txt': 'other' })
})
afterEach(() => rmSync(around, { recursive: true, force: true }))

function write(place: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(place, path)), { recursive: true })
    writeFileSync(join(place, path), text)
  }
}

const make = (signal = new AbortController().signal, onPercent: (percent: number) => void = () => undefined) =>
  backUp({ folder, tasks, to, onPercent, signal })

/** By the headers, all of which have short names here. */
function namesIn(archive: Buffer): string[] {
  const names: string[] = []
  for (let at = 0; archive[at] !== 0;) {
    names.push(archive.toString('utf8', at, archive.indexOf(0, at)))
    at += 512 + Math.ceil(parseInt(archive.toString('latin1', at + 124, at + 135), 8) / 512) * 512
  }
  return names
}

describe('a backup', () => {
  it('has what is the person’s, and nothing that lets anybody in', async () => {
    const percents: number[] = []
    const made = await make(undefined, (percent) => percents.push(percent))
    const archive = gunzipSync(readFileSync(to))
    expect(namesIn(archive).toSorted()).toEqual([
      'README.txt',
      'bridgedeck/bridgedeck.sqlite',
      'bridgedeck/loops/a/turns/1.md',
      'bridgedeck/window.json',
      'c64bridge/tasks.json',
      'c64bridge/tasks/0002_ram/log.txt',
      'c64bridge/tasks/background/0001_film/recording.sqlite',
    ])
    expect(made).toMatchObject({ files: 6, left: [], leftCount: 0 })
    expect(archive.indexOf('sealed-secret')).toBe(archive.lastIndexOf('sealed-secret'))
    expect(percents.at(-1)).toBe(100)
    expect(percents).toEqual(percents.toSorted((a, b) => a - b))
    expect(readdirSync(folder)).not.toContain('backup')
  })

  it('names what it could not read', async () => {
    writeFileSync(join(tasks, 'tasks/background/0001_film/recording.sqlite'), 'no database')
    expect(await make()).toMatchObject({
      files: 5,
      leftCount: 1,
      left: [{ file: 'c64bridge/tasks/background/0001_film/recording.sqlite' }],
    })
  })

  it('is not made without the settings', async () => {
    writeFileSync(join(folder, 'bridgedeck.sqlite'), 'no database')
    await expect(make()).rejects.toBeInstanceOf(Error)
    expect(existsSync(to)).toBe(false)
  })

  it('leaves nothing where it is cancelled, and what was there before', async () => {
    writeFileSync(to, 'the last one')
    const controller = new AbortController()
    const reason = new AppError('CANCELLED', 'Enough.')
    await expect(make(controller.signal, () => controller.abort(reason))).rejects.toBe(reason)
    expect(readFileSync(to, 'utf8')).toBe('the last one')
    expect(readdirSync(around).toSorted()).toEqual(['all.tar.gz', 'data', 'tasks'])
    await expect.poll(() => readdirSync(folder)).not.toContain('backup')
  })
})

describe('the size of the data', () => {
  it('is told by part, without what belongs to others', async () => {
    if (process.platform !== 'win32') symlinkSync(around, join(folder, 'loop'))
    const { parts } = await measureData({ folder, tasks }, new AbortController().signal)
    expect(Object.fromEntries(parts.map(({ part, files }) => [part, files]))).toEqual({
      recordings: 1,
      tasks: 2,
      logs: 2,
      cache: 1,
      rest: 8,
    })
    expect(parts.find(({ part }) => part === 'cache')?.bytes).toBe(5)
  })

  it('is no longer counted once nobody wants it', async () => {
    const reason = new AppError('CANCELLED', 'Enough.')
    await expect(measureData({ folder, tasks }, AbortSignal.abort(reason))).rejects.toBe(reason)
  })
})
