import { formatAddress } from './address'
import { unpackPixels } from './picture'
import { TRANSPARENT, type Sprite } from './sprites'
import { rasterOf, renderPicture, type Scene } from './vicii'

type HiddenReason = 'off' | 'empty' | 'outside' | 'displayOff' | 'border' | 'behind' | 'covered' | 'colour' | 'several'

export interface SpriteSight {
  readonly n: number
  readonly seen: number
  readonly filled: number
  readonly reason: HiddenReason | null
  readonly why: string | null
}

const ENABLED = 0x15
const BEHIND = 0x1b
const COLOUR = 0x27
const MULTICOLOUR_1 = 0x25

export function spriteSights(scene: Scene, sprites: readonly Sprite[]): SpriteSight[] {
  const render = pictures(scene)
  return sprites.map((sprite) => {
    const { n } = sprite
    const filled = filledPixels(sprite)
    const seen =
      sprite.enabled && filled > 0 ? differing(render(scene.registers), render(without(scene.registers, n))) : 0
    const hidden = seen > 0 ? null : hiddenBy(sprite, scene, filled, render)
    return { n, seen, filled, reason: hidden?.reason ?? null, why: hidden?.why ?? null }
  })
}

type Render = (registers: Uint8Array) => Uint8Array

function pictures(scene: Scene): Render {
  const known = new Map<string, Uint8Array>()
  return (registers) => {
    const key = registers.subarray(0, 0x2f).join()
    const before = known.get(key)
    if (before) return before
    const pixels = unpackPixels(renderPicture({ ...scene, registers }).picture.pixels)
    known.set(key, pixels)
    return pixels
  }
}

const differing = (a: Uint8Array, b: Uint8Array): number =>
  a.reduce((count, pixel, index) => (pixel === b[index] ? count : count + 1), 0)

const filledPixels = ({ pixels, expandX, expandY }: Sprite): number =>
  pixels.reduce((count, pixel) => (pixel === TRANSPARENT ? count : count + 1), 0) *
  (expandX ? 2 : 1) *
  (expandY ? 2 : 1)

function changed(registers: Uint8Array, changes: Readonly<Record<number, number>>): Uint8Array {
  const copy = registers.slice()
  for (const [register, value] of Object.entries(changes)) copy[Number(register)] = value
  return copy
}

const at = (registers: Uint8Array, register: number): number => registers[register] ?? 0
const without = (registers: Uint8Array, n: number): Uint8Array =>
  changed(registers, { [ENABLED]: at(registers, ENABLED) & ~(1 << n) })

interface Hidden {
  readonly reason: HiddenReason
  readonly why: string
}

function hiddenBy(sprite: Sprite, scene: Scene, filled: number, render: Render): Hidden {
  const { n, enabled, address } = sprite
  if (!enabled) return { reason: 'off', why: `It is off: bit ${n} of $D015 is clear.` }
  if (filled === 0) return { reason: 'empty', why: `Its data at ${formatAddress(address)} is empty.` }
  return placeProblem(sprite, scene) ?? coveredBy(sprite, scene, render)
}

const windowOf = (registers: Uint8Array) => {
  const isWide = (at(registers, 0x16) & 0x08) !== 0
  const isTall = (at(registers, 0x11) & 0x08) !== 0
  return { left: isWide ? 24 : 31, right: isWide ? 344 : 335, top: isTall ? 50 : 54, bottom: isTall ? 250 : 246 }
}

function placeProblem({ x, y, expandX, expandY }: Sprite, { registers, standard }: Scene): Hidden | null {
  if ((at(registers, 0x11) & 0x10) === 0)
    return { reason: 'displayOff', why: 'The display is off (bit 4 of $D011 is clear): the border covers all.' }
  if (x >= rasterOf[standard].pixels)
    return { reason: 'outside', why: `It is outside the picture: no line has a place x ${x}.` }
  const { left, right, top, bottom } = windowOf(registers)
  const isInside = x + (expandX ? 48 : 24) > left && x < right && y + (expandY ? 42 : 21) > top && y < bottom
  if (isInside) return null
  return {
    reason: 'border',
    why: `The border covers it at x ${x}, y ${y}: the screen is x ${left} to ${right - 1}, y ${top} to ${bottom - 1}.`,
  }
}

function coveredBy(sprite: Sprite, { registers }: Scene, render: Render): Hidden {
  const { n, behind } = sprite
  const isSeen = (changes: Readonly<Record<number, number>>): boolean => {
    const there = changed(registers, changes)
    return differing(render(there), render(without(there, n))) > 0
  }
  const inFront = { [BEHIND]: at(registers, BEHIND) & ~(1 << n) }
  const alone = { [ENABLED]: 1 << n }
  const colours = [1, 2].map((step) => {
    const other = (register: number): number => (at(registers, register) + step) & 0x0f
    return {
      [COLOUR + n]: other(COLOUR + n),
      [MULTICOLOUR_1]: other(MULTICOLOUR_1),
      [MULTICOLOUR_1 + 1]: other(MULTICOLOUR_1 + 1),
    }
  })
  if (behind && isSeen(inFront))
    return {
      reason: 'behind',
      why: `It is behind the foreground: bit ${n} of $D01B is set, and text or graphics cover it.`,
    }
  if (isSeen(alone)) return { reason: 'covered', why: 'Sprites with a lower number cover it.' }
  if (colours.some(isSeen)) return { reason: 'colour', why: 'It has the colour of what is behind it.' }
  if (colours.some((other) => isSeen({ ...inFront, ...alone, ...other })))
    return { reason: 'several', why: 'Several things hide it: its colour, the foreground, or other sprites.' }
  return { reason: 'border', why: 'The border covers the part of it that has pixels.' }
}
