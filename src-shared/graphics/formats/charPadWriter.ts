import { CHARACTER_BYTES, MAX_CHARACTERS, type Artwork, type CharacterSet, type TextMode, type Tiles } from '../artwork'
import { cannotHold, joined, lowHigh } from './readBytes'

const VERSION = 8
const MAX_COUNT = 0x10000
const MAX_SIDE = 0xffff
const MAX_TILE_SIDE = 10
const MAX_NAME = 32
const displayModes: Readonly<Record<TextMode, number>> = { text: 0, multicolourText: 1, extendedText: 2 }

export function writeCharPad(artwork: Artwork | undefined): Uint8Array {
  if (artwork?.kind !== 'characters') throw cannotHold('CharPad files hold character sets only.')
  const count = Math.floor(artwork.bytes.length / CHARACTER_BYTES)
  checkSet(artwork, count)
  const { colours, materials, tiles, map, backgrounds } = artwork
  const method = colours ? 2 : tiles?.colours ? 1 : 0
  const header = [displayModes[artwork.mode], method, tiles ? 1 : 0, ...backgrounds, artwork.colour, 0, 0]
  const parts: (Uint8Array | number[])[] = []
  const block = (...contents: (Uint8Array | number[])[]): void => void parts.push([0xda, 0xb0 + blocks++], ...contents)
  let blocks = 0
  block(lowHigh(count - 1), artwork.bytes.subarray(0, count * CHARACTER_BYTES))
  block(materials ?? new Uint8Array(count))
  if (colours) block(colours)
  if (tiles) {
    const tileCount = countOf(tiles)
    block(lowHigh(tileCount - 1), [tiles.width, tiles.height], words(tiles.cells))
    if (method === 1 && tiles.colours) block(tiles.colours)
    block(new Uint8Array(tileCount))
    block(joined(Array.from({ length: tileCount }, (_, n) => nameBytes(tiles.names[n] ?? ''))))
  }
  block(lowHigh(map?.columns ?? 0), lowHigh(map?.rows ?? 0), words(map?.cells ?? new Uint16Array(0)))
  return joined([[0x43, 0x54, 0x4d, VERSION], header, ...parts])
}

const countOf = ({ cells, width, height }: Tiles): number => Math.floor(cells.length / (width * height))

const words = (cells: Uint16Array): Uint8Array => Uint8Array.from([...cells].flatMap(lowHigh))

const nameBytes = (name: string): number[] => [...Array.from(name, (letter) => letter.charCodeAt(0)), 0]

function checkSet({ colours, tiles, map }: CharacterSet, count: number): void {
  if (count < 1 || count > MAX_CHARACTERS)
    throw cannotHold(`A CharPad file holds 1 to ${MAX_CHARACTERS} characters; these are ${count}.`)
  if (map && (map.columns > MAX_SIDE || map.rows > MAX_SIDE))
    throw cannotHold(`A CharPad map has up to ${MAX_SIDE} columns and rows.`)
  if (!tiles) return
  if (colours && tiles.colours)
    throw cannotHold('A CharPad file has colours for characters or for tiles, and this set has both.')
  if (Math.max(tiles.width, tiles.height) > MAX_TILE_SIDE || countOf(tiles) < 1 || countOf(tiles) > MAX_COUNT)
    throw cannotHold(
      `A CharPad file holds 1 to ${MAX_COUNT} tiles of up to ${MAX_TILE_SIDE} x ${MAX_TILE_SIDE} characters.`,
    )
  const wrong = tiles.names.find((name) => name.length > MAX_NAME || !/^[\u0001-\u00ff]*$/.test(name))
  if (wrong !== undefined)
    throw cannotHold(
      `The name of a tile has up to ${MAX_NAME} Latin letters in a CharPad file; “${wrong}” does not fit.`,
    )
}
