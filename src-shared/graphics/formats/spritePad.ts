/**
 * SpritePad: sprites of 64 bytes, the last one with colour and look. Up to 1.8.1 three colours come first, without a
 * signature; 2.0 writes version 1, SpritePad Pro versions 2 to 5. Sources: VS64's packages/media/spritefile.js,
 * Oscar64's Preprocessor.cpp, Spritemate's Save.ts; for animations, lvllvl's importer of SpritePad and
 * https://csdb.dk/forums/index.php?roomid=7&topicid=125812.
 */
import { formatByte } from '../../c64/address'
import { MAX_SPRITES, type Artwork, type SharedSpriteColours, type SpriteAnimation, type SpriteSheet } from '../artwork'
import type { GraphicsFormat, ReadArtwork } from '../format'
import { ByteReader, cannotHold, hasSignature, joined, lowHigh, Problems, wordAt } from './readBytes'
import { animationOfRow, rowOf } from './rowAnimation'
import { NO_PADDING, SPRITE_RECORD, spriteRecords, spritesIn, withPadding } from './spriteRecord'

const SIGNATURE = 'SPD'
const SIGNATURE_BYTES = [0x53, 0x50, 0x44]
const COLOURS = 3
const MAX_SPRITES_2 = 256
const NEWEST = 5
const HAS_TILES = 1
const HAS_SPRITE_ANIMATIONS = 2
const HAS_TILE_ANIMATIONS = 4
const HAS_ANIMATIONS = HAS_SPRITE_ANIMATIONS | HAS_TILE_ANIMATIONS
/** From version 3 on: two words, a timer and flags. */
const BYTES_PER_ANIMATION = 6
const MAX_ANIMATIONS = 256
/** Timers count PAL frames. */
const TICK_MS = 20
const MAX_TICKS = 255
const PING_PONG = 0x10
/** SpritePad 2.0's entry for no animation, as Spritemate writes it. */
const noAnimation: TimedRow = { start: 0, end: 0, ticks: 1, flags: 0 }

const format = { kinds: ['sprites'], holdsMany: false, options: [], leavesOut: leavesOutAnimations } as const

export const spritePad1: GraphicsFormat = {
  ...format,
  id: 'spritepad-1',
  title: 'SpritePad 1.8.1',
  extensions: ['spd', 'spr'],
  likeness: (file, extension) => {
    if (hasSignature(file, SIGNATURE) || !spritePad1.extensions.includes(extension)) return 'no'
    const isWhole = file.length > COLOURS && (file.length - COLOURS) % SPRITE_RECORD === 0
    return isWhole && file.subarray(0, COLOURS).every((colour) => colour < 16) ? 'likely' : 'possible'
  },
  read: readUnsigned,
  write: ([artwork]) => {
    const sheet = sheetOf(artwork)
    return joined([colourBytes(sheet), spriteRecords(sheet.sprites)])
  },
}

export const spritePad2: GraphicsFormat = {
  ...format,
  leavesOut: leavesOutOthers,
  id: 'spritepad-2',
  title: 'SpritePad 2.0',
  extensions: ['spd'],
  likeness: (file) => (hasSignature(file, SIGNATURE) && file[3] === 1 ? 'certain' : 'no'),
  read: readSigned,
  write: ([artwork]) => {
    const sheet = sheetOf(artwork)
    const count = sheet.sprites.length
    if (count > MAX_SPRITES_2)
      throw cannotHold(`A file of SpritePad 2.0 holds up to ${MAX_SPRITES_2} sprites; these are ${count}.`)
    const animations = timedRows(sheet)
    const header = [...SIGNATURE_BYTES, 1, count - 1, animations.length - 1]
    const columns = [
      ...animations.map(({ start }) => start),
      ...animations.map(({ end }) => end),
      ...animations.map(({ ticks }) => ticks),
      ...animations.map(({ flags }) => flags),
    ]
    return joined([header, colourBytes(sheet), spriteRecords(sheet.sprites), columns])
  },
}

export const spritePad5: GraphicsFormat = {
  ...format,
  id: 'spritepad-5',
  title: 'SpritePad Pro 5',
  extensions: ['spd'],
  isNewest: true,
  likeness: (file) => (hasSignature(file, SIGNATURE) && file[3] !== 1 ? 'certain' : 'no'),
  read: readSigned,
  write: ([artwork]) => {
    const sheet = sheetOf(artwork)
    const counts = [...lowHigh(sheet.sprites.length), ...lowHigh(0), 0, 0]
    const tileSize = [1, 1]
    const overlayDistances = [...lowHigh(1), ...lowHigh(1)]
    const header = [...SIGNATURE_BYTES, NEWEST, 0, ...counts, ...tileSize]
    return joined([header, colourBytes(sheet), overlayDistances, spriteRecords(sheet.sprites)])
  },
}

