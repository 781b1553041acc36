import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase, type Database } from './database'
import { SheetStore } from './sheets'

let folder: string
let database: Database
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-sheets-'))
  database = openDatabase(join(folder, 'bridgedeck.sqlite'))
})
afterEach(() => {
  database.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('the sheet that is kept', () => {
  it('is the last one', () => {
    const sheets = new SheetStore(database)
    expect(sheets.get()).toBeNull()
    sheets.keep(Uint8Array.of(1), null)
    sheets.keep(Uint8Array.of(2, 3), null)
    expect([sheets.get(), sheets.setAside]).toEqual([Uint8Array.of(2, 3), []])
  })

  it('leaves beside it what is set aside, the newest ten', () => {
    const sheets = new SheetStore(database)
    for (let n = 0; n < 13; n++) sheets.keep(Uint8Array.of(n), n)
    expect(sheets.get()).toEqual(Uint8Array.of(12))
    expect(sheets.setAside.map(([first]) => first)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2])
  })
})
