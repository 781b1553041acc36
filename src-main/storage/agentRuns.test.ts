import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { AgentRun } from '@shared/contract/agents'
import { AgentRunStore } from './agentRuns'
import { openDatabase } from './database'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const run: AgentRun = {
  run: '0a',
  agent: 'coder',
  preset: 'claude',
  purpose: '',
  turn: null,
  model: null,
  state: 'ended',
  askedAt: 0,
  startedAt: 0,
  endedAt: 10,
  pid: 7,
  status: 'success',
  reason: '',
  exitCode: 0,
  tokens: null,
  cost: null,
  turns: null,
  stillAlive: [],
  output: { bytes: 0, lines: 0 },
  errors: { bytes: 0, lines: 0 },
  lastLine: '',
}

it('reads runs that an earlier version kept with more fields', () => {
  const database = openDatabase(join(folder, 'bridgedeck.db'))
  const store = new AgentRunStore(database)
  const withMore = { ...run, revision: 3 }
  store.save(withMore)
  expect(store.get('0a')).toEqual(run)
  database.close()
})

it('reads runs that an earlier version kept without the turn that they were', () => {
  const database = openDatabase(join(folder, 'bridgedeck.db'))
  const store = new AgentRunStore(database)
  store.save({ ...run, turn: undefined } as unknown as AgentRun)
  expect(store.get('0a')).toEqual(run)
  database.close()
})
