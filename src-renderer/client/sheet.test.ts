import { beforeEach, describe, expect, it } from 'vitest'
import { MAX_SPRITES, type SpriteArt, type SpriteSheet } from '@shared/graphics/artwork'
import { addToSheet, changeSprites, spritesOfSheet, useSheet } from './sheet'

const look = { colour: 1, multicolour: false, expandX: false, expandY: false, overlay: false }
const sprites = (count: number, name = ''): SpriteArt[] =>
  Array.from({ length: count }, () => ({ ...look, name, bytes: new Uint8Array(63) }))
const sheetOf = (count: number, name = ''): SpriteSheet => ({
  ...{ kind: 'sprites', name: 'Sheet', background: 0, multicolour1: 11, multicolour2: 1 },
  ...{ sprites: sprites(count, name), animations: [] },
})
const kept = () => spritesOfSheet(useSheet.getState().artworks)?.sheet.sprites.length ?? 0

beforeEach(() => useSheet.setState({ artworks: [] }))

describe('the sheet', () => {
  it('refuses more sprites than it holds, and stays as it is', () => {
    addToSheet(sheetOf(MAX_SPRITES))
    expect(() => addToSheet(sheetOf(1))).toThrow('holds up to 4096 sprites; with these it would have 4097')
    expect(() => changeSprites((sheet) => ({ ...sheet, sprites: [...sheet.sprites, ...sprites(2)] }))).toThrow('4098')
    expect(kept()).toBe(MAX_SPRITES)
  })

  it('takes all artworks of a file or none', () => {
    expect(() => addToSheet(sheetOf(MAX_SPRITES), sheetOf(1))).toThrow('4097')
    expect(kept()).toBe(0)
  })
})
