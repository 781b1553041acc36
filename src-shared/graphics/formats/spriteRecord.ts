/**
 * Sprites in 64 bytes each, as in SpritePad and for the VIC-II: the last byte, which is not shown, has colour and look.
 * The overlay bit belongs to the lower sprite: the next one is drawn over it.
 */
import { SPRITE_BYTES, type SpriteArt } from '../artwork'
import { joined } from './readBytes'

export const SPRITE_RECORD = 64

const MULTICOLOUR = 0x80
const EXPAND_Y = 0x40
const EXPAND_X = 0x20
const OVERLAY = 0x10

export const NO_PADDING = 'The last sprite has 63 bytes, without its colour; it is loaded in black.'

/** Adds the byte that the last sprite lacks where only its padding is missing. */
export function withPadding(bytes: Uint8Array): Uint8Array {
  if (bytes.length % SPRITE_RECORD !== SPRITE_BYTES) return bytes
  const padded = new Uint8Array(bytes.length + 1)
  padded.set(bytes)
  return padded
}

export function spritesIn(records: Uint8Array): SpriteArt[] {
  const looks = Array.from(
    { length: Math.floor(records.length / SPRITE_RECORD) },
    (_, n) => records[n * SPRITE_RECORD + SPRITE_BYTES] ?? 0,
  )
  return looks.map((look, n) => ({
    name: '',
    bytes: records.slice(n * SPRITE_RECORD, n * SPRITE_RECORD + SPRITE_BYTES),
    colour: look & 0x0f,
    multicolour: (look & MULTICOLOUR) !== 0,
    expandX: (look & EXPAND_X) !== 0,
    expandY: (look & EXPAND_Y) !== 0,
    overlay: ((looks[n - 1] ?? 0) & OVERLAY) !== 0,
  }))
}

export const spriteRecords = (sprites: readonly SpriteArt[]): Uint8Array =>
  joined(
    sprites.map(({ bytes, colour, multicolour, expandX, expandY }, n) => {
      const record = new Uint8Array(SPRITE_RECORD)
      record.set(bytes.subarray(0, SPRITE_BYTES))
      record[SPRITE_BYTES] =
        (multicolour ? MULTICOLOUR : 0) |
        (expandY ? EXPAND_Y : 0) |
        (expandX ? EXPAND_X : 0) |
        (sprites[n + 1]?.overlay ? OVERLAY : 0) |
        (colour & 0x0f)
      return record
    }),
  )
