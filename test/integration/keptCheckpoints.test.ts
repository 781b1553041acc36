/** The person’s checkpoints, kept for each machine and program: what is put back, and what is not. */
import { describe, expect, it, vi } from 'vitest'
import { AppError } from '@shared/contract/errors'
import type { NewCheckpoint } from '@shared/contract/checkpoints'
import { Checkpoints } from '../../src-main/machine/builtin/checkpoints'
import type { CheckpointControl } from '../../src-main/machine/facets'
import type { Machine } from '../../src-main/machine/machine'
import type { NoteStore } from '../../src-main/storage/notes'
import type { BoundCheckpoints } from '../../src-main/labels/boundCheckpoints'
import { KeptCheckpoints } from '../../src-main/labels/keptCheckpoints'

const signal = new AbortController().signal
const at = (start: number, changes: Partial<NewCheckpoint> = {}): NewCheckpoint => ({
  start,
  end: start,
  operations: ['exec'],
  stop: true,
  enabled: true,
  temporary: false,
  condition: null,
  fromHit: 1,
  log: null,
  label: null,
  line: null,
  ...changes,
})

/** Notes that outlive a bridge. */
const notesOf = (kept = new Map<string, string>()) =>
  ({
    get: (name: string) => kept.get(name),
    set: (name: string, value: string) => void kept.set(name, value),
    delete: (name: string) => void kept.delete(name),
  }) as NoteStore

/** A bridge with one machine, which has its own checkpoints: a new one, or one that ran on. */
function bridge(notes: NoteStore, entries = new Checkpoints(), person = { isThere: true }) {
  const control: CheckpointControl = {
    list: () => Promise.resolve(entries.list()),
    set: (wanted) => {
      if (wanted.condition?.includes('gone')) throw new AppError('INVALID', '“gone” is not an address.')
      return Promise.resolve(entries.set(wanted))
    },
    async enable(number, enabled) {
      entries.enable(number, enabled)
    },
    async delete(number) {
      entries.delete(number)
    },
  }
  const bound: Pick<BoundCheckpoints, 'set' | 'change' | 'enable' | 'boundTo' | 'follow' | 'onFollowed'> = {
    set: (_, { label: _label, line: _line, ...wanted }) => control.set(wanted, signal),
    change: async (_, number, changes) => {
      const {
        number: before,
        hits: _hits,
        ...same
      } = (await control.list(signal)).find((each) => each.number === number) ?? { number: 0, hits: 0, ...at(0) }
      entries.delete(before)
      return control.set({ ...same, ...changes }, signal)
    },
    enable: async (_, number, enabled) => {
      await control.enable(number, enabled, signal)
      return null
    },
    boundTo: () => ({ label: null, line: null, unbound: null, enabledAgain: null }),
    follow: () => Promise.resolve(),
    onFollowed: () => undefined,
  }
  const told: (string | null)[] = []
  const checkpoints = new KeptCheckpoints({
    bound,
    notes,
    isPersons: () => person.isThere,
    log: (message) => expect(message).toBe(''),
    machines: { live: () => ({ checkpoints: control, unsupported: {} }) as Machine },
    onChanged: (_, lost) => told.push(lost),
  })
  const connect = async () => {
    checkpoints.statesChanged([{ machine: 'vice', connection: 'connecting' }])
    const before = told.length
    checkpoints.statesChanged([{ machine: 'vice', connection: 'live' }])
    await vi.waitFor(() => expect(told.length).toBeGreaterThan(before))
  }
  const lose = () => checkpoints.statesChanged([{ machine: 'vice', connection: 'lost' }])
  const starts = () => entries.list().map(({ start }) => start)
  return { checkpoints, entries, bound, person, told, connect, lose, starts }
}

