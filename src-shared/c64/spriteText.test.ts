import { describe, expect, it } from 'vitest'
import { TRANSPARENT, type Sprite } from './sprites'
import { describeSprite, placeOf, spriteColours } from './spriteText'

const sprite: Sprite = {
  n: 0,
  enabled: true,
  x: 172,
  y: 139,
  pointer: 13,
  address: 0x0340,
  multicolour: false,
  expandX: false,
  expandY: true,
  behind: false,
  colour: 7,
  multicolour1: 2,
  multicolour2: 10,
  fromCharacterRom: false,
  pixels: Uint8Array.of(TRANSPARENT, 7),
}

describe('a sprite in words', () => {
  it('says where it is, what it shows and how', () => {
    expect(describeSprite(sprite, true)).toEqual({
      state: 'on screen',
      position: 'x 172  y 139',
      pointer: '$0D',
      address: '$0340',
      mode: 'hires',
      size: '24 × 42',
      priority: 'in front',
      note: '',
    })
    expect(describeSprite({ ...sprite, enabled: false, behind: true, multicolour: true }, true)).toMatchObject({
      state: 'off',
      priority: 'behind the foreground',
      mode: 'multicolour',
    })
  })

  it('says when its data is character ROM, and whether that can be seen', () => {
    expect(describeSprite({ ...sprite, fromCharacterRom: true }, true).note).toBe(
      'The VIC-II sees character ROM there.',
    )
    expect(describeSprite({ ...sprite, fromCharacterRom: true }, false).note).toBe(
      'The VIC-II sees character ROM there, which this machine does not show.',
    )
  })

  it.each([
    [{ x: 0, y: 100 }, 'in the border'],
    [{ x: 1, y: 100 }, 'on screen'],
    [{ x: 343, y: 249 }, 'on screen'],
    [{ x: 344, y: 100 }, 'in the border'],
    [{ x: 100, y: 29 }, 'in the border'],
    [{ x: 100, y: 30 }, 'on screen'],
  ])('at %j is %s', (at, place) => {
    expect(placeOf({ ...at, expandX: false, expandY: false })).toBe(place)
  })

  it('names its own colour, and the shared ones in multicolour', () => {
    expect(spriteColours(sprite)).toEqual([{ colour: 7, text: 'yellow' }])
    expect(spriteColours({ ...sprite, multicolour: true }).map(({ text }) => text)).toEqual([
      'yellow',
      'red (01)',
      'light red (11)',
    ])
  })
})
