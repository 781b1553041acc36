/**
 * Spritemate: JSON with a pen for each pixel: 0 clear, 1 the sprite's own colour, 2 and 3 the shared ones. In
 * multicolour sprites only each second pixel counts. Older files call the pens t, i, m1 and m2. Sources: Spritemate's
 * SpriteTypes.ts, Load.ts, Save.ts and Preview.ts.
 */
import { strFromU8, strToU8 } from 'fflate'
import { z } from 'zod'
import { SPRITE_HEIGHT, SPRITE_WIDTH } from '../../c64/sprites'
import { isJsonObject } from '../../json'
import { MAX_SPRITES, SPRITE_BYTES, type Artwork, type SpriteArt, type SpriteSheet } from '../artwork'
import type { GraphicsFormat, ReadArtwork } from '../format'
import { JsonFile } from './jsonFile'
import { animationOfRow, rowOf } from './rowAnimation'
import { cannotHold, Problems } from './readBytes'

const VERSION = 1.3
const MAX_MS = 60_000
const HEAD_BYTES = 400

const pens = { t: 0, i: 1, m1: 2, m2: 3 } as const
const pen = z.union([z.int().min(0).max(3), z.enum(['t', 'i', 'm1', 'm2']).transform((name) => pens[name])], {
  error: 'expected a pen from 0 to 3',
})
const colour = z.int('expected a colour from 0 to 15').min(0).max(15)
const flag = z.union([z.boolean(), z.literal([0, 1]).transform(Boolean)]).catch(false)

const spriteSchema = z.object({
  name: z.string().catch(''),
  color: colour,
  multicolor: flag,
  double_x: flag,
  double_y: flag,
  overlay: flag,
  pixels: z.array(z.array(pen).length(SPRITE_WIDTH)).length(SPRITE_HEIGHT),
})
type PenSprite = z.infer<typeof spriteSchema>

const coloursSchema = z
  .object({ 0: colour, 2: colour, 3: colour })
  .or(z.object({ t: colour, m1: colour, m2: colour }).transform(({ t, m1, m2 }) => ({ 0: t, 2: m1, 3: m2 })))

const animationSchema = z.object({
  startSprite: z.int().min(0),
  endSprite: z.int().min(0),
  fps: z.number().positive(),
  mode: z.string().catch('restart'),
})

