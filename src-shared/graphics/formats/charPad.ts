/**
 * CharPad: a character set with colours, materials, tiles and a map. Reads versions 1 to 9, writes version 8 in {@link
 * writeCharPad}. From version 6 on each block begins with DA and a byte from B0 up. Sources: VS64's
 * tools/rclib/charset.py, Oscar64's Preprocessor.cpp, c64lib's CTM5 to CTM9 processors; for versions 1 to 5, the
 * CharPad 2.3 User Manual. Where they differ on version 8, VS64 and Oscar64 are followed.
 */
import { formatByte } from '../../c64/address'
import { MAX_MAP_CELLS, type CharacterSet, type TextMode, type TileMap, type Tiles } from '../artwork'
import type { GraphicsFormat, ReadArtwork } from '../format'
import { writeCharPad } from './charPadWriter'
import { ByteReader, hasSignature, Problems, wordAt } from './readBytes'

const SIGNATURE = 'CTM'
const PER_TILE = 1
const PER_CHARACTER = 2
/** Version 8.2 has the version byte 82. */
const VERSION_8_2 = 82
const BITMAP_HIRES = 3
const BITMAP_MULTICOLOUR = 4
const modes: readonly TextMode[] = ['text', 'multicolourText', 'extendedText', 'text', 'multicolourText']
const MAX_NAME = 32

export const charPad: GraphicsFormat = {
  id: 'charpad',
  title: 'CharPad',
  extensions: ['ctm'],
  kinds: ['characters'],
  holdsMany: false,
  options: [],
  likeness: (file, extension) => {
    if (hasSignature(file, SIGNATURE)) return 'certain'
    return extension === 'ctm' ? 'possible' : 'no'
  },
  read,
  write: (artworks) => writeCharPad(artworks[0]),
}

interface Header {
  readonly version: number
  readonly mode: TextMode
  readonly colourBytes: number
  readonly method: number
  readonly backgrounds: CharacterSet['backgrounds']
  readonly colour: number
  readonly hasTiles: boolean
  /** Versions 1 to 5 have their counts in front. */
  readonly counts: Counts | null
}

interface Counts {
  readonly characters: number
  readonly tiles: number
  readonly tileWidth: number
  readonly tileHeight: number
  readonly columns: number
  readonly rows: number
  readonly isExpanded: boolean
}

function read(file: Uint8Array): ReadArtwork {
  const problems = new Problems()
  const reader = new ByteReader(file, problems)
  if (!hasSignature(file, SIGNATURE)) {
    problems.add(0, 'Expected the signature CTM of CharPad.')
    return problems.with([])
  }
  reader.at = SIGNATURE.length
  const header = readHeader(reader)
  const set = header === null ? null : readSet(reader, header)
  return problems.with(set === null ? [] : [set])
}

function readHeader(reader: ByteReader): Header | null {
  const { at } = reader
  const found = reader.byte('the version') ?? 0
  const version = found === VERSION_8_2 ? 8 : found
  if (version >= 1 && version <= 3) return readHeader1(reader, version)
  if (version === 4) return readHeader4(reader)
  if (version === 5) return readHeader5(reader)
  if (version === 6) return readHeader6(reader)
  if (version === 7) return readHeader7(reader)
  if (version === 8 || version === 9) return readHeader8(reader, version)
  reader.problems.add(at, `Expected a version from 1 to 9, found ${found}.`)
  return null
}

const plain = { version: 0, colourBytes: 1, counts: null }
const modeOf = (isMulticolour: boolean): TextMode => (isMulticolour ? 'multicolourText' : 'text')

/** Versions 1 to 3; version 1 has tiles of 4 x 4, the others square ones. */
function readHeader1(reader: ByteReader, version: number): Header | null {
  const header = reader.bytes(16, 'the header')
  if (header === null) return null
  const [background = 0, first = 0, second = 0, colour = 0, method = 0, isMulticolour = 0] = header
  const isFirst = version === 1
  const tileSize = isFirst ? 4 : (header[13] ?? 0)
  return {
    ...plain,
    version,
    mode: modeOf(isMulticolour !== 0),
    method,
    backgrounds: backgroundsOf([background, first, second, 0]),
    colour: colour & 0x0f,
    hasTiles: true,
    counts: {
      characters: (isFirst ? (header[10] ?? 0) : wordAt(header, 10)) + 1,
      tiles: (header[isFirst ? 11 : 12] ?? 0) + 1,
      tileWidth: tileSize,
      tileHeight: tileSize,
      columns: wordAt(header, 6),
      rows: wordAt(header, 8),
      isExpanded: version === 3 && (header[14] ?? 0) !== 0,
    },
  }
}

