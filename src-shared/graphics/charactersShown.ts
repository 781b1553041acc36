import { decodeVideo, isCharacterRom, isText, type Video } from '../c64/video'
import { SCREEN_CELLS, type CharacterSet, type TextMode } from './artwork'
import { characterColours, type TakeLine } from './artworkPixels'
import { CHARSET_BYTES } from './charsetScan'
import { characterUse, NO_COLOUR, shapeOf, type CharacterUse } from './characterUse'
import { bytesSeen, grabCharacters, type GraphicsImage } from './grab'
import { romSetSeen } from './shownPicture'

export interface CharactersChoices {
  /** An address in RAM, or a set of the machine's ROM; null is what the VIC-II uses. */
  readonly from: number | 'upper' | 'lower' | null
  readonly mode: TextMode | null
  /** A colour RAM value for all; null takes the colours from use. */
  readonly colour: number | null
}

export interface CharactersShown {
  readonly set: CharacterSet
  /** In the VIC-II's address space. */
  readonly address: number
  readonly rom: 'upper' | 'lower' | null
  readonly isStandIn: boolean
  readonly isUsed: boolean
  readonly use: CharacterUse | null
}

export function charactersShown(image: GraphicsImage, { from, mode, colour }: CharactersChoices): CharactersShown {
  const video = decodeVideo(image.io)
  const address =
    typeof from === 'number' ? from : from === null ? video.characters : from === 'upper' ? 0x1000 : 0x1800
  const rom = typeof from === 'number' ? null : (from ?? romSetSeen(video.characters))
  const isUsed = isText(video) && usesSet(video, address, rom)
  const codes = isText(video) ? bytesSeen(image, video.screen, SCREEN_CELLS) : new Uint8Array(0)
  const counted = characterUse(codes, image.colorRam)
  const grabbed = grabCharacters(image, rom === null ? address : undefined)
  const bytes = rom === null ? grabbed.bytes : romBytes(image, rom)
  const usual = usualColour(counted) ?? grabbed.colour
  const colours = colour === null && isUsed ? counted.colours.map((each) => (each === NO_COLOUR ? usual : each)) : null
  const set = { ...grabbed, bytes, mode: mode ?? grabbed.mode, colour: colour ?? usual, colours }
  const isStandIn = rom !== null && image.romNote !== undefined
  return { set, address, rom, isStandIn, isUsed, use: isUsed ? counted : null }
}

function usesSet({ characters }: Video, address: number, rom: 'upper' | 'lower' | null): boolean {
  if (rom !== null) return romSetSeen(characters) === rom
  return characters === address && !isCharacterRom(address)
}

function romBytes({ characterRom }: GraphicsImage, set: 'upper' | 'lower'): Uint8Array {
  const start = set === 'upper' ? 0 : CHARSET_BYTES
  return characterRom?.slice(start, start + CHARSET_BYTES) ?? new Uint8Array(CHARSET_BYTES)
}

function usualColour({ cells, colours }: CharacterUse): number | null {
  const sums = new Uint16Array(16)
  colours.forEach((colour, code) => {
    if (colour !== NO_COLOUR) sums[colour] = (sums[colour] ?? 0) + (cells[code] ?? 0)
  })
  const most = Math.max(...sums)
  return most === 0 ? null : sums.indexOf(most)
}

export const colourOf = ({ colours, colour }: CharacterSet, code: number): number => colours?.[code] ?? colour

export function eachCharacterLine(set: CharacterSet, take: TakeLine): void {
  for (let code = 0; code < 256; code++) eachLineOfCharacter(set, code, colourOf(set, code), code, take)
}

export function eachLineOfCharacter(
  { mode, bytes, backgrounds }: CharacterSet,
  code: number,
  colour: number,
  cell: number,
  take: TakeLine,
): void {
  const colours = characterColours(mode, code, colour, backgrounds)
  const shape = shapeOf(mode, code) * 8
  for (let y = 0; y < 8; y++) take(cell, y, bytes[shape + y] ?? 0, colours)
}

export const charactersOnly = (set: CharacterSet, codes: readonly number[], name: string): CharacterSet => ({
  ...set,
  name,
  bytes: Uint8Array.from(
    codes.flatMap((code) => [...set.bytes.subarray(shapeOf(set.mode, code) * 8, shapeOf(set.mode, code) * 8 + 8)]),
  ),
  colours: set.colours && Uint8Array.from(codes, (code) => colourOf(set, code)),
})