export const spritemate: GraphicsFormat = {
  id: 'spritemate',
  title: 'Spritemate',
  extensions: ['spm'],
  kinds: ['sprites'],
  holdsMany: false,
  options: [],
  likeness: (file, extension) => {
    if (extension === 'spm') return 'likely'
    const start = strFromU8(file.subarray(0, HEAD_BYTES), true)
    return /^\s*\{/.test(start) && start.includes('"sprites"') && start.includes('"colors"') ? 'likely' : 'no'
  },
  read,
  leavesOut: ([artwork]) => {
    if (artwork?.kind !== 'sprites') return []
    return artwork.animations.length > (animationOf(artwork) ? 1 : 0) ? ['animations but one of sprites in a row'] : []
  },
  write: (artworks) => write(artworks[0]),
}

function read(file: Uint8Array): ReadArtwork {
  const problems = new Problems()
  const json = new JsonFile(file, problems)
  const { value } = json
  if (value === undefined) return problems.with([])
  if (!isJsonObject(value) || !Array.isArray(value.sprites)) {
    json.add([], 'Expected an object with a list of sprites.')
    return problems.with([])
  }
  const colours = json.read(value.colors, coloursSchema, ['colors']) ?? { 0: 0, 2: 1, 3: 11 }
  if (value.sprites.length > MAX_SPRITES)
    json.add(['sprites', MAX_SPRITES], `Expected up to ${MAX_SPRITES} sprites, found ${value.sprites.length}.`)
  const found = value.sprites
    .slice(0, MAX_SPRITES)
    .map((sprite, n) => json.read(sprite, spriteSchema, ['sprites', n]) ?? emptySprite)
  if (found.length === 0) return problems.with([])
  const animation = value.animation === undefined ? null : json.read(value.animation, animationSchema, ['animation'])
  const sheet: SpriteSheet = {
    kind: 'sprites',
    name: typeof value.filename === 'string' ? value.filename : '',
    background: colours[0],
    multicolour1: colours[2],
    multicolour2: colours[3],
    sprites: found.map((sprite, n) => ({ ...spriteOf(sprite), overlay: found[n - 1]?.overlay ?? false })),
    animations: animation === null ? [] : animationIn(animation, found.length),
  }
  return problems.with([sheet])
}

/** Stands in for a sprite that cannot be read, so that the others keep their numbers. */
const emptySprite: PenSprite = {
  name: '',
  color: 1,
  multicolor: false,
  double_x: false,
  double_y: false,
  overlay: false,
  pixels: [],
}

function spriteOf({ name, color, multicolor, double_x, double_y, pixels }: PenSprite): Omit<SpriteArt, 'overlay'> {
  const bytes = new Uint8Array(SPRITE_BYTES)
  const pairs = [0b00, 0b10, 0b01, 0b11]
  pixels.forEach((row, y) =>
    row.forEach((pen, x) => {
      const at = y * 3 + (x >> 3)
      if (!multicolor && pen !== 0) bytes[at] = (bytes[at] ?? 0) | (0x80 >> (x & 7))
      if (multicolor && x % 2 === 0) bytes[at] = (bytes[at] ?? 0) | ((pairs[pen] ?? 0) << (6 - (x & 7)))
    }),
  )
  return { name, bytes, colour: color, multicolour: multicolor, expandX: double_x, expandY: double_y }
}

/**
 * Older and newer files have an animation of all sprites that nobody made; with one sprite it would be no animation.
 */
function animationIn({ startSprite, endSprite, fps, mode }: z.infer<typeof animationSchema>, sprites: number) {
  const ms = Math.min(Math.max(Math.round(1000 / fps), 1), MAX_MS)
  return animationOfRow({ start: startSprite, end: endSprite, ms, isPingPong: mode === 'pingpong' }, sprites)
}

const animationOf = ({ animations }: SpriteSheet) => animations.flatMap((each) => rowOf(each) ?? [])[0]

function write(artwork: Artwork | undefined): Uint8Array {
  if (artwork?.kind !== 'sprites') throw cannotHold('Spritemate files hold sprites only.')
  if (artwork.sprites.length === 0) throw cannotHold('This sheet has no sprites.')
  if (artwork.sprites.length > MAX_SPRITES)
    throw cannotHold(`A file holds up to ${MAX_SPRITES} sprites; these are ${artwork.sprites.length}.`)
  const animation = animationOf(artwork)
  const file = {
    version: VERSION,
    filename: artwork.name,
    colors: { 0: artwork.background, 2: artwork.multicolour1, 3: artwork.multicolour2 },
    sprites: artwork.sprites.map((sprite, n) => penSprite(sprite, artwork.sprites[n + 1]?.overlay ?? false)),
    current_sprite: 0,
    pen: 1,
    ...(animation
      ? {
          animation: {
            startSprite: animation.start,
            endSprite: animation.end,
            fps: 1000 / animation.ms,
            mode: animation.isPingPong ? 'pingpong' : 'restart',
            doubleX: false,
            doubleY: false,
          },
        }
      : {}),
  }
  // One line for each row of pixels. Names may have brackets too, so strings are matched first.
  const text = JSON.stringify(file).replace(/"(?:[^"\\]|\\.)*"|\],/g, (part) => (part === '],' ? '],\n' : part))
  return strToU8(`${text}\n`)
}

const penSprite = (sprite: SpriteArt, overlay: boolean): PenSprite => ({
  name: sprite.name,
  color: sprite.colour,
  multicolor: sprite.multicolour,
  double_x: sprite.expandX,
  double_y: sprite.expandY,
  overlay,
  pixels: Array.from({ length: SPRITE_HEIGHT }, (_, y) =>
    Array.from({ length: SPRITE_WIDTH }, (_, x) => penAt(sprite, x, y)),
  ),
})

function penAt({ bytes, multicolour }: SpriteArt, x: number, y: number): number {
  const byte = bytes[y * 3 + (x >> 3)] ?? 0
  return multicolour ? ([0, 2, 1, 3][(byte >> (6 - (x & 6))) & 3] ?? 0) : (byte >> (7 - (x & 7))) & 1
}