function readHeader4(reader: ByteReader): Header | null {
  const header = reader.bytes(20, 'the header')
  if (header === null) return null
  const [background = 0, first = 0, second = 0, colour = 0, method = 0, isMulticolour = 0] = header
  return {
    ...plain,
    version: 4,
    mode: modeOf(isMulticolour !== 0),
    method,
    backgrounds: backgroundsOf([background, first, second, 0]),
    colour: colour & 0x0f,
    hasTiles: true,
    counts: {
      characters: wordAt(header, 6) + 1,
      tiles: (header[8] ?? 0) + 1,
      tileWidth: header[9] ?? 0,
      tileHeight: header[10] ?? 0,
      columns: wordAt(header, 11),
      rows: wordAt(header, 13),
      isExpanded: (header[15] ?? 0) !== 0,
    },
  }
}

function readHeader5(reader: ByteReader): Header | null {
  const header = reader.bytes(16, 'the header')
  if (header === null) return null
  const [background = 0, first = 0, second = 0, colour = 0, method = 0, flags = 0] = header
  const word = (at: number): number => (header[at] ?? 0) | ((header[at + 1] ?? 0) << 8)
  return {
    ...plain,
    version: 5,
    mode: modeOf((flags & 4) !== 0),
    method,
    backgrounds: backgroundsOf([background, first, second, 0]),
    colour: colour & 0x0f,
    hasTiles: (flags & 1) !== 0,
    counts: {
      characters: word(6) + 1,
      tiles: word(8) + 1,
      tileWidth: header[10] ?? 0,
      tileHeight: header[11] ?? 0,
      columns: word(12),
      rows: word(14),
      isExpanded: (flags & 2) !== 0,
    },
  }
}

function readHeader6(reader: ByteReader): Header | null {
  const header = reader.bytes(6, 'the header')
  if (header === null) return null
  const [background = 0, first = 0, second = 0, colour = 0, method = 0, flags = 0] = header
  return {
    ...plain,
    version: 6,
    mode: modeOf((flags & 1) !== 0),
    method,
    backgrounds: backgroundsOf([background, first, second, 0]),
    colour: colour & 0x0f,
    hasTiles: (flags & 2) !== 0,
  }
}

function readHeader7(reader: ByteReader): Header | null {
  const { at } = reader
  const header = reader.bytes(8, 'the header')
  if (header === null) return null
  const [, , , , colour = 0, method = 0, mode = 0, flags = 0] = header
  return {
    ...plain,
    version: 7,
    ...displayMode(reader, mode, at + 6),
    method,
    backgrounds: backgroundsOf(header),
    colour: colour & 0x0f,
    hasTiles: (flags & 1) !== 0,
  }
}

function readHeader8(reader: ByteReader, version: number): Header | null {
  const { at } = reader
  const kinds = reader.bytes(3, 'the header')
  if (version === 9) reader.bytes(5, 'the grid')
  const colours = reader.bytes(7, 'the colours')
  if (kinds === null || colours === null) return null
  const [mode = 0, method = 0, flags = 0] = kinds
  return {
    ...plain,
    version,
    ...displayMode(reader, mode, at),
    method,
    backgrounds: backgroundsOf(colours),
    colour: (colours[4] ?? 0) & 0x0f,
    hasTiles: (flags & 1) !== 0,
  }
}

const backgroundsOf = ([first = 0, second = 0, third = 0, fourth = 0]: Iterable<number> & ArrayLike<number>) =>
  [first & 0x0f, second & 0x0f, third & 0x0f, fourth & 0x0f] as const

function displayMode(reader: ByteReader, mode: number, at: number): Pick<Header, 'mode' | 'colourBytes'> {
  if (mode >= modes.length) reader.problems.add(at, `Expected a display mode from 0 to 4, found ${mode}.`)
  if (mode === BITMAP_HIRES || mode === BITMAP_MULTICOLOUR)
    reader.problems.note(at, 'Cells of a bitmap are loaded as characters, without the colours of their screen.')
  const colourBytes = mode === BITMAP_HIRES ? 2 : mode === BITMAP_MULTICOLOUR ? 3 : 1
  return { mode: modes[mode] ?? 'text', colourBytes }
}

