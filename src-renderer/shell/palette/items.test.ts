import { describe, expect, it } from 'vitest'
import { actionIds } from '@shared/actions'
import type { MachineState } from '@shared/contract/machine'
import type { Project } from '@shared/contract/orchestration'
import { defaultSettings } from '@shared/contract/settings'
import type { Task } from '@shared/contract/tasks'
import type { PlacedRun } from '../../views/projects/store'
import { LabelTable } from '@shared/c64/labels/labelTable'
import { namesOf } from '@shared/c64/labels/names'
import { allItems, labelItems, typedItems, type Known } from './items'
import type { Goal } from './paletteItem'
import { indexed, rank } from './rank'

const task = (id: string, more: Partial<Task> = {}) =>
  ({ id, operation: 'dumpMemory', machine: 'vice', recorded: null, own: true, ...more }) as Task

const known: Known = {
  titles: {},
  machines: [{ machine: 'builtin', title: 'Built-in C64', connection: 'idle', standard: 'ntsc' } as MachineState],
  front: 'builtin',
  tasks: new Map(
    [task('one'), task('two', { operation: 'record', recorded: { frames: 2, durationMs: 40 } })].map((each) => [
      each.id,
      each,
    ]),
  ),
  projects: new Map([[3, { project: 3, name: 'Game', place: '~/game' } as Project]]),
  choices: {
    chosen: () => 'cpu',
    hasRun: false,
    paletteLimit: (palette) => (palette === 'machine' ? 'None.' : null),
    accessesTold: 'all',
  },
  settings: defaultSettings,
  switched: { theme: 'dark', isWhole: true, hasBorders: false, isCrt: false, hasSprites: true, hasBeam: true },
  runs: new Map([
    [
      '3 a',
      { project: 3, run: { key: 'a', folder: 'a', title: { value: 'Music' }, id: { value: null } } } as PlacedRun,
    ],
  ]),
}

const items = allItems(known)
const leadingTo = (to: Goal['to']) => items.filter(({ goal }) => goal.to === to)

describe('the command palette', () => {
  it('has every command once but the one that opens it, with shortcut and limit', () => {
    const commands = leadingTo('action')
    expect(commands.map(({ key }) => key)).toEqual(actionIds.filter((id) => id !== 'view.palette'))
    expect(commands.find(({ key }) => key === 'machine.reset')).toMatchObject({ shortcut: 'Ctrl+R' })
    expect(commands.find(({ key }) => key === 'machine.disconnect')?.limit).not.toBeNull()
  })

  it.each([
    ['breakpoint', 'Registers'],
    ['koala', 'Convert a picture'],
    ['cost limit', 'Runs: Limit of a run'],
    ['d64', 'Load and run a program'],
    ['dark mode', 'Dark theme'],
    ['mcp', 'Connect an agent to the machines'],
    ['budget', 'Runs: Limit of a run'],
    ['rewind', 'Step back'],
  ])('finds what is known as “%s” too', (typed, title) => {
    const { items: found } = rank(indexed(items), typed, [], 10)
    expect(found.map((item) => item.title)).toContain(title)
  })

  it('has machines, projects, runs, tasks with the last one first, recordings, labels and settings', () => {
    expect(leadingTo('machine').map(({ detail }) => detail)).toEqual(['builtin'])
    expect(leadingTo('run').map(({ kind, title }) => [kind, title])).toEqual([
      ['Project', 'Game'],
      ['Run', 'Music'],
    ])
    expect(leadingTo('task').map(({ title }) => title)).toEqual(['two', 'one'])
    expect(leadingTo('recording').map(({ title }) => title)).toEqual(['two'])
    expect(leadingTo('address').map(({ title }) => title)).toContain('VIC.BORDER $D020')
    expect(leadingTo('setting').map(({ title }) => title)).toContain('Built-in C64: CIA model')
  })

  it('has each choice of the views, with the one of now marked and the reason why one does not apply', () => {
    const choice = (key: string) => items.find((item) => item.key === `choice ${key}`)
    expect(choice('memory.space cpu')?.title).toBe('Memory: CPU')
    expect(choice('memory.space cpu')?.detail).toMatch(/^current/)
    expect(choice('memory.space rom')?.detail).not.toMatch(/^current/)
    expect(choice('tasks.filter failed')).toMatchObject({ title: 'Tasks: Failed', limit: null })
    expect(choice('projects.plan graph')?.limit).toMatch(/run/)
    expect(choice('screen.palette machine')?.limit).toBe('None.')
    expect(choice('screen.palette pepto')?.limit).toBeNull()
  })

  it('marks what commands have chosen and switched', () => {
    const detailOf = (key: string) => items.find((item) => item.key === key)?.detail
    expect(['theme.dark', 'theme.light', 'machine.ntsc', 'machine.pal'].map(detailOf)).toEqual([
      'current',
      '',
      'current',
      '',
    ])
    expect(['screen.whole', 'screen.borders', 'screen.crt', 'machine.reset'].map(detailOf)).toEqual([
      'on',
      'off',
      'off',
      '',
    ])
  })

  it('has each value of a setting that is a choice, with the one of now marked', () => {
    const value = (key: string) => items.find((item) => item.key === `setting ${key}`)
    expect(value('ciaModel 8521')).toMatchObject({ title: 'Built-in C64: CIA model: 8521', detail: 'current' })
    expect(value('ciaModel 6526')).toMatchObject({
      detail: '',
      goal: { to: 'setting', row: 'ciaModel', value: '6526' },
    })
    expect(value('notifications on')?.detail).toBe('current')
  })

  it('knows each item by a key of its own', () => {
    expect(new Set(items.map(({ key }) => key)).size).toBe(items.length)
  })

  it.each([
    ['d020', 0xd020],
    ['$d020', 0xd020],
    ['0xd020', 0xd020],
    ['goto 400', 0x400],
    ['go to vic.border', 0xd020],
  ])('takes %s for an address', (typed, address) => {
    expect(typedItems(typed).map(({ goal }) => goal)).toEqual([{ to: 'address', address }])
  })

  it.each(['', 'add', 'border', 'goto nowhere', 'task 12'])('takes “%s” for no address', (typed) => {
    expect(typedItems(typed)).toEqual([])
  })

  it('is found among the program’s labels, and goes to one by its name', () => {
    const label = { name: 'draw', address: 0x0819, scope: 'main', size: null, kind: 'code' as const }
    const table = new LabelTable([label])
    expect(labelItems('dra', table).map(({ title, goal }) => [title, goal])).toEqual([
      ['main.draw $0819', { to: 'address', address: 0x0819 }],
    ])
    expect(labelItems('', table)).toEqual([])
    expect(typedItems('goto draw', namesOf(table)).map(({ goal }) => goal)).toEqual([
      { to: 'address', address: 0x0819 },
    ])
  })

  it('connects to a machine by its name', () => {
    expect(typedItems('vice:6502').map(({ goal }) => goal)).toEqual([
      { to: 'machine', machine: 'vice:6502', named: true },
    ])
  })
})
