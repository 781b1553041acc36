import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dataVersions, newerData, noteDataVersion, requireKnownData } from './dataVersion'

let folder: string
let note: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-version-'))
  note = join(folder, 'version.json')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function writeDatabase(version: number): void {
  const header = Buffer.alloc(4096)
  header.write('SQLite format 3\0', 'latin1')
  header.writeUInt32BE(version, 60)
  writeFileSync(join(folder, 'bridgedeck.sqlite'), header)
}

describe('the version of a data folder', () => {
  it('is noted once, privately, and known from then on', () => {
    expect(newerData(folder)).toBeUndefined()
    noteDataVersion(folder)
    expect(JSON.parse(readFileSync(note, 'utf8'))).toEqual({ version: dataVersions.folder })
    expect(readdirSync(folder)).toEqual(['version.json'])
    expect(newerData(folder)).toBeUndefined()
  })

  it('is newer than this Bridgedeck, whatever else the note says', () => {
    writeFileSync(note, JSON.stringify({ version: dataVersions.folder + 1, parts: [] }))
    expect(() => requireKnownData(folder)).toThrow(expect.objectContaining({ code: 'CONFLICT' }))
    expect(newerData(folder)?.message).toContain(folder)
  })

  it.each(['', 'no JSON', '[]', '{"version":"2"}', '{"version":1.5}'])('takes a damaged note for none: %s', (text) => {
    writeFileSync(note, text)
    expect(newerData(folder)).toBeUndefined()
    noteDataVersion(folder)
    expect(JSON.parse(readFileSync(note, 'utf8'))).toEqual({ version: dataVersions.folder })
  })

  it('is that of its database where nothing else tells', () => {
    writeDatabase(dataVersions.database)
    expect(newerData(folder)).toBeUndefined()
    writeDatabase(dataVersions.database + 1)
    expect(newerData(folder)).toMatchObject({ code: 'CONFLICT' })
  })

  it('takes an impossible version of the database for damage', () => {
    writeDatabase(0x12345678)
    expect(newerData(folder)).toBeUndefined()
  })

  it('leaves a database alone that a process may have open', () => {
    writeDatabase(dataVersions.database + 1)
    writeFileSync(join(folder, 'bridgedeck.sqlite-shm'), '')
    expect(newerData(folder)).toBeUndefined()
  })
})
