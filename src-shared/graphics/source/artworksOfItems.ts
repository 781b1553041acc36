import {
  BITMAP_BYTES,
  CHARACTER_BYTES,
  MAX_CHARACTERS,
  MAX_MAP_CELLS,
  MAX_SPRITES,
  SCREEN_CELLS,
  SPRITE_BYTES,
  textModes,
  type Artwork,
  type ArtworkKind,
  type Backgrounds,
  type CharacterSet,
  type SpriteAnimation,
  type SpriteArt,
  type SpriteSheet,
  type TileMap,
  type Tiles,
} from '../artwork'
import type { FormatProblem, ReadArtwork } from '../format'
import { titles } from './artworkItems'
import { foreignArtworks } from './foreignArtworks'
import { ByteList, type PlacedItem } from './sourceItem'

const SPRITE_BLOCK = 64
const MAX_MS = 60_000

interface Part {
  readonly offset: number
  readonly bytes: ByteList
}

interface Block {
  readonly kind: ArtworkKind
  readonly name: string
  readonly offset: number
  readonly parts: Map<string, Part>
  readonly constants: Map<string, number>
  readonly sprites: SpriteNote[]
  readonly animations: { readonly name: string; readonly isPingPong: boolean }[]
  readonly tiles: string[]
}

interface SpriteNote {
  readonly name: string
  readonly colour: number
  readonly flags: string
}

const PART =
  /(?:^|_)(sprites|animation\d+_(?:frames|ms)(?:_high)?|characters|tile_colours|colours|materials|tiles(?:_high)?|map(?:_high)?|codes|bitmap|screen)$/i
const CONSTANT =
  /(?:^|_)(background[0-3]?|multicolour[12]?|mode|colour|tile_width|tile_height|map_columns|map_rows|columns|rows|border|rom_set)$/i
const TITLE = /^(Sprites|Characters|Screen|Bitmap) (".*")$/
const QUOTED = '("(?:[^"\\\\]|\\\\.)*")'
const SPRITE = new RegExp(`^Sprite \\d+ ${QUOTED}: colour (\\d+)(.*)$`)
const ANIMATION = new RegExp(`^Animation ${QUOTED}(: ping-pong)?$`)
const TILE = new RegExp(`^Tile \\d+ ${QUOTED}$`)

export function artworksOfItems(items: readonly PlacedItem[], end: number): ReadArtwork {
  const blocks: Block[] = []
  let part: Part | undefined
  for (const item of items) {
    const block = blocks.at(-1)
    if (item.kind === 'note') {
      const [, title, name = ''] = TITLE.exec(item.text) ?? []
      const kind = Object.entries(titles).find(([, known]) => known === title)?.[0]
      if (kind === 'sprites' || kind === 'characters' || kind === 'screen' || kind === 'bitmap') {
        blocks.push(blockOf(kind, unquoted(name), item.offset))
        part = undefined
      } else if (block) takeNote(block, item.text)
    } else if (!block) continue
    else if (item.kind === 'constant') {
      const known = CONSTANT.exec(item.name)?.[1]
      if (known !== undefined) block.constants.set(known.toLowerCase(), item.value)
    } else if (item.kind === 'label') {
      const known = PART.exec(item.name)?.[1]?.toLowerCase()
      part = known === undefined ? undefined : { offset: item.offset, bytes: new ByteList() }
      if (part && known !== undefined) block.parts.set(known, part)
    } else if (part) part.bytes.append(item.bytes)
  }
  if (blocks.length === 0) return foreignArtworks(items, end)
  const problems: FormatProblem[] = []
  return { artworks: blocks.flatMap((block) => artworkOf(block, problems) ?? []), problems }
}

const blockOf = (kind: ArtworkKind, name: string, offset: number): Block => ({
  kind,
  name,
  offset,
  parts: new Map(),
  constants: new Map(),
  sprites: [],
  animations: [],
  tiles: [],
})

function unquoted(text: string): string {
  try {
    return String(JSON.parse(text))
  } catch {
    return text.slice(1, -1)
  }
}

