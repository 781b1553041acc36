import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JournalEntry } from '@shared/contract/orchestration'
import type { DetailsOf } from '@shared/contract/runDetails'
import { timelineOf, timeScale } from './timeline'

it('has the turns that Bridgedeck measured, the one that runs without an end', () => {
  const turn = { project: 1, system: 'ncrew' as const, place: 'shop', folder: 'shop', role: 'dev' }
  const of = { agent: 'coder', state: 'ended', status: 'success', startedAt: 1_000, endedAt: 4_000 } as const
  const rows = timelineOf(
    null,
    { needs: [] },
    [],
    [
      { ...of, turn: { ...turn, task: 'code/2' }, state: 'running', status: null, startedAt: 5_000, endedAt: null },
      { ...of, turn: { ...turn, task: 'code/1' }, status: 'error' },
      { ...of, turn: { ...turn, task: null } },
      { ...of, turn: null },
    ],
  )
  expect(rows.map(({ label, from, to, tone, key }) => [label, from, to, tone, key])).toEqual([
    ['dev code/1', 1_000, 4_000, 'bad', 'code/1'],
    ['dev', 1_000, 4_000, 'ok', null],
    ['dev code/2', 5_000, null, 'accent', 'code/2'],
  ])
})

const none = { value: null, source: null }
const known = <T>(value: T) => ({ value, source: { file: 'state.md', line: 3 } })

const phase = (
  key: string,
  started: number | null,
  completed: number | null,
  errors: DetailsOf<'maestro'>['phases'][number]['errors'] = [],
): DetailsOf<'maestro'>['phases'][number] => ({
  key,
  id: known(key),
  name: known(`Phase ${key}`),
  status: known(completed === null ? 'in_progress' : 'completed'),
  agents: [known('coder')],
  parallel: none,
  started: started === null ? none : known(started),
  completed: completed === null ? none : known(completed),
  blockedBy: [],
  files: { created: [], modified: [], deleted: [], planned: [] },
  downstream: [],
  errors,
  retries: none,
  requiresReconciliation: none,
  reconciliationReason: none,
})
const maestro = (...phases: DetailsOf<'maestro'>['phases']): DetailsOf<'maestro'> => ({
  system: 'maestro',
  stateDir: '',
  stateDirSetting: { value: '.gemini', source: 'default' },
  session: null,
  phases,
  plans: [],
  designGates: [],
  hookFiles: [],
  batches: [],
})
const seen: JournalEntry = {
  entry: 1,
  time: 500,
  project: 1,
  run: 'metashell:.meta/session.json',
  file: '.meta/session.json',
  kind: 'changed',
  field: '/status',
  from: '"a"',
  to: '"b"',
  hash: null,
  writer: null,
}

describe('the timeline of a run', () => {
  it('has the phases that have begun, with their errors, in the order of time', () => {
    const error = {
      agent: known('coder'),
      time: known(150),
      type: known('timeout'),
      message: known('too long'),
      resolution: none,
      resolved: none,
    }
    const rows = timelineOf(
      maestro(phase('2', 200, null), phase('1', 100, 180, [error]), phase('3', null, null)),
      { needs: [] },
      [],
    )
    expect(rows.map(({ label, from, to, note }) => [label, from, to, note])).toEqual([
      ['Phase 1', 100, 180, 'completed, by coder'],
      ['timeout', 150, 150, 'coder: too long'],
      ['Phase 2', 200, null, 'in_progress, by coder'],
    ])
  })

  it('has what was seen where the files tell no time, and nothing where nothing was', () => {
    const details: DetailsOf<'metashell'> = {
      system: 'metashell',
      context: [],
      variables: [],
      artefacts: [],
      cursor: none,
      locked: false,
    }
    expect(timelineOf(details, { needs: [] }, [])).toEqual([])
    expect(timelineOf(details, { needs: [] }, [seen]).map(({ label, note }) => [label, note])).toEqual([
      ['session.json', 'seen: /status → "b"'],
    ])
  })

  it('does not count as a happening that somebody first looked', () => {
    expect(timelineOf(null, { needs: [] }, [{ ...seen, kind: 'seen', field: null, to: null }])).toEqual([])
  })

  it('leaves out times that are none', () => {
    expect(timelineOf(maestro(phase('1', 1e300, null)), { needs: [] }, [])).toEqual([])
  })
})

describe('a scale of time', () => {
  it('is even, or leaves out what lies idle', () => {
    const rows = [
      { from: 0, to: 100 },
      { from: 10_000, to: 10_100 },
    ]
    expect(timeScale(rows, 0, false).placeOf(10_000)).toBeCloseTo(10_000 / 10_100)
    const short = timeScale(rows, 0, true)
    expect(short.placeOf(100)).toBeLessThan(short.placeOf(10_000))
    expect(short.placeOf(10_000)).toBeLessThan(0.7)
    expect(short.leftOut).toBeGreaterThan(9_000)
    expect(timeScale([...rows, { from: 50, to: null }], 20_000, true).leftOut).toBeGreaterThan(18_000)
  })

  it('goes on from the earliest to the latest, whatever the rows', () => {
    const row = fc.record({
      from: fc.integer({ min: -1e6, max: 1e6 }),
      to: fc.option(fc.integer({ min: -1e6, max: 1e6 })),
    })
    fc.assert(
      fc.property(
        fc.array(row),
        fc.boolean(),
        fc.array(fc.integer({ min: -1e6, max: 1e6 })),
        (rows, leaveOutIdle, times) => {
          const { placeOf } = timeScale(rows, 0, leaveOutIdle)
          const places = times.sort((a, b) => a - b).map(placeOf)
          places.forEach((place, at) => {
            expect(place).toBeGreaterThanOrEqual(at === 0 ? 0 : (places[at - 1] ?? 0) - 1e-9)
            expect(place).toBeLessThanOrEqual(1 + 1e-9)
          })
        },
      ),
    )
  })
})