function readSet(reader: ByteReader, header: Header): CharacterSet | null {
  const { mode, backgrounds, colour, version, method, counts } = header
  const count = counts?.characters ?? blockCount(reader, 'characters')
  if (count === null) return null
  const { bytes, attributes } = readCharacters(reader, version, count)
  if (bytes.length === 0) return null
  const isOld = version < 8
  const ownColours = method === PER_CHARACTER && attributes !== null && version > 3
  const readNew = (): Uint8Array | null =>
    ownColours && isBlock(reader, version) ? readColours(reader, header, count) : null
  const colours = isOld ? (ownColours ? attributes.map((each) => each & 0x0f) : null) : readNew()
  const materials = attributes?.map((each) => (isOld ? each >> 4 : each & 0x0f)) ?? null
  const read = attributes !== null && header.hasTiles ? readTiles(reader, header) : null
  const tiles = read?.tiles ?? null
  const isWhole = attributes !== null && (tiles !== null || !header.hasTiles) && !reader.hasEnded
  return {
    kind: 'characters',
    name: '',
    mode,
    bytes,
    backgrounds,
    colour,
    colours: colours ?? read?.characterColours ?? null,
    materials: materials?.some((material) => material !== 0) ? materials : null,
    tiles,
    map: isWhole ? readMap(reader, header) : null,
  }
}

/**
 * With their attributes: a colour in the low four bits, a material in the high ones; null where the file ends too soon.
 */
function readCharacters(
  reader: ByteReader,
  version: number,
  count: number,
): { bytes: Uint8Array; attributes: Uint8Array | null } {
  // Version 2 has a material after the eight rows of each character.
  const size = version === 2 ? 9 : 8
  const pieces = reader.pieces(count, size, 'characters')
  if (version !== 2) {
    if (pieces.length === 0 || version > 3)
      return { bytes: pieces, attributes: isBlock(reader, version) ? reader.bytes(count, 'materials') : null }
    return { bytes: pieces, attributes: reader.hasEnded ? null : new Uint8Array(count) }
  }
  const whole = pieces.length / size
  return {
    bytes: Uint8Array.from({ length: whole * 8 }, (_, n) => pieces[Math.floor(n / 8) * size + (n % 8)] ?? 0),
    attributes: reader.hasEnded ? null : Uint8Array.from({ length: whole }, (_, n) => (pieces[n * size + 8] ?? 0) << 4),
  }
}

/** Moves past the marker of a block; versions 1 to 5 have none. Without a marker the rest cannot be read. */
function isBlock(reader: ByteReader, version: number): boolean {
  if (version <= 5) return true
  const { at } = reader
  const marker = reader.bytes(2, 'the marker of a block')
  if (marker === null) return false
  const [first = 0, second = 0] = marker
  if (first === 0xda && second >> 4 === 0x0b) return true
  reader.problems.add(at, `Expected a block with the marker $DA $Bx, found ${formatByte(first)} ${formatByte(second)}.`)
  reader.hasEnded = true
  return false
}

function blockCount(reader: ByteReader, what: string): number | null {
  if (!isBlock(reader, 8)) return null
  const last = reader.word(`the number of ${what}`)
  return last === null ? null : last + 1
}

function readColours(reader: ByteReader, { colourBytes }: Header, count: number): Uint8Array | null {
  const bytes = reader.bytes(count * colourBytes, 'colours')
  return bytes && Uint8Array.from({ length: count }, (_, n) => (bytes[n * colourBytes] ?? 0) & 0x0f)
}

interface ReadTiles {
  readonly tiles: Tiles
  readonly characterColours: Uint8Array | null
}