function takeNote(block: Block, text: string): void {
  const sprite = SPRITE.exec(text)
  if (sprite) {
    const [, name = '', colour, flags = ''] = sprite
    block.sprites.push({ name: unquoted(name), colour: Number(colour) & 0x0f, flags })
    return
  }
  const animation = ANIMATION.exec(text)
  if (animation) block.animations.push({ name: unquoted(animation[1] ?? ''), isPingPong: animation[2] !== undefined })
  const tile = TILE.exec(text)
  if (tile) block.tiles.push(unquoted(tile[1] ?? ''))
}

class Parts {
  readonly block: Block
  readonly problems: FormatProblem[]

  constructor(block: Block, problems: FormatProblem[]) {
    this.block = block
    this.problems = problems
  }

  constant(name: string, max: number, missing = 0): number {
    const value = this.block.constants.get(name) ?? missing
    if (value <= max) return value
    this.problems.push({ offset: this.block.offset, text: `Expected ${name} up to ${max}, found ${value}.` })
    return missing
  }

  colour = (name: string): number => this.constant(name, 15)

  backgrounds = (): Backgrounds => [
    this.colour('background0'),
    this.colour('background1'),
    this.colour('background2'),
    this.colour('background3'),
  ]

  optional(name: string): Uint8Array | null {
    const part = this.block.parts.get(name)
    return part ? part.bytes.whole() : null
  }

  exactly(name: string, length: number): Uint8Array {
    const part = this.block.parts.get(name)
    const bytes = new Uint8Array(length)
    bytes.set(part?.bytes.first(length) ?? [])
    if (part?.bytes.length !== length)
      this.problems.push({
        offset: part?.offset ?? this.block.offset,
        text: `Expected ${length} bytes of ${name}, found ${part?.bytes.length ?? 0}.`,
      })
    return bytes
  }

  multiple(name: string, each: number, max: number): Uint8Array {
    const part = this.block.parts.get(name)
    const found = part?.bytes.length ?? 0
    const length = Math.min(Math.ceil(found / each), max) * each
    if (found > 0 && found !== length)
      this.problems.push({
        offset: part?.offset ?? this.block.offset,
        text:
          found > length
            ? `Expected ${length} bytes of ${name} at most, found ${found}.`
            : `Expected a multiple of ${each} bytes of ${name}, found ${found}.`,
      })
    const bytes = new Uint8Array(length)
    bytes.set(part?.bytes.first(length) ?? [])
    return bytes
  }

  words(name: string): Uint16Array | null {
    const low = this.block.parts.get(name)
    const high = this.block.parts.get(`${name}_high`)
    if (!low || low.bytes.length > MAX_MAP_CELLS) return null
    const highBytes = high?.bytes.whole()
    return Uint16Array.from(low.bytes.whole(), (byte, at) => byte | ((highBytes?.[at] ?? 0) << 8))
  }
}

function artworkOf(block: Block, problems: FormatProblem[]): Artwork | null {
  const parts = new Parts(block, problems)
  switch (block.kind) {
    case 'sprites':
      return sheetOf(parts)
    case 'characters':
      return setOf(parts)
    case 'screen':
      return screenOf(parts)
    case 'bitmap':
      return bitmapOf(parts)
  }
}

function sheetOf(parts: Parts): SpriteSheet {
  const { block } = parts
  const bytes = parts.multiple('sprites', SPRITE_BLOCK, MAX_SPRITES)
  const sprites = Array.from({ length: bytes.length / SPRITE_BLOCK }, (_, index): SpriteArt => {
    const from = index * SPRITE_BLOCK
    const last = bytes[from + SPRITE_BYTES] ?? 0
    const { name = '', colour = last & 0x0f, flags } = block.sprites[index] ?? {}
    const has = (flag: string): boolean => flags?.includes(flag) ?? false
    return {
      name,
      colour,
      bytes: bytes.slice(from, from + SPRITE_BYTES),
      multicolour: flags === undefined ? (last & 0x80) !== 0 : has('multicolour'),
      expandX: has('expand-x'),
      expandY: has('expand-y'),
      overlay: has('overlay'),
    }
  })
  return {
    kind: 'sprites',
    name: block.name,
    sprites,
    background: parts.colour('background'),
    multicolour1: parts.colour('multicolour1'),
    multicolour2: parts.colour('multicolour2'),
    animations: block.animations.map((_, index) => animationOf(parts, index, sprites.length)),
  }
}

