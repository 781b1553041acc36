/**
 * The kept sheet: compressed JSON with bytes in hexadecimal, each artwork apart, so that damage to one leaves the
 * others.
 */
import { strFromU8, strToU8, unzlibSync, zlibSync } from 'fflate'
import { z } from 'zod'
import {
  BITMAP_BYTES,
  bitmapModes,
  CHARACTER_BYTES,
  MAX_CHARACTERS,
  MAX_MAP_CELLS,
  MAX_SPRITES,
  SCREEN_CELLS,
  SPRITE_BYTES,
  textModes,
  type Artwork,
} from './artwork'

const VERSION = 1

/** A larger JSON was not written by {@link encodeSheet}. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024

const hexOf = (bytes: ArrayLike<number>, digits: number): string =>
  Array.from(bytes, (value) => value.toString(16).padStart(digits, '0')).join('')

const values = (text: string, digits: number): number[] =>
  Array.from({ length: text.length / digits }, (_, at) =>
    Number.parseInt(text.slice(at * digits, (at + 1) * digits), 16),
  )

const bytes = (min: number, max: number) =>
  z
    .string()
    .min(min * 2)
    .max(max * 2)
    .regex(/^(?:[0-9a-f]{2})*$/)
    .transform((text) => Uint8Array.from(values(text, 2)))
const words = (max: number) =>
  z
    .string()
    .max(max * 4)
    .regex(/^(?:[0-9a-f]{4})*$/)
    .transform((text) => Uint16Array.from(values(text, 4)))

const name = z.string().max(1000)
const colour = z.int().min(0).max(15)
const backgrounds = z.tuple([colour, colour, colour, colour]).readonly()

const spritesSchema = z.object({
  kind: z.literal('sprites'),
  name,
  background: colour,
  multicolour1: colour,
  multicolour2: colour,
  sprites: z
    .array(
      z.object({
        name,
        colour,
        bytes: bytes(SPRITE_BYTES, SPRITE_BYTES),
        multicolour: z.boolean(),
        expandX: z.boolean(),
        expandY: z.boolean(),
        overlay: z.boolean(),
      }),
    )
    .max(MAX_SPRITES),
  animations: z.array(
    z.object({
      name,
      isPingPong: z.boolean(),
      frames: z.array(
        z.object({
          sprite: z
            .int()
            .min(0)
            .max(MAX_SPRITES - 1),
          ms: z.int().min(1).max(60_000),
        }),
      ),
    }),
  ),
})

const side = z.int().min(1).max(256)
const charactersSchema = z.object({
  kind: z.literal('characters'),
  name,
  backgrounds,
  colour,
  mode: z.enum(textModes),
  bytes: bytes(0, MAX_CHARACTERS * CHARACTER_BYTES),
  colours: bytes(0, MAX_CHARACTERS).nullable(),
  materials: bytes(0, MAX_CHARACTERS).nullable(),
  tiles: z
    .object({
      width: side,
      height: side,
      cells: words(MAX_MAP_CELLS),
      colours: bytes(0, MAX_CHARACTERS).nullable(),
      names: z.array(name),
    })
    .nullable(),
  map: z.object({ columns: z.int().min(1), rows: z.int().min(1), cells: words(MAX_MAP_CELLS) }).nullable(),
})

const screenSchema = z.object({
  kind: z.literal('screen'),
  name,
  backgrounds,
  border: colour,
  mode: z.enum(textModes),
  columns: z.int().min(1).max(1024),
  rows: z.int().min(1).max(1024),
  codes: bytes(1, MAX_MAP_CELLS),
  colours: bytes(1, MAX_MAP_CELLS),
  characters: z.union([z.literal(['upper', 'lower']), bytes(2048, 2048)]),
})

const bitmapSchema = z.object({
  kind: z.literal('bitmap'),
  name,
  background: colour,
  border: colour,
  mode: z.enum(bitmapModes),
  bitmap: bytes(BITMAP_BYTES, BITMAP_BYTES),
  screen: bytes(SCREEN_CELLS, SCREEN_CELLS * 8),
  colours: bytes(SCREEN_CELLS, SCREEN_CELLS),
})

const artworkSchema = z.discriminatedUnion('kind', [spritesSchema, charactersSchema, screenSchema, bitmapSchema])
const fileSchema = z.object({ version: z.literal(VERSION), artworks: z.array(z.unknown()) })

export function encodeSheet(artworks: readonly Artwork[]): Uint8Array {
  const text = JSON.stringify({ version: VERSION, artworks }, (_, value: unknown) => {
    if (value instanceof Uint8Array) return hexOf(value, 2)
    return value instanceof Uint16Array ? hexOf(value, 4) : value
  })
  return zlibSync(strToU8(text), { level: 6 })
}

export interface DecodedSheet {
  readonly artworks: readonly Artwork[]
  readonly problems: readonly string[]
}

/** Never throws. */
export function decodeSheet(file: Uint8Array): DecodedSheet {
  const parsed = fileSchema.safeParse(jsonIn(file))
  if (!parsed.success) return { artworks: [], problems: ['The sheet is damaged, or of a newer version of Bridgedeck.'] }
  const artworks: Artwork[] = []
  const problems: string[] = []
  parsed.data.artworks.forEach((stored, index) => {
    const artwork = artworkSchema.safeParse(stored)
    if (artwork.success) artworks.push(withKnownFrames(artwork.data))
    else problems.push(`Artwork ${index + 1} of the sheet is damaged.`)
  })
  return { artworks, problems }
}

function jsonIn(file: Uint8Array): unknown {
  try {
    const text = unzlibSync(file)
    return text.length > MAX_TEXT_BYTES ? undefined : JSON.parse(strFromU8(text))
  } catch {
    return undefined
  }
}

function withKnownFrames(artwork: Artwork): Artwork {
  if (artwork.kind !== 'sprites') return artwork
  const { sprites, animations } = artwork
  return {
    ...artwork,
    animations: animations.map((animation) => ({
      ...animation,
      frames: animation.frames.filter(({ sprite }) => sprite < sprites.length),
    })),
  }
}
