import { decodeVideo, ioByte, isCharacterRom, type Video } from '../c64/video'
import type { Bitmap, BitmapMode, ScreenCharacters, TextMode, TextScreen } from './artwork'
import { CHARSET_BYTES } from './charsetScan'
import { fliScreenBytes, fliScreens } from './fli'
import { grabBitmap, grabScreen, type GraphicsImage } from './grab'

export const pictureModes = ['text', 'multicolourText', 'extendedText', 'bitmap', 'multicolourBitmap'] as const
export type PictureMode = TextMode | BitmapMode

/** Null takes what the VIC-II uses. Addresses are in RAM. */
export interface PictureChoices {
  readonly mode: PictureMode | null
  readonly isFli: boolean
  readonly bank: number | null
  readonly screen: number | null
  readonly characters: number | 'upper' | 'lower' | null
  readonly bitmap: number | null
}

export const asTheVicHasIt: PictureChoices = {
  mode: null,
  isFli: false,
  bank: null,
  screen: null,
  characters: null,
  bitmap: null,
}

export interface ShownPicture {
  readonly artwork: TextScreen | Bitmap
  readonly screen: number
  readonly characters: number
  readonly bitmap: number
}

/** Null in a mode that the VIC-II shows as black, unless another mode is chosen. */
export function shownPicture(image: GraphicsImage, choices: PictureChoices): ShownPicture | null {
  const inBank = choices.bank === null ? image : { ...image, io: ioInBank(image.io, choices.bank) }
  const video = decodeVideo(inBank.io)
  const mode = choices.mode ?? video.mode
  if (mode === 'invalid') return null
  const places = {
    screen: choices.screen ?? video.screen,
    characters: charactersAddress(choices, video),
    bitmap: choices.bitmap ?? video.bitmap,
  }
  if (mode === 'bitmap' || mode === 'multicolourBitmap') return bitmapOf(inBank, choices, video, mode, places)
  const artwork = { ...grabScreen(inBank, choices.screen ?? undefined), mode }
  return { ...places, artwork: { ...artwork, characters: charactersOf(inBank, choices) ?? artwork.characters } }
}

function bitmapOf(
  image: GraphicsImage,
  { isFli, screen, bitmap }: PictureChoices,
  video: Video,
  mode: BitmapMode,
  places: Omit<ShownPicture, 'artwork'>,
): ShownPicture {
  const place = { mode, ...(screen === null ? {} : { screen }), ...(bitmap === null ? {} : { bitmap }) }
  const artwork = grabBitmap(image, place)
  if (!isFli) return { ...places, artwork }
  const screens = screen ?? fliScreens({ bankStart: video.bankStart, bitmap: places.bitmap })
  return { ...places, screen: screens, artwork: { ...artwork, screen: fliScreenBytes(image.ram, screens) } }
}

function charactersOf({ ram }: GraphicsImage, { characters }: PictureChoices): ScreenCharacters | undefined {
  if (characters === null) return undefined
  if (typeof characters === 'string') return characters
  return ramBytes(ram, characters)
}

function ramBytes(ram: Uint8Array, address: number): Uint8Array {
  const bytes = new Uint8Array(CHARSET_BYTES)
  bytes.set(ram.subarray(address, address + CHARSET_BYTES))
  return bytes
}

function charactersAddress({ characters }: PictureChoices, video: Video): number {
  if (typeof characters === 'number') return characters
  if (characters === null) return video.characters
  return characters === 'upper' ? 0x1000 : 0x1800
}

const CIA2_PORT_A = 0xdd00

function ioInBank(io: Uint8Array, bank: number): Uint8Array {
  const changed = io.slice()
  changed[CIA2_PORT_A - 0xd000] = (ioByte(io, CIA2_PORT_A) & 0xfc) | (3 - bank)
  return changed
}

export function romSetSeen(characters: number): 'upper' | 'lower' | null {
  if (!isCharacterRom(characters)) return null
  return (characters & 0x0800) === 0 ? 'upper' : 'lower'
}
