import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openDatabase } from './database'
import { SpendingStore } from './spending'

it('What agents have cost is summed by run, by day and in all, each agent once, and what none said is counted', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bridgedeck-spending-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const database = openDatabase(join(folder, 'spending.sqlite'))
  const spending = new SpendingStore(database)
  const add = (agentRun: string, day: string, project: number, cost: number | null, milliseconds: number) =>
    spending.add({ agentRun, day, project, run: 'a', cost, milliseconds })
  add('1', '2026-11-22', 1, 0.25, 1_000)
  add('2', '2026-11-23', 1, 0.5, 2_000)
  add('2', '2026-11-23', 1, 0.5, 2_000)
  add('3', '2026-11-23', 1, null, 4_000)
  add('4', '2026-11-23', 2, 1, 8_000)
  expect(spending.ofRun(1, 'a')).toEqual({ cost: 0.75, milliseconds: 7_000, unpriced: 1 })
  expect(spending.ofDay('2026-11-23')).toEqual({ cost: 1.5, milliseconds: 14_000, unpriced: 1 })
  expect(spending.total).toEqual({ cost: 1.75, milliseconds: 15_000, unpriced: 1 })
  expect(spending.ofRun(3, 'a')).toEqual({ cost: 0, milliseconds: 0, unpriced: 0 })
  database.close()
})
