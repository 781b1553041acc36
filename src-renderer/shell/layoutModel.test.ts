import { Actions, Model } from 'flexlayout-react'
import { describe, expect, it } from 'vitest'
import { workspaceNamed, workspaceNames, type WorkspaceName } from '@shared/workspaces'
import {
  arrangementKey,
  defaultModel,
  hasGuests,
  modelWithGuests,
  readLayouts,
  tabsetsOf,
  tabsOf,
  windowSizeOf,
  writeLayouts,
} from './layoutModel'

const names = (model: Parameters<typeof tabsOf>[0]) => tabsOf(model).map((node) => node.getId())
const at = (workspace: WorkspaceName, width: number, isDebug = false) => ({
  workspace,
  size: windowSizeOf(width),
  isDebug,
})
const modelAt = (...place: Parameters<typeof at>) => defaultModel(at(...place))
const tabsets = (workspace: WorkspaceName, width: number) => tabsetsOf(modelAt(workspace, width))
const laidOut = (key: string, model: ReturnType<typeof modelAt>) => ({
  current: 'machine' as const,
  debug: new Set<'normal' | 'wide'>(),
  arranged: new Map([[key, model.toJson()]]),
})

describe('the arrangement of a workspace', () => {
  it.each(workspaceNames.filter((name) => name !== 'timeline'))(
    'shows each view of %s once, in narrow and wide windows',
    (workspace) => {
      for (const width of [800, 1280, 1920])
        expect(names(modelAt(workspace, width)).sort()).toEqual([...workspaceNamed(workspace).views].sort())
    },
  )

  it('shows the screen and the memory of the moment below the timeline', () => {
    expect(names(modelAt('timeline', 1280))).toEqual(['timeline', 'screen', 'memory'])
  })

  it('has more side by side where there is room', () => {
    expect([tabsets('machine', 1280), tabsets('machine', 1920)].map(({ length }) => length)).toEqual([2, 4])
    expect([tabsets('devices', 1280), tabsets('devices', 1920)].map(({ length }) => length)).toEqual([1, 2])
  })

  it('shows the machine’s views around its code when debugging', () => {
    for (const width of [1280, 1920]) {
      const model = modelAt('machine', width, true)
      expect(names(model).sort()).toEqual([...workspaceNamed('machine').views].sort())
      expect(tabsetsOf(model)[0]?.getSelectedNode()?.getId()).toBe('code')
    }
  })

  it('is remembered for each size of the window only where it differs', () => {
    const keys = (workspace: WorkspaceName, isDebug: boolean) =>
      [1280, 1920].map((width) => arrangementKey(at(workspace, width, isDebug)))
    expect(keys('machine', false)).toEqual(['machine normal', 'machine wide'])
    expect(keys('machine', true)).toEqual(['machine normal debug', 'machine wide debug'])
    expect([...keys('graphics', true), ...keys('projects', true)]).toEqual([
      'graphics normal',
      'graphics wide',
      'projects',
      'projects',
    ])
  })

  it.each(workspaceNames)('shows the titles of all views of %s', (workspace) => {
    for (const tabset of tabsets(workspace, 1280)) expect(tabset.isEnableTabStrip()).toBe(true)
  })

  it('shows titles that an earlier version hid', () => {
    const model = modelAt('projects', 1280)
    model.doAction(Actions.updateModelAttributes({ tabSetEnableTabStrip: false }))
    for (const tabset of tabsetsOf(model))
      model.doAction(Actions.updateNodeAttributes(tabset.getId(), { enableTabStrip: false }))
    const json = readLayouts(writeLayouts(laidOut('projects', model))).arranged.get('projects')
    const shown = json ? tabsetsOf(Model.fromJson(json)) : []
    expect(shown.map((tabset) => tabset.isEnableTabStrip())).toEqual([true])
  })
})

describe('the machine beside the projects', () => {
  const beside = () => modelWithGuests('projects')

  it('is its screen and registers, with tabs to move them by', () => {
    expect(names(beside())).toEqual(['projects', 'screen', 'registers'])
    expect(tabsetsOf(beside()).map((tabset) => tabset.isEnableTabStrip())).toEqual([true, true, true])
    expect([hasGuests('projects', beside()), hasGuests('projects', modelAt('projects', 1280))]).toEqual([true, false])
  })

  it('is remembered with its layout', () => {
    const model = beside()
    const read = readLayouts(writeLayouts(laidOut('projects', model)))
    expect(read.arranged.get('projects')).toEqual(model.toJson())
  })

  it('is no part of a workspace that has no guests', () => {
    expect(readLayouts(writeLayouts(laidOut('agents normal', beside()))).arranged.size).toBe(0)
  })
})

describe('the arrangements', () => {
  const machine = () => modelAt('machine', 1280)
  const written = (model = machine()) => writeLayouts(laidOut('machine normal', model))

  it('come back as they were written, with the workspace in use', () => {
    const model = machine()
    model.doAction(Actions.selectTab('registers'))
    const layouts = {
      ...laidOut('machine wide debug', model),
      current: 'devices' as const,
      debug: new Set(['wide' as const]),
    }
    expect(readLayouts(writeLayouts(layouts))).toEqual(layouts)
  })

  it.each([
    ['nothing', null],
    ['no JSON', '{"version":3,'],
    ['version 2, which knew no sizes', JSON.stringify({ version: 2, current: 'machine', models: {} })],
    ['a view that there is none of', written().replace('"component":"sprites"', '"component":"sounds"')],
    ['a missing view', written(modelAt('devices', 1280))],
    ['no model', '{"version":3,"current":"machine","arranged":{"machine normal":[]}}'],
    ['no models', '{"version":3,"current":"machine","debug":7,"arranged":7}'],
    ['an empty layout', '{"version":3,"arranged":{"machine normal":{"layout":{"type":"row","children":[]}}}}'],
  ])('are not taken from %s', (_, text) => {
    expect(readLayouts(text)).toEqual({ current: 'machine', debug: new Set(), arranged: new Map() })
  })

  it('begin with the machine where the workspace in use is unknown', () => {
    expect(readLayouts(written().replace('"current":"machine"', '"current":"sounds"')).current).toBe('machine')
  })
})
