import { Actions } from 'flexlayout-react'
import { describe, expect, it } from 'vitest'
import { workspaceNamed, workspaceNames, type WorkspaceName } from '@shared/workspaces'
import { defaultModel, hasGuests, modelWithGuests, readLayouts, tabsetsOf, tabsOf, writeLayouts } from './layoutModel'

const names = (model: Parameters<typeof tabsOf>[0]) => tabsOf(model).map((node) => node.getId())
const tabsets = (workspace: WorkspaceName, width: number) => tabsetsOf(defaultModel(workspace, width))

describe('the arrangement of a workspace', () => {
  it.each(workspaceNames.filter((name) => name !== 'timeline'))(
    'shows each view of %s once, in narrow and wide windows',
    (workspace) => {
      for (const width of [800, 1280, 1920])
        expect(names(defaultModel(workspace, width)).sort()).toEqual([...workspaceNamed(workspace).views].sort())
    },
  )

  it('shows the screen and the memory of the moment below the timeline', () => {
    expect(names(defaultModel('timeline', 1280))).toEqual(['timeline', 'screen', 'memory'])
    expect(tabsets('timeline', 1280).map((tabset) => tabset.isEnableTabStrip())).toEqual([false, true, true])
  })

  it('has more side by side where there is room', () => {
    expect([tabsets('machine', 1280), tabsets('machine', 1920)].map(({ length }) => length)).toEqual([2, 4])
    expect([tabsets('devices', 1280), tabsets('devices', 1920)].map(({ length }) => length)).toEqual([1, 2])
  })

  it('shows no tabs where there is one view', () => {
    expect(tabsets('projects', 1280).map((tabset) => tabset.isEnableTabStrip())).toEqual([false])
    expect(tabsets('devices', 1280).map((tabset) => tabset.isEnableTabStrip())).toEqual([true])
  })
})

describe('the machine beside the projects', () => {
  const beside = () => modelWithGuests('projects')

  it('is its screen and registers, with tabs to move them by', () => {
    expect(names(beside())).toEqual(['projects', 'screen', 'registers'])
    expect(tabsetsOf(beside()).map((tabset) => tabset.isEnableTabStrip())).toEqual([false, true, true])
    expect([hasGuests('projects', beside()), hasGuests('projects', defaultModel('projects', 1280))]).toEqual([
      true,
      false,
    ])
  })

  it('is remembered with its layout', () => {
    const model = beside()
    const read = readLayouts(writeLayouts({ current: 'projects', models: new Map([['projects', model]]) }))
    expect(read.models.get('projects')?.toJson()).toEqual(model.toJson())
  })

  it('is no part of a workspace that has no guests', () => {
    const text = writeLayouts({ current: 'agents', models: new Map([['agents', beside()]]) })
    expect(readLayouts(text).models.size).toBe(0)
  })
})

describe('the arrangements', () => {
  const machine = () => defaultModel('machine', 1280)
  const written = (model = machine()) => writeLayouts({ current: 'machine', models: new Map([['machine', model]]) })

  it('come back as they were written, with the workspace in use', () => {
    const model = machine()
    model.doAction(Actions.selectTab('registers'))
    const read = readLayouts(writeLayouts({ current: 'devices', models: new Map([['machine', model]]) }))
    expect(read.current).toBe('devices')
    expect([...read.models].map(([name, each]) => [name, each.toJson()])).toEqual([['machine', model.toJson()]])
  })

  it.each([
    ['nothing', null],
    ['no JSON', '{"version":2,'],
    ['version 1, which had one for the whole window', JSON.stringify({ version: 1, model: machine().toJson() })],
    ['a view that there is none of', written().replace('"component":"sprites"', '"component":"sounds"')],
    ['a missing view', written(defaultModel('devices', 1280))],
    ['no model', '{"version":2,"current":"machine","models":{"machine":[]}}'],
    ['no models', '{"version":2,"current":"machine","models":7}'],
    ['an empty layout', '{"version":2,"models":{"machine":{"layout":{"type":"row","children":[]}}}}'],
  ])('are not taken from %s', (_, text) => {
    expect(readLayouts(text)).toEqual({ current: 'machine', models: new Map() })
  })

  it('begin with the machine where the workspace in use is unknown', () => {
    expect(readLayouts(written().replace('"current":"machine"', '"current":"sounds"')).current).toBe('machine')
  })
})
