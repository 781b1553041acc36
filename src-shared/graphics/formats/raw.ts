/**
 * Data as in memory, alone or behind a load address (PRG): sprites of 64 bytes, characters of 8, a screen with its
 * colour RAM, a bitmap with its screen, and in multicolour with colour RAM and background.
 */
import {
  BITMAP_BYTES,
  CHARACTER_BYTES,
  MAX_CHARACTERS,
  MAX_SPRITES,
  SCREEN_CELLS,
  SCREEN_COLUMNS,
  SCREEN_ROWS,
  SPRITE_BYTES,
  isFli,
  type Artwork,
  type ArtworkKind,
} from '../artwork'
import type { GraphicsFormat, Likeness } from '../format'
import { cannotHold, counted, joined, lowHigh, Problems, wordAt } from './readBytes'
import { NO_PADDING, SPRITE_RECORD, spriteRecords, spritesIn, withPadding } from './spriteRecord'

/** Raw data has no colours: blue and white as after power-on, and greys. */
const BACKGROUND = 6
const FOREGROUND = 1
const BORDER = 14
const shared = { background: BACKGROUND, multicolour1: 11, multicolour2: 12 }
const ADDRESS_BYTES = 2
const HIRES_BYTES = BITMAP_BYTES + SCREEN_CELLS
const MULTICOLOUR_BYTES = HIRES_BYTES + SCREEN_CELLS + 1
const MEMORY = 0x10000

interface RawData {
  readonly title: string
  readonly read: (data: Uint8Array, problems: Problems, base: number) => Artwork | null
  readonly write: (artwork: Artwork) => Uint8Array
  readonly leavesOut: (artwork: Artwork) => readonly string[]
  readonly isLikely: (bytes: number) => boolean
}

const raw: Readonly<Record<ArtworkKind, RawData>> = {
  sprites: {
    title: 'sprites',
    isLikely: (bytes) => [0, SPRITE_BYTES].includes(bytes % SPRITE_RECORD) || bytes % SPRITE_BYTES === 0,
    read: (data, problems, base) => {
      const whole = wholePieces(spriteData(data, problems, base), SPRITE_RECORD, MAX_SPRITES, 'sprites', problems, base)
      if (whole.length === 0) return null
      return { kind: 'sprites', name: '', ...shared, sprites: spritesIn(whole), animations: [] }
    },
    write: (artwork) => {
      if (artwork.kind !== 'sprites') throw cannotHold('This is for sprites only.')
      return spriteRecords(artwork.sprites)
    },
    leavesOut: (artwork) => ['shared colours', ...(artwork.kind === 'sprites' ? spriteLosses(artwork) : [])],
  },
  characters: {
    title: 'characters',
    isLikely: (bytes) => bytes % CHARACTER_BYTES === 0,
    read: (data, problems, base) => {
      const bytes = wholePieces(data, CHARACTER_BYTES, MAX_CHARACTERS, 'characters', problems, base)
      if (bytes.length === 0) return null
      return {
        kind: 'characters',
        name: '',
        mode: 'text',
        bytes,
        colour: FOREGROUND,
        backgrounds: [BACKGROUND, 0, 0, 0],
        colours: null,
        materials: null,
        tiles: null,
        map: null,
      }
    },
    write: (artwork) => {
      if (artwork.kind !== 'characters') throw cannotHold('This is for characters only.')
      return artwork.bytes
    },
    leavesOut: (artwork) => [
      'mode and colours',
      ...(artwork.kind === 'characters' && (artwork.tiles ?? artwork.map) !== null ? ['tiles and map'] : []),
    ],
  },
  screen: {
    title: 'screen',
    isLikely: (bytes) => bytes === 2 * SCREEN_CELLS,
    read: readScreen,
    write: (artwork) => {
      if (artwork.kind !== 'screen' || artwork.columns !== SCREEN_COLUMNS || artwork.rows !== SCREEN_ROWS)
        throw cannotHold(`This is for screens of ${SCREEN_COLUMNS} x ${SCREEN_ROWS} characters only.`)
      return joined([artwork.codes, artwork.colours])
    },
    leavesOut: () => ['mode', 'background and border', 'characters'],
  },
  bitmap: {
    title: 'bitmap',
    isLikely: (bytes) => bytes === HIRES_BYTES || bytes === MULTICOLOUR_BYTES,
    read: readBitmap,
    write: (artwork) => {
      if (artwork.kind !== 'bitmap' || isFli(artwork)) throw cannotHold('This is for bitmaps without FLI only.')
      const { bitmap, screen, colours, background } = artwork
      return joined([bitmap, screen, ...(artwork.mode === 'bitmap' ? [] : [colours, [background]])])
    },
    leavesOut: () => ['border'],
  },
}

/** In 64 bytes each: some files have 63 a sprite, or the last one without its padding. */
function spriteData(data: Uint8Array, problems: Problems, base: number): Uint8Array {
  const rest = data.length % SPRITE_RECORD
  if (rest === SPRITE_BYTES) problems.note(base + data.length, NO_PADDING)
  if (rest === 0 || rest === SPRITE_BYTES || data.length % SPRITE_BYTES !== 0) return withPadding(data)
  const count = data.length / SPRITE_BYTES
  problems.note(base, `The ${count} sprites have ${SPRITE_BYTES} bytes each, without their padding.`)
  const records = new Uint8Array(count * SPRITE_RECORD)
  for (let n = 0; n < count; n++)
    records.set(data.subarray(n * SPRITE_BYTES, (n + 1) * SPRITE_BYTES), n * SPRITE_RECORD)
  return records
}