describe('the person’s checkpoints', () => {
  it('are put back by the next bridge as they were changed last, without those that were deleted', async () => {
    const notes = notesOf()
    const { checkpoints } = bridge(notes)
    const first = await checkpoints.set('vice', at(0x0810), signal)
    const second = await checkpoints.set('vice', at(0x0820), signal)
    const third = await checkpoints.set('vice', at(0x0830), signal)
    await checkpoints.delete('vice', first.number, signal)
    await checkpoints.enable('vice', second.number, false, signal)
    await checkpoints.change('vice', third.number, { condition: 'A == 1', fromHit: 3, log: null }, signal)
    const next = bridge(notes)
    await next.connect()
    expect(next.entries.list()).toMatchObject([
      { start: 0x0820, enabled: false },
      { start: 0x0830, enabled: true, condition: 'A == 1', fromHit: 3 },
    ])
  })

  it('are not those of agents, until the person changes one, and not those that stop once', async () => {
    const notes = notesOf()
    const { checkpoints, person } = bridge(notes)
    person.isThere = false
    const agents = await checkpoints.set('vice', at(0x0810), signal)
    await checkpoints.set('vice', at(0x0820), signal)
    person.isThere = true
    await checkpoints.set('vice', at(0x0830, { temporary: true }), signal)
    await checkpoints.change('vice', agents.number, { condition: 'A == 1', fromHit: 1, log: null }, signal)
    const next = bridge(notes)
    await next.connect()
    expect(next.starts()).toEqual([0x0810])
  })

  it('belong to the program that was run last, or to all where none was', async () => {
    const notes = notesOf()
    const { checkpoints } = bridge(notes)
    await checkpoints.set('vice', at(0x0810), signal)
    await checkpoints.programLoaded('vice', '/games/one.prg')
    await checkpoints.set('vice', at(0x0820), signal)
    await checkpoints.programLoaded('vice', '/games/two.prg')
    await checkpoints.set('vice', at(0x0830), signal)
    const next = bridge(notes)
    await next.connect()
    expect(next.starts()).toEqual([0x0810, 0x0830])
    await next.checkpoints.programLoaded('vice', '/games/one.prg')
    expect(next.starts()).toEqual([0x0810, 0x0830, 0x0820])
    // They stand already.
    await next.checkpoints.programLoaded('vice', '/games/two.prg')
    expect(next.starts()).toEqual([0x0810, 0x0830, 0x0820])
  })

  it('are set again only where they are gone: in a machine that ended meanwhile, not in one that was lost for a while', async () => {
    const { checkpoints, entries, connect, lose, starts } = bridge(notesOf())
    checkpoints.statesChanged([{ machine: 'vice', connection: 'live' }])
    await checkpoints.set('vice', at(0x0810), signal)
    await checkpoints.set('vice', at(0x0820, { condition: 'X == 2' }), signal)
    lose()
    await connect()
    expect(starts()).toEqual([0x0810, 0x0820])
    lose()
    entries.restore({ entries: [], nextNumber: 1 })
    await connect()
    expect(entries.list()).toMatchObject([
      { start: 0x0810, condition: null },
      { start: 0x0820, condition: 'X == 2' },
    ])
  })

  it('have their conditions again where the machine tells none after it was lost', async () => {
    const { checkpoints, entries, connect, lose } = bridge(notesOf())
    checkpoints.statesChanged([{ machine: 'vice', connection: 'live' }])
    await checkpoints.set('vice', at(0x0810, { condition: 'A == 1' }), signal)
    lose()
    const told = entries.list().map((each) => ({ ...each, condition: 'X == 9' }))
    entries.restore({ entries: told.map((checkpoint) => ({ checkpoint, names: [] })), nextNumber: 2 })
    await connect()
    expect(entries.list()).toMatchObject([{ start: 0x0810, condition: 'A == 1' }])
  })

  it('take the place of what an earlier bridge left in a machine that ran on', async () => {
    const notes = notesOf()
    const { checkpoints } = bridge(notes)
    await checkpoints.set('vice', at(0x0810, { condition: 'A == 1' }), signal)
    const ranOn = new Checkpoints()
    ranOn.set(at(0x0810, { condition: 'A == 1' }))
    ranOn.set(at(0xc000))
    const next = bridge(notes, ranOn)
    await next.connect()
    expect(next.starts()).toEqual([0xc000, 0x0810])
  })

  it('that a machine refuses are told with the reason, and kept no more; the others are put back', async () => {
    const notes = notesOf()
    const { checkpoints, bound } = bridge(notes)
    const { number } = await checkpoints.set('vice', at(0x0810), signal)
    await checkpoints.set('vice', at(0x0820), signal)
    vi.spyOn(bound, 'change').mockResolvedValue({ ...at(0x0810, { condition: '@gone' }), number: 9, hits: 0 })
    await checkpoints.change('vice', number, { condition: '@gone', fromHit: 1, log: null }, signal)
    const next = bridge(notes)
    await next.connect()
    expect(next.told).toEqual(['$0810 if @gone: “gone” is not an address.'])
    expect(next.starts()).toEqual([0x0820])
    const last = bridge(notes)
    await last.connect()
    expect(last.told).toEqual([null])
  })

  it('follow what they are bound to', async () => {
    const notes = notesOf()
    const { checkpoints, bound } = bridge(notes)
    const set = await checkpoints.set('vice', at(0x0810, { label: 'draw' }), signal)
    bound.boundTo = () => ({ label: 'draw', line: null, unbound: null, enabledAgain: null })
    bound.onFollowed('vice', set.number, { ...set, number: 7, start: 0x0829, end: 0x0829 })
    const next = bridge(notes)
    await next.connect()
    expect(next.starts()).toEqual([0x0829])
  })
})
