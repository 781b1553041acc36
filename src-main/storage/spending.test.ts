import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { AgentRun } from '@shared/contract/agents'
import { AgentRunStore } from './agentRuns'
import { openDatabase, type Database } from './database'
import { SpendingStore } from './spending'

function ownDatabase(): Database {
  const folder = mkdtempSync(join(tmpdir(), 'bridgedeck-spending-'))
  const database = openDatabase(join(folder, 'spending.sqlite'))
  onTestFinished(() => {
    database.close()
    rmSync(folder, { recursive: true })
  })
  return database
}

const charge = { agentRun: '1', day: '2026-11-23', night: '2026-11-23', project: 1, run: 'a' }
const ended: AgentRun = {
  run: '1',
  agent: 'coder',
  preset: 'claude',
  purpose: '',
  turn: null,
  model: null,
  state: 'ended',
  pid: 7,
  askedAt: 0,
  startedAt: 1_000,
  endedAt: 3_000,
  status: 'success',
  reason: '',
  exitCode: 0,
  stillAlive: [],
  tokens: null,
  cost: 0.07,
  turns: null,
  lastLine: '',
  output: { bytes: 0, lines: 0 },
  errors: { bytes: 0, lines: 0 },
}

it('A price that is told later replaces an unknown one, and nothing takes a price away', () => {
  const spending = new SpendingStore(ownDatabase())
  spending.open(charge)
  expect(spending.total).toEqual({ cost: 0, milliseconds: 0, unpriced: 0, estimated: 0 })
  spending.add({ ...charge, cost: null, milliseconds: 1_000 })
  expect(spending.total).toEqual({ cost: 0, milliseconds: 1_000, unpriced: 1, estimated: 0 })
  spending.add({ ...charge, cost: 0.07, milliseconds: 2_000 })
  spending.add({ ...charge, cost: null, milliseconds: 500 })
  expect(spending.total).toEqual({ cost: 0.07, milliseconds: 2_000, unpriced: 0, estimated: 0 })
})

it('A cost that was worked out is told apart, also once its record is forgotten', () => {
  const database = ownDatabase()
  const [spending, runs] = [new SpendingStore(database), new AgentRunStore(database)]
  spending.add({ ...charge, agentRun: '2', cost: 1, milliseconds: 0 })
  spending.add({ ...charge, cost: 0.07, isEstimated: true, milliseconds: 2_000 })
  expect(spending.total).toMatchObject({ cost: 1.07, estimated: 0.07 })
  runs.save({ ...ended, cost: 0.09, pricesOf: '2026-11-01' })
  expect(spending.total).toMatchObject({ cost: 1.09, estimated: 0.09 })
  runs.forget('1')
  expect(spending.total).toMatchObject({ cost: 1.09, estimated: 0.09 })
})

it('A charge is of the day on which it was first told, not of that on which the agent was asked', () => {
  const spending = new SpendingStore(ownDatabase())
  spending.open({ ...charge, day: '2026-11-22' })
  spending.add({ ...charge, cost: 1, milliseconds: 1_000 })
  spending.add({ ...charge, day: '2026-11-25', cost: 1, milliseconds: 1_000 })
  expect([spending.ofDay('2026-11-22').cost, spending.ofDay('2026-11-23').cost]).toEqual([0, 1])
})

it('What a run’s record says counts, whatever was charged, and stays when the record is forgotten', () => {
  const database = ownDatabase()
  const [spending, runs] = [new SpendingStore(database), new AgentRunStore(database)]
  spending.add({ ...charge, cost: null, milliseconds: 10 })
  runs.save({ ...ended, state: 'left', endedAt: null, cost: null })
  expect(spending.total).toEqual({ cost: 0, milliseconds: 10, unpriced: 1, estimated: 0 })
  runs.save(ended)
  const known = { cost: 0.07, milliseconds: 2_000, unpriced: 0, estimated: 0 }
  expect([spending.ofRun(1, 'a'), spending.ofDay('2026-11-23'), spending.total]).toEqual([known, known, known])
  runs.forget('1')
  expect([spending.ofRun(1, 'a'), spending.ofDay('2026-11-23'), spending.total]).toEqual([known, known, known])
})

it('A run whose host ended before anything was charged counts as soon as its record is closed', () => {
  const database = ownDatabase()
  const spending = new SpendingStore(database)
  spending.open(charge)
  new AgentRunStore(database).save(ended)
  expect(spending.ofRun(1, 'a')).toEqual({ cost: 0.07, milliseconds: 2_000, unpriced: 0, estimated: 0 })
})

it('An agent that never started has no unknown cost', () => {
  const database = ownDatabase()
  const spending = new SpendingStore(database)
  spending.add({ ...charge, cost: null, milliseconds: 0 })
  new AgentRunStore(database).save({ ...ended, startedAt: null, cost: null })
  expect(spending.total).toEqual({ cost: 0, milliseconds: 0, unpriced: 0, estimated: 0 })
})

it('What agents have cost is summed by run, by day and in all, each agent once, and what none said is counted', () => {
  const spending = new SpendingStore(ownDatabase())
  const add = (agentRun: string, day: string, project: number, cost: number | null, milliseconds: number) =>
    spending.add({ agentRun, day, night: day, project, run: 'a', cost, milliseconds })
  add('1', '2026-11-22', 1, 0.25, 1_000)
  add('2', '2026-11-23', 1, 0.5, 2_000)
  add('2', '2026-11-23', 1, 0.5, 2_000)
  add('3', '2026-11-23', 1, null, 4_000)
  add('4', '2026-11-23', 2, 1, 8_000)
  expect(spending.ofRun(1, 'a')).toEqual({ cost: 0.75, milliseconds: 7_000, unpriced: 1, estimated: 0 })
  expect(spending.ofDay('2026-11-23')).toEqual({ cost: 1.5, milliseconds: 14_000, unpriced: 1, estimated: 0 })
  expect(spending.total).toEqual({ cost: 1.75, milliseconds: 15_000, unpriced: 1, estimated: 0 })
  expect(spending.ofRun(3, 'a')).toEqual({ cost: 0, milliseconds: 0, unpriced: 0, estimated: 0 })
})

it('A night has what was charged before and after its midnight', () => {
  const spending = new SpendingStore(ownDatabase())
  spending.add({ ...charge, agentRun: '1', cost: 1, milliseconds: 1_000 })
  spending.add({ ...charge, agentRun: '2', day: '2026-11-24', cost: 2, milliseconds: 2_000 })
  spending.add({ ...charge, agentRun: '3', day: '2026-11-24', night: '2026-11-24', cost: 4, milliseconds: 4_000 })
  expect(spending.ofNight('2026-11-23')).toEqual({ cost: 3, milliseconds: 3_000, unpriced: 0, estimated: 0 })
})
