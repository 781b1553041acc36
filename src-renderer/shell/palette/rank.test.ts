import { describe, expect, it } from 'vitest'
import type { PaletteItem } from './paletteItem'
import { indexed, rank } from './rank'

const item = (title: string, more: Partial<PaletteItem> = {}): PaletteItem => ({
  key: title,
  kind: 'Task',
  title,
  detail: '',
  limit: null,
  goal: { to: 'task', task: title },
  ...more,
})

const found = (items: readonly PaletteItem[], typed: string, recent: readonly string[] = []) =>
  rank(indexed(items), typed, recent, 10).items.map(({ title }) => title)

describe('what the palette finds', () => {
  it('stands higher the nearer the typed text is to the beginning of a title', () => {
    const items = [item('Outrecord'), item('Something', { detail: 'recorded' }), item('Stop recording'), item('Record')]
    expect(found(items, 'rec')).toEqual(['Record', 'Stop recording', 'Outrecord', 'Something'])
  })

  it('has every typed word, in title, kind or detail, in any order and case', () => {
    const items = [item('dump-17', { detail: 'dumpMemory, vice' }), item('dump-18', { detail: 'dumpMemory, builtin' })]
    expect(found(items, 'VICE dump')).toEqual(['dump-17'])
    expect(found(items, 'task dump-18')).toEqual(['dump-18'])
    expect(found(items, 'dump ultimate')).toEqual([])
  })

  it('is known by the initials of its words', () => {
    expect(found([item('Load and run a program'), item('Largest')], 'lar')).toEqual([
      'Largest',
      'Load and run a program',
    ])
  })

  it('comes in the order of the providers where nothing tells items apart', () => {
    expect(found([item('b one'), item('a one'), item('c one')], 'one')).toEqual(['b one', 'a one', 'c one'])
  })

  it('puts what was chosen last first, with nothing typed and among those that fit as well', () => {
    const items = [item('Task a'), item('Task b'), item('Task c')]
    expect(found(items, '', ['Task c', 'Task b'])).toEqual(['Task c', 'Task b', 'Task a'])
    expect(found(items, 'task', ['Task b'])).toEqual(['Task b', 'Task a', 'Task c'])
  })

  it('lets no earlier choice outweigh a title that is what was typed', () => {
    expect(found([item('Reset the layout'), item('Reset')], 'reset', ['Reset the layout'])).toEqual([
      'Reset',
      'Reset the layout',
    ])
  })

  it('puts what cannot be done now behind what can', () => {
    expect(found([item('Step over', { limit: 'No step.' }), item('Step in')], 'step')).toEqual(['Step in', 'Step over'])
  })

  it('is cut at a number, and counted whole', () => {
    const many = Array.from({ length: 40 }, (_, n) => item(`task ${n}`))
    const { items, count } = rank(indexed(many), 'task', [], 10)
    expect([items.length, count]).toEqual([10, 40])
  })
})
