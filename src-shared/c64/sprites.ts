import { decodeVideo, ioByte, isCharacterRom } from './video'

export const SPRITE_WIDTH = 24
export const SPRITE_HEIGHT = 21
/** In `pixels`: shows what is behind the sprite. */
export const TRANSPARENT = 255

export interface Sprite {
  readonly n: number
  readonly enabled: boolean
  /** 0 to 511; 24 is the left edge of the display window. */
  readonly x: number
  /** 0 to 255; 50 is the top edge of the display window. */
  readonly y: number
  readonly pointer: number
  readonly address: number
  readonly multicolour: boolean
  readonly expandX: boolean
  readonly expandY: boolean
  readonly behind: boolean
  readonly colour: number
  readonly multicolour1: number
  readonly multicolour2: number
  /** 24 x 21, each a colour 0 to 15 or {@link TRANSPARENT}; a multicolour pixel takes two. */
  readonly pixels: Uint8Array
  readonly fromCharacterRom: boolean
}

export const spriteRegisters = (n: number): readonly number[] => [
  0xd000 + 2 * n,
  0xd001 + 2 * n,
  0xd027 + n,
  0xd010,
  0xd015,
  0xd017,
  0xd01b,
  0xd01c,
  0xd01d,
]

interface Sources {
  /** 4096 bytes from $D000. */
  readonly io: Uint8Array
  /** 64 KiB of RAM, also what lies under ROM. */
  readonly ram: Uint8Array
  /** 4096 bytes; null where it cannot be read: sprites that point there are then empty. */
  readonly characterRom: Uint8Array | null
}

export const decodeSprites = (sources: Sources): Sprite[] =>
  Array.from({ length: 8 }, (_, n) => decodeSprite(sources, n))

export function decodeSprite(sources: Sources, n: number, fetched?: number): Sprite {
  const { ram, characterRom } = sources
  const facts = spriteFacts(sources, n, fetched)
  const data = Uint8Array.from({ length: 63 }, (_, offset) => seenByVic(ram, characterRom, facts.address + offset))
  return { ...facts, pixels: spritePixels(data, facts) }
}

/** @param fetched the pointer that the VIC-II read; undefined for the pointer in memory */
export function spriteFacts({ io, ram, characterRom }: Sources, n: number, fetched?: number): Omit<Sprite, 'pixels'> {
  const { bankStart, screen } = decodeVideo(io)
  const bit = (address: number): boolean => ((ioByte(io, address) >> n) & 1) === 1
  const colour = (address: number): number => ioByte(io, address) & 0x0f
  const pointer = fetched ?? seenByVic(ram, characterRom, screen + 0x3f8 + n)
  const address = bankStart + pointer * 64
  return {
    n,
    enabled: bit(0xd015),
    x: ioByte(io, 0xd000 + 2 * n) | (bit(0xd010) ? 0x100 : 0),
    y: ioByte(io, 0xd001 + 2 * n),
    pointer,
    address,
    multicolour: bit(0xd01c),
    colour: colour(0xd027 + n),
    multicolour1: colour(0xd025),
    multicolour2: colour(0xd026),
    expandX: bit(0xd01d),
    expandY: bit(0xd017),
    behind: bit(0xd01b),
    fromCharacterRom: isCharacterRom(address),
  }
}

export function seenByVic(ram: Uint8Array, characterRom: Uint8Array | null, address: number): number {
  return (isCharacterRom(address) ? characterRom?.[address & 0x0fff] : ram[address]) ?? 0
}

export function spritePixels(
  data: Uint8Array,
  look: Pick<Sprite, 'multicolour' | 'colour' | 'multicolour1' | 'multicolour2'>,
): Uint8Array {
  const colours = look.multicolour
    ? [TRANSPARENT, look.multicolour1, look.colour, look.multicolour2]
    : [TRANSPARENT, look.colour]
  const bits = look.multicolour ? 2 : 1
  return Uint8Array.from({ length: SPRITE_WIDTH * SPRITE_HEIGHT }, (_, pixel) => {
    const inByte = pixel & 7 & -bits
    return colours[((data[pixel >> 3] ?? 0) >> (8 - bits - inByte)) & ((1 << bits) - 1)] ?? TRANSPARENT
  })
}
