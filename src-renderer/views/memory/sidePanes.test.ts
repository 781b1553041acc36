import { describe, expect, it } from 'vitest'
import {
  bytesFrom,
  MAX_SIDE_PANES,
  paneRange,
  readPanes,
  showsZeroPage,
  withChange,
  withoutPane,
  withPane,
  zeroPageByName,
} from './sidePanes'

const many = Array.from({ length: 9 }).reduce<ReturnType<typeof withPane>>(
  (panes) => withPane(panes, bytesFrom(0xd020)),
  [],
)

describe('hex views beside the first', () => {
  it('are at most three, each with a number of its own', () => {
    expect(many).toHaveLength(MAX_SIDE_PANES)
    expect(new Set(many.map(({ id }) => id)).size).toBe(MAX_SIDE_PANES)
    const [, second] = many
    const again = withPane(withoutPane(many, second?.id ?? 0), bytesFrom(0))
    expect(new Set(again.map(({ id }) => id)).size).toBe(MAX_SIDE_PANES)
  })

  it('are read as they were stored, and not at all where they make no sense', () => {
    expect(readPanes(JSON.parse(JSON.stringify(many)))).toEqual(many)
    for (const wrong of [
      undefined,
      'x',
      [{ ...many[0], columns: 12 }],
      [{ ...many[0], cursor: 1e12 }],
      [many[0], many[0]],
      [...many, { ...many[0], id: 99 }],
    ])
      expect(readPanes(wrong)).toEqual([])
  })

  it('show no more than their range by name', () => {
    const [pane] = withPane([], zeroPageByName)
    expect(pane && paneRange(pane)).toEqual({ start: 0, end: 0x100 })
    expect(pane && showsZeroPage(pane)).toBe(true)
    const few = pane && { ...pane, range: { first: 0xfb, last: 0xfe } }
    expect(few && paneRange(few)).toEqual({ start: 0xfb, end: 0xff })
    expect(few && showsZeroPage(few)).toBe(false)
  })

  it('show whole rows of their range, within their memory', () => {
    const [pane] = withChange(many, 1, { space: 'cpu', range: { first: 0x401, last: 0x7e7 } })
    expect(pane && paneRange(pane)).toEqual({ start: 0x400, end: 0x800 })
    const chip = pane && { ...pane, space: 'io' as const }
    expect(chip && paneRange(chip)).toEqual({ start: 0xd000, end: 0xe000 })
    expect(chip && paneRange({ ...chip, range: { first: 0xcfff, last: 0xd02e } })).toEqual({
      start: 0xd000,
      end: 0xd040,
    })
  })
})
