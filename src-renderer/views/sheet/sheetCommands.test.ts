import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { SpriteArt } from '@shared/graphics/artwork'
import { spritesOfSheet, useSheet } from '../../client/sheet'
import { extendTo, selectOnly } from '../../widgets/pixelGrid/gridSelection'
import { deleteFromSheet, useSheetSelection } from './sheetCommands'
import { sheetSubjects } from './sheetSubjects'

const sprite = (name: string): SpriteArt => ({
  name,
  bytes: new Uint8Array(63),
  colour: 1,
  multicolour: false,
  expandX: false,
  expandY: false,
  overlay: false,
})
const names = () => spritesOfSheet(useSheet.getState().artworks)?.sheet.sprites.map(({ name }) => name)

beforeEach(() => {
  const done = () => Promise.resolve({ ok: true, data: { bytes: null } })
  vi.stubGlobal('window', { bridgedeck: { graphics: { sheet: done, keepSheet: done } } })
  const sprites = ['one', 'two', 'three', 'four'].map(sprite)
  const colours = { background: 0, multicolour1: 11, multicolour2: 1 }
  useSheet.setState({ artworks: [{ kind: 'sprites', name: 'Sheet', sprites, animations: [], ...colours }] })
})
afterEach(() => vi.unstubAllGlobals())

it('after the last sprites are deleted, the one that is then marked is deleted and exported', () => {
  useSheetSelection.setState({ selection: extendTo(selectOnly(2), 3) })
  deleteFromSheet()
  expect(sheetSubjects().map(({ title }) => title)).toEqual(['All 2 sprites', '1 selected sprite'])
  deleteFromSheet()
  expect(names()).toEqual(['one'])
  deleteFromSheet()
  expect(deleteFromSheet).toThrow('No sprite of the sheet is selected.')
})
