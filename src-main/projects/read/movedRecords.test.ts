import { expect, it } from 'vitest'
import { movedRecords } from './movedRecords'

const active = 'maestro:.gemini/state/active-session.md'
const archive = (id: string) => `maestro:.gemini/state/archive/${id}.md`
const owners = (...of: [key: string, id: string][]) => new Map(of)

it('Records stay with a run that stays', () => {
  expect(movedRecords([{ key: active, id: 'a' }], owners([active, 'a']))).toEqual([])
})

it('Records follow a session into its archive, also when the next one has its place', () => {
  const to = [{ from: active, to: archive('a') }]
  expect(movedRecords([{ key: archive('a'), id: 'a' }], owners([active, 'a']))).toEqual(to)
  const both = [
    { key: active, id: 'b' },
    { key: archive('a'), id: 'a' },
  ]
  expect(movedRecords(both, owners([active, 'a']))).toEqual(to)
})

it('Records stay where a run is away for a moment, and where the id of the run in their place is not known', () => {
  expect(movedRecords([], owners([active, 'a']))).toEqual([])
  expect(movedRecords([{ key: active, id: null }], owners([active, 'a']))).toEqual([])
})

it('Records of a run that is nowhere are set aside for another one in its place, and follow it once it is found', () => {
  const [aside] = movedRecords([{ key: active, id: 'b' }], owners([active, 'a']))
  expect(aside?.from).toBe(active)
  const from = aside?.to ?? ''
  expect(movedRecords([{ key: active, id: 'b' }], owners([from, 'a']))).toEqual([])
  expect(movedRecords([{ key: archive('a'), id: 'a' }], owners([from, 'a']))).toEqual([{ from, to: archive('a') }])
})

it('Records follow no run of another format, and none to where that run has records already', () => {
  expect(movedRecords([{ key: 'tuning:a', id: 'a' }], owners([active, 'a']))).toEqual([])
  const runs = [{ key: archive('a'), id: 'a' }]
  expect(movedRecords(runs, owners([active, 'a'], [archive('a'), 'a']))).toEqual([])
})