function sheetOf(artwork: Artwork | undefined): SpriteSheet {
  if (artwork?.kind !== 'sprites') throw cannotHold('SpritePad files hold sprites only.')
  if (artwork.sprites.length === 0) throw cannotHold('This sheet has no sprites.')
  if (artwork.sprites.length > MAX_SPRITES)
    throw cannotHold(`A file holds up to ${MAX_SPRITES} sprites; these are ${artwork.sprites.length}.`)
  return artwork
}

const lostNames = ({ sprites }: SpriteSheet): string[] =>
  sprites.some(({ name }) => name !== '') ? ['names of sprites'] : []

function leavesOutAnimations([artwork]: readonly Artwork[]): string[] {
  if (artwork?.kind !== 'sprites') return []
  return [...lostNames(artwork), ...(artwork.animations.length > 0 ? ['animations'] : [])]
}

function leavesOutOthers([artwork]: readonly Artwork[]): string[] {
  if (artwork?.kind !== 'sprites') return []
  const { animations } = artwork
  const rows = animations.flatMap((animation) => rowOf(animation) ?? [])
  const isInexact = rows.some(({ ms }) => ticksOf(ms) * TICK_MS !== ms)
  return [
    ...lostNames(artwork),
    ...(animations.some(({ name }) => name !== '') ? ['names of animations'] : []),
    ...(rows.length < animations.length ? ['animations but those of sprites in a row'] : []),
    ...(rows.length > MAX_ANIMATIONS ? [`animations after the first ${MAX_ANIMATIONS}`] : []),
    ...(isInexact ? [`times between multiples of ${TICK_MS} ms`] : []),
  ]
}

interface TimedRow {
  readonly start: number
  readonly end: number
  readonly ticks: number
  readonly flags: number
}

const ticksOf = (ms: number): number => Math.min(Math.max(Math.round(ms / TICK_MS), 1), MAX_TICKS)

function timedRows({ animations }: SpriteSheet): TimedRow[] {
  const rows = animations.flatMap((animation) => rowOf(animation) ?? []).slice(0, MAX_ANIMATIONS)
  if (rows.length === 0) return [noAnimation]
  return rows.map(({ start, end, ms, isPingPong }) => ({
    start,
    end,
    ticks: ticksOf(ms),
    flags: isPingPong ? PING_PONG : 0,
  }))
}

const colourBytes = (sheet: SharedSpriteColours): number[] => [sheet.background, sheet.multicolour1, sheet.multicolour2]

function readUnsigned(file: Uint8Array): ReadArtwork {
  const problems = new Problems()
  if (hasSignature(file, SIGNATURE)) {
    problems.add(0, 'Expected three colours, found the signature SPD of SpritePad 2.0 or newer.')
    return problems.with([])
  }
  const reader = new ByteReader(file, problems)
  const colours = readColours(reader)
  if (colours === null) return problems.with([])
  const count = Math.ceil(reader.left / SPRITE_RECORD)
  return problems.with(readSprites(reader, count, colours))
}

function readSigned(file: Uint8Array): ReadArtwork {
  const problems = new Problems()
  const reader = new ByteReader(file, problems)
  const artworks = hasSignature(file, SIGNATURE) ? readVersions(reader) : []
  if (!hasSignature(file, SIGNATURE)) problems.add(0, 'Expected the signature SPD of SpritePad 2.0 or newer.')
  return problems.with(artworks)
}

function readVersions(reader: ByteReader): SpriteSheet[] {
  reader.at = SIGNATURE.length
  const version = reader.byte('the version') ?? 0
  if (version < 1 || version > NEWEST) {
    reader.problems.add(3, `Expected a version from 1 to ${NEWEST}, found ${version}.`)
    return []
  }
  const header = version === 1 ? readHeader2(reader) : readHeaderPro(reader, version)
  if (header === null) return []
  const { count, colours, hasMore, animations } = header
  // In SpritePad Pro files, a count of 0 means as many sprites as follow.
  const sheets = readSprites(reader, count === 0 ? Math.floor(reader.left / SPRITE_RECORD) : count, colours)
  const isKnown = version < 3 || reader.left === (animations?.count ?? 0) * BYTES_PER_ANIMATION
  if (animations !== null && isKnown)
    return sheets.map((sheet) => ({ ...sheet, animations: readAnimations(reader, animations, sheet.sprites.length) }))
  if (reader.left > 0 && hasMore)
    reader.problems.note(reader.at, 'Tiles of SpritePad Pro files, and animations beside tiles, are not loaded.')
  return sheets
}

