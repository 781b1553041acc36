/** A sprite that is used again further down counts as another one. */
import type { VideoStandard } from '../../contract/machine'
import { PICTURE_WIDTH, DISPLAY_X } from '../picture'
import { decodeSprite, seenByVic, SPRITE_HEIGHT, SPRITE_WIDTH, spriteFacts, type Sprite } from '../sprites'
import { decodeVideo } from '../video'
import { rasterOf } from '../vicii'
import { ioOf, type ReplayedLine } from './replayFrame'

const spriteParts = [
  ...(['x', 'pointer', 'colour', 'multicolour', 'multicolour1', 'multicolour2'] as const),
  ...(['expandX', 'expandY', 'behind'] as const),
] as const

export interface SpriteChange {
  readonly line: number
  readonly part: (typeof spriteParts)[number]
  readonly to: number | boolean
}

export interface FrameSprite extends Sprite {
  /** Raster lines; the last is less than the first where the sprite goes on in the next frame. */
  readonly firstLine: number
  readonly lastLine: number
  readonly inBorder: boolean
  readonly changes: readonly SpriteChange[]
}

const MAX_CHANGES = 200

type Facts = Omit<Sprite, 'pixels'>

interface Shown {
  readonly firstLine: number
  first: Sprite | undefined
  last: Facts | undefined
  lines: number
  isInPicture: boolean
  isInWindow: boolean
  readonly changes: SpriteChange[]
}

const newlyShown = (firstLine: number): Shown => ({
  firstLine,
  first: undefined,
  last: undefined,
  lines: 0,
  isInPicture: false,
  isInWindow: false,
  changes: [],
})

export class SpritesOverFrame {
  readonly #standard: VideoStandard
  readonly #all: Shown[] = []
  readonly #present: (Shown | undefined)[] = []
  readonly #pointers = new Uint8Array(8)

  constructor(standard: VideoStandard) {
    this.#standard = standard
  }

  fetched(state: ReplayedLine, begun: number, shown: number): void {
    if (shown === 0) return
    const { ram, characterRom } = state.memory
    const { screen } = decodeVideo(ioOf(state))
    for (let n = 0; n < 8; n++) {
      if ((shown & (1 << n)) !== 0) this.#pointers[n] = seenByVic(ram, characterRom, screen + 0x3f8 + n)
      if ((begun & (1 << n)) === 0) continue
      const next = newlyShown((state.line + 1) % rasterOf[this.#standard].lines)
      this.#present[n] = next
      this.#all.push(next)
    }
  }

  drawn(state: ReplayedLine, sprites: number, isOpen: boolean): void {
    if (sprites === 0) return
    const io = ioOf(state)
    for (let n = 0; n < 8; n++) {
      const shown = this.#present[n]
      if ((sprites & (1 << n)) === 0 || !shown) continue
      const sources = { io, ...state.memory }
      const pointer = this.#pointers[n]
      shown.first ??= decodeSprite(sources, n, pointer)
      this.#note(shown, spriteFacts(sources, n, pointer), state, isOpen)
    }
  }

  #note(shown: Shown, sprite: Facts, { line, y, registers }: ReplayedLine, isOpen: boolean): void {
    const isWide = ((registers[0x16] ?? 0) & 0x08) !== 0
    const isWithin = (left: number, right: number) => y !== null && isBetween(sprite, this.#standard, left, right)
    if (isWithin(0, PICTURE_WIDTH)) shown.isInPicture = true
    if (isOpen && isWithin(DISPLAY_X + (isWide ? 0 : 7), DISPLAY_X + (isWide ? 320 : 311))) shown.isInWindow = true
    const { last } = shown
    shown.lines++
    shown.last = sprite
    if (last)
      for (const part of spriteParts)
        if (sprite[part] !== last[part] && shown.changes.length < MAX_CHANGES)
          shown.changes.push({ line, part, to: sprite[part] })
  }

  get result(): FrameSprite[] {
    const { lines } = rasterOf[this.#standard]
    return this.#all.flatMap(({ first, firstLine, lines: seen, isInPicture, isInWindow, changes }) => {
      if (!first || !isInPicture) return []
      const goesOn = firstLine + seen >= lines
      const height = goesOn ? SPRITE_HEIGHT * (first.expandY ? 2 : 1) : seen
      return [{ ...first, firstLine, lastLine: (firstLine + height - 1) % lines, inBorder: !isInWindow, changes }]
    })
  }
}

function isBetween({ x, expandX }: Facts, standard: VideoStandard, left: number, right: number): boolean {
  const { pixels } = rasterOf[standard]
  if (x >= pixels) return false
  const at = x - 24 + DISPLAY_X
  const width = SPRITE_WIDTH * (expandX ? 2 : 1)
  return [at, at - pixels].some((start) => start < right && start + width > left)
}
