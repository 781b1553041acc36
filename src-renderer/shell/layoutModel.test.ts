import { Actions } from 'flexlayout-react'
import { describe, expect, it } from 'vitest'
import { defaultModel, readModel, tabsetsOf, tabsOf, writeModel } from './layoutModel'

const places = { screen: 'upperLeft', sprites: 'lowerLeft', memory: 'main', registers: 'right' } as const

const names = (model: Parameters<typeof tabsOf>[0]) => tabsOf(model).map((node) => node.getId())

describe('the arrangement of the views', () => {
  it('shows the four live views, and the registers apart where there is room', () => {
    expect(names(defaultModel(1280, places))).toEqual(['screen', 'sprites', 'memory', 'registers'])
    expect(tabsetsOf(defaultModel(1280, places))).toHaveLength(3)
    expect(tabsetsOf(defaultModel(1920, places))).toHaveLength(4)
  })

  it('comes back as it was written', () => {
    const model = defaultModel(1280, places)
    model.doAction(Actions.selectTab('registers'))
    const read = readModel(writeModel(model))
    expect(read?.toJson()).toEqual(model.toJson())
  })

  it.each([
    ['nothing', null],
    ['no JSON', '{"version":1,'],
    ['another version', writeModel(defaultModel(1280, places)).replace('"version":1', '"version":0')],
    [
      'a view that there is none of',
      writeModel(defaultModel(1280, places)).replace('"component":"sprites"', '"component":"sounds"'),
    ],
    ['no model', '{"version":1,"model":[]}'],
    ['an empty layout', '{"version":1,"model":{"layout":{"type":"row","children":[]}}}'],
  ])('is not taken from %s', (_, text) => {
    expect(readModel(text)).toBeUndefined()
  })
})
