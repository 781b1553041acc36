import { decodeVideo, ioByte, isCharacterRom } from '../c64/video'
import {
  BITMAP_BYTES,
  SCREEN_CELLS,
  SCREEN_COLUMNS,
  SCREEN_ROWS,
  SPRITE_BYTES,
  type Artwork,
  type Backgrounds,
  type Bitmap,
  type BitmapMode,
  type CharacterSet,
  type ScreenCharacters,
  type SharedSpriteColours,
  type SpriteArt,
  type SpriteLook,
  type TextMode,
  type TextScreen,
} from './artwork'

const CHARACTER_SET = 0x800
/** The VIC-II sees character ROM in aligned blocks of this size. */
const ROM_SEEN = 0x1000

export interface GraphicsImage {
  /** 64 KiB, also what lies under ROM; only what the CPU sees where a machine shows no more. */
  readonly ram: Uint8Array
  /** 4,096 bytes to draw text with; null where none is known. */
  readonly characterRom: Uint8Array | null
  readonly romNote?: string
  /** 1,024 values; only the low nibbles count. */
  readonly colorRam: Uint8Array
  readonly io: Uint8Array
}

/** The machine's own character ROM, 4,096 bytes; null where it is not known. */
export const ownRom = ({ characterRom, romNote }: Pick<GraphicsImage, 'characterRom' | 'romNote'>): Uint8Array | null =>
  romNote === undefined ? characterRom : null

/** Zeros where the VIC-II sees ROM that the machine does not show, and past $FFFF. */
export function bytesSeen(image: GraphicsImage, address: number, length: number): Uint8Array {
  const characterRom = ownRom(image)
  const seen = padded(image.ram, address, length)
  for (let start = address & ~(ROM_SEEN - 1); start < address + length; start += ROM_SEEN) {
    if (!isCharacterRom(start)) continue
    const [from, to] = [Math.max(start, address), Math.min(start + ROM_SEEN, address + length)]
    if (characterRom) seen.set(characterRom.subarray(from - start, to - start), from - address)
    else seen.fill(0, from - address, to - address)
  }
  return seen
}

export function charactersDrawn(image: GraphicsImage): Uint8Array {
  const { characters, charactersFromRom } = decodeVideo(image.io)
  const start = characters & 0x0800
  const fromRom = charactersFromRom ? image.characterRom?.slice(start, start + CHARACTER_SET) : undefined
  return fromRom ?? bytesSeen(image, characters, CHARACTER_SET)
}

const colourAt = ({ io }: Pick<GraphicsImage, 'io'>, register: number): number => ioByte(io, register) & 0x0f

const backgroundsOf = (image: GraphicsImage): Backgrounds => [
  colourAt(image, 0xd021),
  colourAt(image, 0xd022),
  colourAt(image, 0xd023),
  colourAt(image, 0xd024),
]

export const sharedSpriteColours = (image: Pick<GraphicsImage, 'io'>): SharedSpriteColours => ({
  background: colourAt(image, 0xd021),
  multicolour1: colourAt(image, 0xd025),
  multicolour2: colourAt(image, 0xd026),
})

export function spriteLookOf({ io }: Pick<GraphicsImage, 'io'>, n: number): SpriteLook {
  const bit = (register: number): boolean => ((ioByte(io, register) >> n) & 1) === 1
  return {
    colour: ioByte(io, 0xd027 + n) & 0x0f,
    multicolour: bit(0xd01c),
    expandX: bit(0xd01d),
    expandY: bit(0xd017),
  }
}

export function spriteAddresses(image: GraphicsImage): number[] {
  const { screen, bankStart } = decodeVideo(image.io)
  return [...bytesSeen(image, screen + 0x3f8, 8)].map((pointer) => bankStart + pointer * 64)
}

export const spriteAt = (image: GraphicsImage, address: number, look: SpriteLook, asSeen = false): SpriteArt => ({
  ...look,
  name: `$${address.toString(16).toUpperCase().padStart(4, '0')}`,
  bytes: asSeen ? bytesSeen(image, address, SPRITE_BYTES) : padded(image.ram, address, SPRITE_BYTES),
  overlay: false,
})

function padded(ram: Uint8Array, address: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  bytes.set(ram.subarray(address, address + length))
  return bytes
}

const textModeOf = (image: GraphicsImage): TextMode => {
  const { mode } = decodeVideo(image.io)
  return mode === 'multicolourText' || mode === 'extendedText' ? mode : 'text'
}

/** @param address in RAM; without it, the set that the VIC-II uses, even one in ROM */
export function grabCharacters(image: GraphicsImage, address?: number): CharacterSet {
  const at = address ?? decodeVideo(image.io).characters
  return {
    kind: 'characters',
    name: `$${at.toString(16).toUpperCase().padStart(4, '0')}`,
    mode: textModeOf(image),
    bytes: address === undefined ? bytesSeen(image, at, CHARACTER_SET) : padded(image.ram, at, CHARACTER_SET),
    backgrounds: backgroundsOf(image),
    colour: colourAt(image, 0xd021) === 1 ? 0 : 1,
    colours: null,
    materials: null,
    tiles: null,
    map: null,
  }
}

/** @param address of the screen; without it, the one that the VIC-II uses */
export function grabScreen(image: GraphicsImage, address?: number): TextScreen {
  const video = decodeVideo(image.io)
  const at = address ?? video.screen
  const rom: ScreenCharacters = (video.characters & 0x0800) === 0 ? 'upper' : 'lower'
  return {
    kind: 'screen',
    name: `$${at.toString(16).toUpperCase().padStart(4, '0')}`,
    mode: textModeOf(image),
    columns: SCREEN_COLUMNS,
    rows: SCREEN_ROWS,
    codes: address === undefined ? bytesSeen(image, at, SCREEN_CELLS) : padded(image.ram, at, SCREEN_CELLS),
    colours: image.colorRam.slice(0, SCREEN_CELLS).map((colour) => colour & 0x0f),
    backgrounds: backgroundsOf(image),
    border: colourAt(image, 0xd020),
    characters: isCharacterRom(video.characters) ? rom : bytesSeen(image, video.characters, CHARACTER_SET),
  }
}

export interface BitmapPlace {
  readonly bitmap?: number
  readonly screen?: number
  readonly mode?: BitmapMode
}

export function grabBitmap(image: GraphicsImage, place: BitmapPlace = {}): Bitmap {
  const video = decodeVideo(image.io)
  const at = place.bitmap ?? video.bitmap
  const part = (address: number | undefined, shown: number, length: number) =>
    address === undefined ? bytesSeen(image, shown, length) : padded(image.ram, address, length)
  return {
    kind: 'bitmap',
    name: `$${at.toString(16).toUpperCase().padStart(4, '0')}`,
    mode: place.mode ?? (video.mode === 'bitmap' ? 'bitmap' : 'multicolourBitmap'),
    bitmap: part(place.bitmap, video.bitmap, BITMAP_BYTES),
    screen: part(place.screen, video.screen, SCREEN_CELLS),
    colours: image.colorRam.slice(0, SCREEN_CELLS).map((colour) => colour & 0x0f),
    background: colourAt(image, 0xd021),
    border: colourAt(image, 0xd020),
  }
}

export function grabShown(image: GraphicsImage): Artwork | null {
  const { mode } = decodeVideo(image.io)
  if (mode === 'invalid') return null
  return mode === 'bitmap' || mode === 'multicolourBitmap' ? grabBitmap(image) : grabScreen(image)
}