const spriteLosses = (sheet: Extract<Artwork, { kind: 'sprites' }>): string[] => [
  ...(sheet.sprites.some(({ name }) => name !== '') ? ['names of sprites'] : []),
  ...(sheet.animations.length > 0 ? ['animations'] : []),
]

function wholePieces(
  data: Uint8Array,
  size: number,
  most: number,
  what: string,
  problems: Problems,
  base: number,
): Uint8Array {
  const count = Math.floor(data.length / size)
  if (data.length % size !== 0 || count === 0)
    problems.add(base + count * size, `Expected ${what} of ${size} bytes, found ${counted(data.length % size)} more.`)
  if (count > most) problems.add(base + most * size, `Expected up to ${most} ${what}, found ${count}.`)
  return data.slice(0, Math.min(count, most) * size)
}

function padded(data: Uint8Array, from: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  bytes.set(data.subarray(from, from + length))
  return bytes
}

function readScreen(data: Uint8Array, problems: Problems, base: number): Artwork | null {
  if (data.length === 0) return null
  if (data.length !== 2 * SCREEN_CELLS)
    problems.add(
      base + Math.min(data.length, 2 * SCREEN_CELLS),
      `Expected ${SCREEN_CELLS} screen codes and as many colours, found ${counted(data.length)}.`,
    )
  const hasColours = data.length > SCREEN_CELLS
  return {
    kind: 'screen',
    name: '',
    mode: 'text',
    columns: SCREEN_COLUMNS,
    rows: SCREEN_ROWS,
    codes: padded(data, 0, SCREEN_CELLS),
    colours: hasColours
      ? padded(data, SCREEN_CELLS, SCREEN_CELLS).map((colour) => colour & 0x0f)
      : new Uint8Array(SCREEN_CELLS).fill(FOREGROUND),
    backgrounds: [BACKGROUND, 0, 0, 0],
    border: BORDER,
    characters: 'upper',
  }
}

function readBitmap(data: Uint8Array, problems: Problems, base: number): Artwork | null {
  if (data.length === 0) return null
  const isHires = data.length <= HIRES_BYTES
  const size = isHires ? HIRES_BYTES : MULTICOLOUR_BYTES
  if (data.length !== size)
    problems.add(
      base + Math.min(data.length, size),
      `Expected ${HIRES_BYTES} bytes of a hires or ${MULTICOLOUR_BYTES} of a multicolour bitmap, found ${data.length}.`,
    )
  const background = (data[MULTICOLOUR_BYTES - 1] ?? 0) & 0x0f
  return {
    kind: 'bitmap',
    name: '',
    mode: isHires ? 'bitmap' : 'multicolourBitmap',
    background,
    border: background,
    bitmap: padded(data, 0, BITMAP_BYTES),
    screen: padded(data, BITMAP_BYTES, SCREEN_CELLS),
    colours: padded(data, HIRES_BYTES, SCREEN_CELLS).map((colour) => colour & 0x0f),
  }
}

function rawFormat(kind: ArtworkKind, hasAddress: boolean): GraphicsFormat {
  const { title, read, write, isLikely, leavesOut } = raw[kind]
  const base = hasAddress ? ADDRESS_BYTES : 0
  const extension = hasAddress ? 'prg' : 'bin'
  return {
    id: `${hasAddress ? 'prg' : 'raw'}-${kind}`,
    title: hasAddress ? `PRG with ${title}` : `Raw ${title}`,
    extensions: [extension],
    kinds: [kind],
    holdsMany: false,
    options: hasAddress ? ['address'] : [],
    likeness: (file, named): Likeness =>
      named === extension && file.length > base && isLikely(file.length - base) ? 'possible' : 'no',
    read: (file) => {
      const problems = new Problems()
      if (file.length <= base) problems.add(0, `Expected ${title}, found ${counted(file.length)}.`)
      const artwork = file.length <= base ? null : read(file.subarray(base), problems, base)
      const found = problems.with(artwork === null ? [] : [artwork])
      return hasAddress && artwork !== null ? { ...found, loadAddress: wordAt(file, 0) } : found
    },
    leavesOut: (artworks) => artworks.flatMap((artwork) => leavesOut(artwork)),
    write: ([artwork], { address }) => {
      if (artwork === undefined) throw cannotHold('There is nothing to write.')
      const data = write(artwork)
      if (data.length === 0) throw cannotHold(`There are no ${title}.`)
      if (!hasAddress) return joined([data])
      if (address + data.length > MEMORY)
        throw cannotHold(
          `${counted(data.length)} do not fit between the load address and $FFFF. Choose a lower load address.`,
        )
      return joined([lowHigh(address), data])
    },
  }
}

const kinds: readonly ArtworkKind[] = ['sprites', 'characters', 'screen', 'bitmap']

export const rawFormats: readonly GraphicsFormat[] = kinds.map((kind) => rawFormat(kind, false))
export const prgFormats: readonly GraphicsFormat[] = kinds.map((kind) => rawFormat(kind, true))
