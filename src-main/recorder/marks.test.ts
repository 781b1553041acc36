import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MAX_MARKS, type Mark } from '@shared/contract/recorder'
import { exportRecording } from './export'
import { RecordingReader } from './reader'
import { migrations, openToWrite } from './schema'
import { RecordingWriter } from './writer'

const START = 1_790_000_000_000
const END = START + 40

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-marks-'))
  path = join(folder, 'recording.sqlite')
})
afterEach(() => rmSync(folder, { recursive: true }))

function write<T>(work: (writer: RecordingWriter) => T): T {
  const writer = new RecordingWriter(path)
  try {
    return work(writer)
  } finally {
    writer.close()
  }
}

const record = (): void =>
  write((writer) => {
    for (let seq = 0; seq < 3; seq++) {
      const segments = [{ space: 'ram' as const, address: 0, bytes: Uint8Array.of(seq) }]
      writer.append({ machine: 'builtin', epoch: 1, seq, time: START + seq * 20, segments })
    }
  })

function marks(): Mark[] {
  const reader = new RecordingReader(path)
  try {
    return reader.marks({})
  } finally {
    reader.close()
  }
}

/** The file as a version of Bridgedeck made it, with what the recorder wrote into it since. */
function asOfVersion(version: number): void {
  const frames = new Database(path, { readonly: true })
  const rows = frames.prepare('SELECT frame, time, seq, registers FROM frames').all()
  frames.close()
  rmSync(path)
  const older = openToWrite(path, migrations.slice(0, version))
  for (const row of rows) older.prepare('INSERT INTO frames VALUES (@frame, @time, @seq, @registers)').run(row)
  older.prepare("INSERT INTO epochs VALUES (0, 1, 'builtin')").run()
  older.close()
}

describe('the marks of a recording', () => {
  it('stand in the order of time, each with its text and value', () => {
    record()
    const late = write((writer) => writer.addMark({ time: START + 20.5, text: '@$d020 == 2', value: 1 }))
    const early = write((writer) => writer.addMark({ time: START, text: 'the title', value: null }))
    expect(marks()).toEqual([early, late])
    expect(late).toMatchObject({ time: START + 20.5, text: '@$d020 == 2', value: 1 })
  })

  it('are of the newest frame without a time, and of no time outside of the recording', () => {
    record()
    expect(write((writer) => writer.addMark({ text: 'now', value: null }))).toMatchObject({ time: END })
    for (const time of [START - 1, END + 1])
      expect(() => write((writer) => writer.addMark({ time, text: 'x', value: null }))).toThrow('not in the recording')
    expect(write((writer) => writer.addMark({ time: END + 1, text: 'x', value: null }, END + 5)).time).toBe(END + 1)
  })

  it('need a frame, and get no number twice', () => {
    expect(() => write((writer) => writer.addMark({ text: 'x', value: null }))).toThrow('no frames')
    record()
    const { mark } = write((writer) => writer.addMark({ text: 'x', value: null }))
    write((writer) => writer.deleteMark(mark))
    expect(marks()).toEqual([])
    expect(() => write((writer) => writer.deleteMark(mark))).toThrow(`no mark ${mark}`)
    expect(write((writer) => writer.addMark({ text: 'y', value: null })).mark).toBeGreaterThan(mark)
  })

  it('are so many and no more', () => {
    record()
    const database = new Database(path)
    const insert = database.prepare("INSERT INTO marks (time, text) VALUES (?, 'x')")
    database.transaction(() => {
      for (let mark = 0; mark < MAX_MARKS; mark++) insert.run(START * 1000)
    })()
    database.close()
    expect(() => write((writer) => writer.addMark({ text: 'x', value: null }))).toThrow(String(MAX_MARKS))
  })

  it('leave out what a foreign program wrote in their place', () => {
    record()
    write((writer) => writer.addMark({ text: 'ours', value: null }))
    const database = new Database(path)
    database.prepare('INSERT INTO marks (time, text) VALUES (?, ?)').run(START * 1000, 'x'.repeat(100_000))
    database.prepare('INSERT INTO marks (time, text) VALUES (?, ?)').run(START * 1000, 'two\nlines')
    database.close()
    expect(marks().map(({ text }) => text)).toEqual(['ours'])
  })

  it('are exported as CSV, whatever their text is', () => {
    record()
    write((writer) => writer.addMark({ time: START, text: 'say "hi", then =1', value: null }))
    write((writer) => writer.addMark({ time: START + 20, text: 'A == 5', value: 1 }))
    const reader = new RecordingReader(path)
    const file = join(folder, 'marks.csv')
    const steps = exportRecording(reader, file, { format: 'marks' })
    while (steps.next().done !== true);
    reader.close()
    expect(readFileSync(file, 'utf8').split('\n')).toEqual([
      'time,milliseconds,text,value',
      `${new Date(START).toISOString()},${START}.000,"say ""hi"", then =1",`,
      `${new Date(START + 20).toISOString()},${START + 20}.000,"A == 5",1`,
      '',
    ])
  })
})

describe('a recording of an earlier version', () => {
  const versions = migrations.map((_, index) => index).slice(1)

  it.each(versions)('of version %s is read as it is, and has no marks', (version) => {
    record()
    asOfVersion(version)
    const reader = new RecordingReader(path)
    expect(reader.info().frames).toBe(3)
    expect(reader.marks({})).toEqual([])
    reader.close()
  })

  it.each(versions)('of version %s takes marks once it is written to, and keeps its frames', (version) => {
    record()
    asOfVersion(version)
    const { mark } = write((writer) => writer.addMark({ text: 'x', value: null }))
    const reader = new RecordingReader(path)
    expect(reader.info()).toMatchObject({ frames: 3, from: START, to: END, machine: 'builtin' })
    expect(reader.marks({}).map((one) => one.mark)).toEqual([mark])
    reader.close()
    const database = new Database(path, { readonly: true })
    expect(database.pragma('user_version', { simple: true })).toBe(migrations.length)
    database.close()
  })
})
