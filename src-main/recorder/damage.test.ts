import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { AppError } from '@shared/contract/errors'
import { dataVersions } from '../files/dataVersion'
import { RecordingReader } from './reader'
import { migrations } from './schema'
import { RecordingWriter } from './writer'

// Many recordings are written; how long that takes is no part of what is tested.
vi.setConfig({ testTimeout: 60_000 })

const folder = mkdtempSync(join(tmpdir(), 'damaged-'))
afterAll(() => rmSync(folder, { recursive: true }))

const START = 1_790_000_000_000
const file = join(folder, 'recording.sqlite')
const original = join(folder, 'original.sqlite')
{
  const writer = new RecordingWriter(original)
  for (let number = 0; number < 600; number++) {
    const ram = Uint8Array.from(
      { length: 0x10000 },
      (_, address) => (address * 7 + (address % 50 === number % 50 ? number : 0)) & 0xff,
    )
    writer.append({
      machine: 'builtin',
      epoch: 1,
      seq: number,
      time: START + number * 20,
      segments: [{ space: 'ram', address: 0, bytes: ram }],
    })
  }
  writer.close()
}
const content = readFileSync(original)

/** All that can be asked; what is thrown must be a sentence for the person. */
function askEverything(): void {
  const asked = (ask: (reader: RecordingReader) => unknown) => {
    let reader: RecordingReader | undefined
    try {
      reader = new RecordingReader(file)
      ask(reader)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      expect(error.message).toContain('recording.sqlite')
    } finally {
      reader?.close()
    }
  }
  asked((reader) => reader.info())
  for (const number of [0, 299, 599]) {
    asked((reader) => {
      const { frame, segments } = reader.imageAt(START + number * 20, ['ram'], true)
      // What is told is right: no byte of it is another one.
      const [segment] = segments
      if (frame !== number || segments.length !== 1 || segment?.bytes.length !== 0x10000) return
      for (const address of [0, 1, number % 50, 0xffff]) {
        expect(segment.bytes[address]).toBe((address * 7 + (address % 50 === number % 50 ? number : 0)) & 0xff)
      }
    })
  }
  asked((reader) => reader.changes('ram', 25, {}, 'first', 100))
  asked((reader) => reader.values('ram', 25, {}, 100))
  asked((reader) => reader.difference('ram', [START, START + 10_000]))
}

describe('a recording whose file is broken', () => {
  it('answers or says why not, wherever the file ends', () => {
    fc.assert(
      fc.property(fc.nat(content.length), (length) => {
        writeFileSync(file, content)
        truncateSync(file, length)
        askEverything()
      }),
      { numRuns: 15 },
    )
  })

  it('is refused where its end is missing, also within a page, which SQLite would read as zeros', () => {
    for (const missing of [1, 97, 1_000, 4_095, 4_096, 100_000]) {
      writeFileSync(file, content)
      truncateSync(file, content.length - missing)
      expect(() => new RecordingReader(file), `${missing} bytes missing`).toThrow('damaged')
    }
  })

  it('answers or says why not, whatever its bytes are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(content.length - 1), fc.uint8Array({ minLength: 1, maxLength: 64 })), {
          minLength: 1,
          maxLength: 20,
        }),
        (spots) => {
          const bytes = Buffer.from(content)
          for (const [at, spoilt] of spots) bytes.set(spoilt.subarray(0, bytes.length - at), at)
          writeFileSync(file, bytes)
          askEverything()
        },
      ),
      { numRuns: 25 },
    )
  })

  it('names what is no recording', () => {
    writeFileSync(
      file,
      'not a database, just some text that is long enough to be looked at by SQLite as if it were one, or not',
    )
    expect(() => new RecordingReader(file)).toThrow('recording.sqlite is not a Bridgedeck recording')
    rmSync(file)
    expect(() => new RecordingReader(file)).toThrow('There is no recording')
    const other = new Database(file)
    other.exec('CREATE TABLE other (x)')
    other.close()
    expect(() => new RecordingReader(file)).toThrow('is not a Bridgedeck recording')
    expect(() => new RecordingWriter(file)).toThrow('is not a Bridgedeck recording')
  })

  it('has the version that a data folder is known by', () => {
    expect(dataVersions.recording).toBe(migrations.length)
  })

  it('refuses one of a newer Bridgedeck, and leaves it as it is', () => {
    writeFileSync(file, content)
    const database = new Database(file)
    database.pragma('user_version = 99')
    database.close()
    const before = readFileSync(file)
    expect(() => new RecordingReader(file)).toThrow('made by a newer Bridgedeck')
    expect(() => new RecordingWriter(file)).toThrow('made by a newer Bridgedeck')
    expect(readFileSync(file).equals(before)).toBe(true)
  })
})