function readTiles(reader: ByteReader, header: Header): ReadTiles | null {
  const { counts, version, method } = header
  const { at } = reader
  const count = counts?.tiles ?? blockCount(reader, 'tiles')
  const width = counts?.tileWidth ?? reader.byte('the width of a tile')
  const height = counts?.tileHeight ?? reader.byte('the height of a tile')
  if (count === null || width === null || height === null) return null
  const size = count * width * height
  if (size === 0 || size > MAX_MAP_CELLS) {
    reader.problems.add(
      at,
      `Expected tiles of up to ${MAX_MAP_CELLS} characters, found ${count} of ${width} x ${height}.`,
    )
    reader.hasEnded = true
    return null
  }
  const cells = readCells(reader, header, size)
  if (cells === null) return null
  // Version 2 has the colours of cells after those of tiles; a file has one of the two.
  const hasAttributes = version === 3 || version === 4 || (version < 3 && method === PER_CHARACTER)
  const characterColours = hasAttributes ? readCellAttributes(reader, header, cells) : null
  const colours =
    method === PER_TILE && isBlock(reader, version)
      ? readColours(reader, version < 8 ? { ...header, colourBytes: 1 } : header, count)
      : null
  const names = counts === null ? readNames(reader, count) : []
  return { tiles: { width, height, cells, colours, names }, characterColours }
}

function readCells(reader: ByteReader, { counts, version }: Header, size: number): Uint16Array | null {
  if (counts?.isExpanded) return Uint16Array.from({ length: size }, (_, n) => n)
  if (version > 1) return readWords(reader, size, 'tiles')
  const bytes = reader.bytes(size, 'tiles')
  return bytes && Uint16Array.from(bytes)
}

/**
 * Versions 1 to 4 have a colour for each cell of a tile, and 3 and 4 a material; from version 5 on the characters have
 * them.
 * @returns the colours of the characters, where version 4 has not given them and each has one
 */
function readCellAttributes(
  reader: ByteReader,
  { counts, version, method }: Header,
  cells: Uint16Array,
): Uint8Array | null {
  const { at } = reader
  const attributes = reader.bytes(cells.length, 'the attributes of the cells')
  if (attributes === null) return null
  const colours = version < 4 && method === PER_CHARACTER ? coloursOf(counts?.characters ?? 0, cells, attributes) : null
  const isColourLost = method === PER_CHARACTER && colours === null && attributes.some((each) => (each & 0x0f) !== 0)
  if (isColourLost || (version > 2 && attributes.some((each) => each >> 4 !== 0)))
    reader.problems.note(at, 'Colours and materials of single cells of tiles are not loaded, those of characters are.')
  return colours
}

function coloursOf(count: number, cells: Uint16Array, attributes: Uint8Array): Uint8Array | null {
  const found = new Map<number, number>()
  for (const [index, character] of cells.entries()) {
    const colour = (attributes[index] ?? 0) & 0x0f
    if ((found.get(character) ?? colour) !== colour) return null
    found.set(character, colour)
  }
  return Uint8Array.from({ length: count }, (_, character) => found.get(character) ?? 0)
}

function readNames(reader: ByteReader, count: number): string[] {
  if (!isBlock(reader, 8) || reader.bytes(count, 'tags of tiles') === null) return []
  if (!isBlock(reader, 8)) return []
  const names: string[] = []
  while (names.length < count) {
    const end = reader.file.subarray(reader.at, reader.at + MAX_NAME + 1).indexOf(0)
    const name = reader.bytes(end < 0 ? MAX_NAME + 1 : end + 1, 'the name of a tile')
    if (name === null) return []
    if (end < 0) {
      reader.problems.add(reader.at - 1, `Expected the end of a name after ${MAX_NAME} letters.`)
      reader.hasEnded = true
      return []
    }
    names.push(String.fromCharCode(...name.subarray(0, end)))
  }
  return names.some((name) => name !== '') ? names : []
}

function readMap(reader: ByteReader, { counts, version }: Header): TileMap | null {
  if (!isBlock(reader, version)) return null
  const { at } = reader
  const columns = counts?.columns ?? reader.word('the width of the map')
  const rows = counts?.rows ?? reader.word('the height of the map')
  if (columns === null || rows === null || columns * rows === 0) return null
  if (columns * rows > MAX_MAP_CELLS) {
    reader.problems.add(at, `Expected a map of up to ${MAX_MAP_CELLS} tiles, found ${columns} x ${rows}.`)
    return null
  }
  const cells = version <= 4 ? reader.bytes(columns * rows, 'the map') : readWords(reader, columns * rows, 'the map')
  return cells && { columns, rows, cells: Uint16Array.from(cells) }
}

function readWords(reader: ByteReader, count: number, what: string): Uint16Array | null {
  const bytes = reader.bytes(count * 2, what)
  return bytes && Uint16Array.from({ length: count }, (_, n) => (bytes[n * 2] ?? 0) | ((bytes[n * 2 + 1] ?? 0) << 8))
}
