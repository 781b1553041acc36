import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lastKeptRun, RunHistory, type RunHistoryOptions } from './runHistory'

let folder: string
let said: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-runs-'))
  said = []
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const history = (more: Partial<RunHistoryOptions> = {}) =>
  new RunHistory({
    folder,
    startedAt: Date.now() - 1000,
    say: (line) => said.push(line),
    note: (line) => said.push(line),
    ...more,
  })
const lines = (name = 'runs.ndjson') =>
  readFileSync(join(folder, 'artifacts', name), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { run: number; at: number; time: string; value?: unknown })

describe('the runs of a recurring task', () => {
  it('are a line each in the file and in the log, in order, with time and value', async () => {
    const runs = history()
    for (let run = 1; run <= 300; run++)
      runs.add(run, { summary: { bytes: run.toString(16), space: 'ram' }, value: { bytes: run } }, 0)
    await runs.settled()
    expect(lines().map(({ run }) => run)).toEqual(Array.from({ length: 300 }, (_, index) => index + 1))
    expect(lines()[11]).toEqual({
      run: 12,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/) as string,
      at: expect.any(Number) as number,
      value: { bytes: 12 },
    })
    expect(said[11]).toBe('iteration=12 {"bytes":12}')
  })

  it('add up: what each counts, how many there were and how many were left out', () => {
    const runs = history()
    const outcome = { summary: { samples: 1, missed: 0, space: 'ram' }, counts: { samples: 1, missed: 0 } }
    for (let run = 1; run <= 171; run++) runs.add(run, outcome, run % 10 === 0 ? 2 : 0)
    expect(runs.resultOf(outcome, 171, 1).summary).toEqual({ samples: 171, missed: 35, space: 'ram', runs: 171 })
  })

  it('go on after the task was resumed, also behind half a line', async () => {
    const outcome = { summary: { samples: 1 }, counts: { samples: 1 } }
    const before = history()
    for (let run = 1; run <= 3; run++) before.add(run, outcome, 1)
    await before.settled()
    const { summary } = before.resultOf(outcome, 3, 0)
    writeFileSync(join(folder, 'result.json'), JSON.stringify({ summary }))
    const path = join(folder, 'artifacts/runs.ndjson')
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, -10))
    const after = history()
    await after.resume()
    after.add(4, outcome, 0)
    await after.settled()
    expect(after.resultOf(outcome, 4, 0).summary).toEqual({ samples: 4, runs: 4, missed: 3 })
    expect(readFileSync(path, 'utf8').split('\n').at(-2)).toContain('"run":4')
    expect(await lastKeptRun(folder)).toBe(4)
  })

  it('are bounded: the newest are kept, and log and result tell from which on', async () => {
    const runs = history({ maxBytes: 1000 })
    for (let run = 1; run <= 100; run++) {
      runs.add(run, { summary: { bytes: '00' } }, 0)
      await runs.settled()
    }
    const kept = [...lines('runs.older.ndjson'), ...lines()].map(({ run }) => run)
    const [first = 0] = kept
    expect(first).toBeGreaterThan(50)
    expect(kept).toEqual(Array.from({ length: 101 - first }, (_, index) => first + index))
    expect(said.filter((line) => line.includes('are still kept')).at(-1)).toContain(`from ${first} on`)
    expect(runs.resultOf({ summary: {} }, 100, 0).summary).toMatchObject({ firstKeptRun: first })
    expect(readdirSync(join(folder, 'artifacts'))).toEqual(['runs.ndjson', 'runs.older.ndjson'])
  })

  it('with a value that is too long say so, and those that have none are no lines', async () => {
    const runs = history()
    runs.add(1, { summary: { text: 'x'.repeat(100_000) } }, 0)
    runs.add(2, { summary: { frames: 1 }, value: null }, 0)
    await runs.settled()
    expect(lines()).toMatchObject([{ run: 1, omittedCharacters: expect.any(Number) as number }])
    expect(said).toHaveLength(1)
    expect(said[0]?.length).toBeLessThan(400)
  })

  it('that cannot be written are told once, and are counted all the same', async () => {
    symlinkSync(tmpdir(), join(folder, 'artifacts'))
    const runs = history()
    for (let run = 1; run <= 3; run++) {
      runs.add(run, { summary: {}, value: run }, 0)
      await runs.settled()
    }
    expect(said.filter((line) => line.includes('is not kept'))).toHaveLength(1)
    expect(runs.resultOf({ summary: {} }, 3, 0)).toEqual({ summary: { runs: 3, missed: 0 }, artifacts: {} })
  })
})
