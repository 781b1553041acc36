import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { databasePathIn } from '../storage/database'
import { OwnDatabase } from '../storage/ownDatabase'
import type { BridgeOptions } from './bridgeParts'
import { guardDatabase } from './guardDatabase'

let folder: string
let database: OwnDatabase
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-guard-'))
  database = OwnDatabase.open(databasePathIn(folder))
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
  database.close()
  for (const path of [folder, `${folder}-moved`]) rmSync(path, { recursive: true, force: true })
})

it('a bridge in the background ends when its place stays gone, and not when it comes back', () => {
  const socket = join(folder, 'bridge.sock')
  writeFileSync(socket, '')
  const log: string[] = []
  let stops = 0
  const options: BridgeOptions = {
    dataFolder: folder,
    resources: '',
    workerPath: '',
    recorderPath: '',
    lifetime: 'background',
    background: { endsWhenIdle: () => false, listensAt: socket, onStay: () => undefined, onStop: () => stops++ },
    log: (message) => log.push(message),
  }
  const guard = guardDatabase(database, options, () => undefined)
  vi.advanceTimersByTime(10_000)
  renameSync(folder, `${folder}-moved`)
  vi.advanceTimersByTime(50_000)
  expect(log).toEqual([expect.stringContaining('was deleted or moved while Bridgedeck ran')])
  renameSync(`${folder}-moved`, folder)
  vi.advanceTimersByTime(50_000)
  expect(stops).toBe(0)
  // Another folder in its place has no socket of this bridge.
  rmSync(socket)
  vi.advanceTimersByTime(300_000)
  expect(stops).toBe(1)
  guard.close()
})