function animationOf(parts: Parts, index: number, sprites: number): SpriteAnimation {
  const { name = '', isPingPong = false } = parts.block.animations[index] ?? {}
  const ms = parts.words(`animation${index}_ms`)
  const frames = [...(parts.words(`animation${index}_frames`) ?? [])].map((sprite, at) => ({
    sprite,
    ms: Math.min(Math.max(ms?.[at] ?? 100, 1), MAX_MS),
  }))
  const isThere = ({ sprite }: { sprite: number }) => sprite < sprites
  if (!frames.every(isThere))
    parts.problems.push({
      offset: parts.block.parts.get(`animation${index}_frames`)?.offset ?? parts.block.offset,
      text: `Expected sprites 0 to ${sprites - 1} in the animation ${JSON.stringify(name)}; others are left out.`,
    })
  return { name, isPingPong, frames: frames.filter(isThere) }
}

function setOf(parts: Parts): CharacterSet {
  const { block } = parts
  return {
    kind: 'characters',
    name: block.name,
    mode: textModes[parts.constant('mode', 2)] ?? 'text',
    bytes: parts.multiple('characters', CHARACTER_BYTES, MAX_CHARACTERS),
    backgrounds: parts.backgrounds(),
    colour: parts.colour('colour'),
    colours: lowNibbles(parts.optional('colours')),
    materials: lowNibbles(parts.optional('materials')),
    tiles: tilesOf(parts),
    map: mapOf(parts),
  }
}

const lowNibbles = (bytes: Uint8Array | null): Uint8Array | null => bytes && bytes.map((byte) => byte & 0x0f)

function tilesOf(parts: Parts): Tiles | null {
  const cells = parts.words('tiles')
  const [width, height] = [parts.constant('tile_width', 255), parts.constant('tile_height', 255)]
  if (!cells || width * height === 0) return null
  const count = Math.floor(cells.length / (width * height))
  return {
    width,
    height,
    cells: cells.slice(0, count * width * height),
    colours: lowNibbles(parts.optional('tile_colours')),
    names: parts.block.tiles.length === count ? parts.block.tiles : [],
  }
}

function mapOf(parts: Parts): TileMap | null {
  const cells = parts.words('map')
  const [columns, rows] = [parts.constant('map_columns', MAX_MAP_CELLS), parts.constant('map_rows', MAX_MAP_CELLS)]
  if (!cells || columns * rows === 0) return null
  if (columns * rows === cells.length) return { columns, rows, cells }
  parts.problems.push({
    offset: parts.block.parts.get('map')?.offset ?? parts.block.offset,
    text: `Expected ${columns * rows} bytes of map, found ${cells.length}.`,
  })
  return null
}

function screenOf(parts: Parts): Artwork | null {
  const { block } = parts
  const [columns, rows] = [parts.constant('columns', 0xffff, 40), parts.constant('rows', 0xffff, 25)]
  const cells = columns * rows
  if (cells > MAX_MAP_CELLS || cells === 0) {
    parts.problems.push({ offset: block.offset, text: `Expected up to ${MAX_MAP_CELLS} cells, found ${cells}.` })
    return null
  }
  return {
    kind: 'screen',
    name: block.name,
    columns,
    rows,
    mode: textModes[parts.constant('mode', 2)] ?? 'text',
    codes: parts.exactly('codes', cells),
    colours: parts.exactly('colours', cells).map((colour) => colour & 0x0f),
    backgrounds: parts.backgrounds(),
    border: parts.colour('border'),
    characters: block.parts.has('characters')
      ? parts.exactly('characters', 2048)
      : parts.constant('rom_set', 1) === 0
        ? 'upper'
        : 'lower',
  }
}

function bitmapOf(parts: Parts): Artwork {
  const lines = (parts.block.parts.get('screen')?.bytes.length ?? 0) > SCREEN_CELLS ? 8 : 1
  return {
    kind: 'bitmap',
    name: parts.block.name,
    mode: parts.constant('multicolour', 1) === 1 ? 'multicolourBitmap' : 'bitmap',
    bitmap: parts.exactly('bitmap', BITMAP_BYTES),
    screen: parts.exactly('screen', SCREEN_CELLS * lines),
    colours: parts.exactly('colours', SCREEN_CELLS).map((colour) => colour & 0x0f),
    background: parts.colour('background'),
    border: parts.colour('border'),
  }
}
