import { formatAddress, formatByte } from './address'
import { colourName } from './palettes'
import type { Sprite } from './sprites'

export interface SpriteText {
  readonly state: string
  readonly position: string
  readonly pointer: string
  readonly address: string
  readonly mode: string
  readonly size: string
  readonly priority: string
  readonly note: string
}

export function placeOf({
  x,
  y,
  expandX,
  expandY,
}: Pick<Sprite, 'x' | 'y' | 'expandX' | 'expandY'>): 'on screen' | 'in the border' {
  const right = x + (expandX ? 48 : 24)
  const bottom = y + (expandY ? 42 : 21)
  return right > 24 && x < 344 && bottom > 50 && y < 250 ? 'on screen' : 'in the border'
}

export function describeSprite(sprite: Sprite, characterRomIsKnown: boolean): SpriteText {
  const { enabled, x, y, pointer, address, multicolour, expandX, expandY, behind, fromCharacterRom } = sprite
  return {
    state: enabled ? placeOf(sprite) : 'off',
    position: `x ${x}  y ${y}`,
    pointer: formatByte(pointer),
    address: formatAddress(address),
    mode: multicolour ? 'multicolour' : 'hires',
    size: `${expandX ? 48 : 24} × ${expandY ? 42 : 21}`,
    priority: behind ? 'behind the foreground' : 'in front',
    note: fromCharacterRom
      ? `The VIC-II sees character ROM there${characterRomIsKnown ? '' : ', which this machine does not show'}.`
      : '',
  }
}

export function spriteColours({
  multicolour,
  colour,
  multicolour1,
  multicolour2,
}: Sprite): readonly { colour: number; text: string }[] {
  const own = { colour, text: colourName(colour) }
  if (!multicolour) return [own]
  return [
    own,
    { colour: multicolour1, text: `${colourName(multicolour1)} (01)` },
    { colour: multicolour2, text: `${colourName(multicolour2)} (11)` },
  ]
}