/** All starts come first, then the ends, the timers and the flags. */
function readAnimations(reader: ByteReader, { count, size }: AnimationCount, sprites: number): SpriteAnimation[] {
  if (reader.left === 0) return []
  const { at } = reader
  const starts = reader.bytes(count * size, 'the first sprites of the animations')
  const ends = reader.bytes(count * size, 'the last sprites of the animations')
  const timers = reader.bytes(count, 'the timers of the animations')
  const flags = reader.bytes(count, 'the flags of the animations')
  if (starts === null || ends === null || timers === null || flags === null) return []
  const indexAt = (bytes: Uint8Array, n: number) => (size === 1 ? (bytes[n] ?? 0) : wordAt(bytes, n * size))
  return Array.from({ length: count }, (_, n) => {
    const [start, end] = [indexAt(starts, n), indexAt(ends, n)]
    if (end >= sprites)
      reader.problems.add(at + count * size + n * size, `Expected a sprite before ${sprites}, found ${end}.`)
    const ms = Math.max(1, timers[n] ?? 0) * TICK_MS
    return animationOfRow({ start, end, ms, isPingPong: ((flags[n] ?? 0) & PING_PONG) !== 0 }, sprites)
  }).flat()
}

interface Header {
  readonly count: number
  readonly colours: SharedSpriteColours
  readonly hasMore: boolean
  readonly animations: AnimationCount | null
}

interface AnimationCount {
  readonly count: number
  readonly size: 1 | 2
}

function readHeader2(reader: ByteReader): Header | null {
  const counts = reader.bytes(2, 'the numbers of sprites and animations')
  const colours = readColours(reader)
  if (counts === null || colours === null) return null
  const animations = { count: (counts[1] ?? 0) + 1, size: 1 } as const
  return { count: (counts[0] ?? 0) + 1, colours, hasMore: true, animations }
}

function readHeaderPro(reader: ByteReader, version: number): Header | null {
  const flags = reader.byte('the flags')
  const count = reader.word('the number of sprites')
  const tiles = reader.word('the number of tiles')
  // From version 3 on a byte for sprite animations, and a byte for tile animations.
  const animated = reader.word('the number of animations')
  reader.bytes(2, 'the size of tiles')
  const colours = readColours(reader)
  const overlayAt = reader.at
  const distances = version >= 4 ? reader.bytes(4, 'the overlay distances') : null
  if (distances !== null && wordAt(distances, 0) > 1)
    reader.problems.note(
      overlayAt,
      `Overlays are ${wordAt(distances, 0)} sprites apart; they are loaded as if 1 apart.`,
    )
  if (flags === null || count === null || colours === null) return null
  const hasTiles = tiles !== 0 || (flags & (HAS_TILES | HAS_TILE_ANIMATIONS)) !== 0
  const isKnown = version === 2 ? !hasTiles : !hasTiles && (flags & HAS_SPRITE_ANIMATIONS) !== 0
  // In version 5 the count is one less than the real number, as in 2.0.
  const number = animated === null ? null : version === 2 ? animated : (animated & 0xff) + 1
  const animations = isKnown && number !== null ? ({ count: number, size: 2 } as const) : null
  return { count, colours, hasMore: (flags & (HAS_TILES | HAS_ANIMATIONS)) !== 0, animations }
}

function readColours(reader: ByteReader): SharedSpriteColours | null {
  const { at } = reader
  const colours = reader.bytes(COLOURS, 'the colours')
  if (colours === null) return null
  const wrong = colours.findIndex((colour) => colour > 15)
  if (wrong >= 0)
    reader.problems.add(at + wrong, `Expected a colour from 0 to 15, found ${formatByte(colours[wrong] ?? 0)}.`)
  const [background = 0, multicolour1 = 0, multicolour2 = 0] = colours.map((colour) => colour & 0x0f)
  return { background, multicolour1, multicolour2 }
}

function readRecords(reader: ByteReader, count: number): Uint8Array {
  if (count === 0 || reader.left !== count * SPRITE_RECORD - 1) return reader.pieces(count, SPRITE_RECORD, 'sprites')
  const bytes = reader.pieces(reader.left, 1, 'sprites')
  reader.problems.note(reader.at, NO_PADDING)
  return withPadding(bytes)
}

function readSprites(reader: ByteReader, count: number, colours: SharedSpriteColours): SpriteSheet[] {
  if (count === 0) reader.problems.add(reader.at, 'Expected sprites, found none.')
  if (count > MAX_SPRITES)
    reader.problems.add(reader.at, `Expected up to ${MAX_SPRITES} sprites, found a count of ${count}.`)
  const sprites = spritesIn(readRecords(reader, Math.min(count, MAX_SPRITES)))
  if (sprites.length === 0) return []
  return [{ kind: 'sprites', name: '', ...colours, sprites, animations: [] }]
}
