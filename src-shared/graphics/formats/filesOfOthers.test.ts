/** Files made byte by byte as other programs document or write them, not by our writers. */
import { describe, expect, it } from 'vitest'
import { allPixels } from '../../../test/support/graphicsSamples'
import { TRANSPARENT } from '../../c64/sprites'
import type { Artwork, ArtworkKind } from '../artwork'
import { formatNamed, formatsOf } from '.'

const bytes = (...parts: (string | number | readonly number[] | Uint8Array)[]): Uint8Array =>
  Uint8Array.from(
    parts.flatMap((part) =>
      typeof part === 'string' ? [...Buffer.from(part, 'latin1')] : typeof part === 'number' ? [part] : [...part],
    ),
  )
const zeros = (length: number): number[] => Array<number>(length).fill(0)
const read = (id: string, file: Uint8Array) => {
  const result = formatNamed(id)?.read?.(file)
  if (!result) throw new Error(`${id} cannot be read.`)
  return result
}
const only = <Kind extends ArtworkKind>(kind: Kind, artworks: readonly Artwork[]) => {
  const isKind = (artwork: Artwork): artwork is Extract<Artwork, { kind: Kind }> => artwork.kind === kind
  const [first] = artworks.filter(isKind)
  if (!first) throw new Error(`There is no artwork of the kind ${kind}.`)
  return first
}
const json = (value: unknown): Uint8Array => bytes(JSON.stringify(value))

/** Bit pairs 00 01 10 11 in the first byte, nothing else. */
const shape = [0b00011011, ...zeros(62)]
const clear = TRANSPARENT

describe('SpritePad', () => {
  it('up to 1.8.1 has three colours and sprites of 64 bytes', () => {
    const file = bytes(6, 11, 12, shape, 0x87, shape, 0x05)
    expect(formatsOf(file, 'spd').map(({ id }) => id)).toEqual(['spritepad-1'])
    const sheet = only('sprites', read('spritepad-1', file).artworks)
    const [first, second] = allPixels(sheet).map(({ pixels }) => [...pixels.subarray(0, 8)])
    expect(first).toEqual([clear, clear, 11, 11, 7, 7, 12, 12])
    expect(second).toEqual([clear, clear, clear, 5, 5, clear, 5, 5])
  })

  it('may end with a sprite of 63 bytes, raw data may have 63 a sprite: loaded with a note', () => {
    const cut = read('spritepad-1', bytes(6, 11, 12, shape, 0x87, shape))
    const raw = read('raw-sprites', bytes(shape, 0x87, shape))
    const narrow = read('raw-sprites', bytes(shape, shape, shape))
    for (const { artworks, problems, notes } of [cut, raw, narrow]) {
      expect(problems).toEqual([])
      expect(notes).toHaveLength(1)
      expect([...new Set(only('sprites', artworks).sprites.map(({ bytes: [first] }) => first))]).toEqual([0b00011011])
    }
    expect(only('sprites', narrow.artworks).sprites).toHaveLength(3)
  })

  it('2.0 has a signature and one less than the numbers of sprites and animations', () => {
    const file = bytes('SPD', 1, 1, 0, 6, 11, 12, shape, 0x97, shape, 0x65, 0, 0, 1, 0)
    expect(formatsOf(file, 'spd').map(({ id }) => id)).toEqual(['spritepad-2'])
    const { artworks, problems } = read('spritepad-2', file)
    expect(problems).toEqual([])
    expect(only('sprites', artworks)).toMatchObject({
      background: 6,
      multicolour1: 11,
      multicolour2: 12,
      sprites: [
        { colour: 7, multicolour: true, overlay: false, expandX: false },
        { colour: 5, multicolour: false, overlay: true, expandX: true, expandY: true },
      ],
    })
  })

  it('2.0 has animations: the starts of all, the ends, the timers in frames, and flags with ping-pong', () => {
    const sprites = [shape, 1, shape, 1, shape, 1, shape, 1]
    const columns = [0, 2, 2, 3, 4, 10, 0x90, 0x80]
    const { artworks, problems } = read('spritepad-2', bytes('SPD', 1, 3, 1, 6, 11, 12, ...sprites, columns))
    expect(problems).toEqual([])
    const frames = (ms: number, ...shown: number[]) => shown.map((sprite) => ({ sprite, ms }))
    expect(only('sprites', artworks).animations).toEqual([
      { name: '', frames: frames(80, 0, 1, 2), isPingPong: true },
      { name: '', frames: frames(200, 2, 3), isPingPong: false },
    ])
  })

  it('2.0 that ends within its animations, or animates sprites that are not there, says where', () => {
    const cut = read('spritepad-2', bytes('SPD', 1, 0, 2, 6, 11, 12, shape, 1, 0, 0, 0, 0))
    expect(only('sprites', cut.artworks).animations).toEqual([])
    expect(cut.problems).toEqual([expect.objectContaining({ offset: 76 })])
    const past = read('spritepad-2', bytes('SPD', 1, 1, 0, 6, 11, 12, shape, 1, shape, 1, 0, 200, 5, 0))
    expect(past.problems).toEqual([expect.objectContaining({ offset: 138 })])
    expect(only('sprites', past.artworks).animations.map(({ frames }) => frames.length)).toEqual([2])
  })

  it('Pro, version 2, has animations with 16-bit indexes', () => {
    const header = bytes('SPD', 2, 2, 2, 0, 0, 0, 1, 0, 1, 1, 6, 11, 12)
    const { artworks, problems } = read('spritepad-5', bytes(header, shape, 1, shape, 1, [0, 0, 1, 0, 3, 0]))
    expect(problems).toEqual([])
    expect(only('sprites', artworks).animations).toMatchObject([{ frames: [{ sprite: 0 }, { sprite: 1, ms: 60 }] }])
  })

  it.each([
    [2, bytes('SPD', 2, 0, 2, 0, 0, 0, 1, 0, 1, 1, 6, 11, 12)],
    [3, bytes('SPD', 3, 0, 2, 0, 0, 0, 0, 0, 1, 1, 6, 11, 12)],
    [4, bytes('SPD', 4, 0, 2, 0, 0, 0, 0, 0, 1, 1, 6, 11, 12, 1, 0, 1, 0)],
    [5, bytes('SPD', 5, 0, 2, 0, 0, 0, 0, 0, 1, 1, 6, 11, 12, 1, 0, 1, 0)],
  ])('Pro, version %i, has 16-bit numbers', (version, header) => {
    const file = bytes(header, shape, 0x87, shape, 0x05)
    const { artworks, problems } = read('spritepad-5', file)
    expect(problems, `version ${version}`).toEqual([])
    expect(only('sprites', artworks).sprites.map(({ colour }) => colour)).toEqual([7, 5])
    expect(formatsOf(file, 'spd').map(({ id }) => id)).toEqual(['spritepad-5'])
  })

  it('Pro, version 5, has animations without tiles, one more than their number says', () => {
    const header = bytes('SPD', 5, 2, 4, 0, 0, 0, 1, 0, 0, 0, 6, 11, 12, 1, 0, 1, 0)
    const columns = [0, 0, 2, 0, 1, 0, 3, 0, 5, 2, 0x10, 0]
    const sprites = [shape, 1, shape, 1, shape, 1, shape, 1]
    const { artworks, problems, notes } = read('spritepad-5', bytes(header, ...sprites, columns))
    expect(problems).toEqual([])
    expect(notes).toBeUndefined()
    expect(only('sprites', artworks).animations).toMatchObject([
      { isPingPong: true, frames: [{ sprite: 0, ms: 100 }, { sprite: 1 }] },
      { isPingPong: false, frames: [{ sprite: 2, ms: 40 }, { sprite: 3 }] },
    ])
  })

  it('Pro may have tiles and animations, which are not loaded, and says so', () => {
    const file = bytes('SPD', 5, 3, 1, 0, 1, 0, 0, 0, 1, 1, 6, 11, 12, 1, 0, 1, 0, shape, 0x87, 0, 0, 0, 1, 1, 0)
    const { artworks, problems, notes } = read('spritepad-5', file)
    expect(only('sprites', artworks).sprites).toHaveLength(1)
    expect(problems).toEqual([])
    expect(notes).toEqual([expect.objectContaining({ offset: 84 })])
  })

  it('of an unknown version is refused at its byte', () => {
    expect(read('spritepad-5', bytes('SPD', 9, zeros(100)))).toEqual({
      artworks: [],
      problems: [expect.objectContaining({ offset: 3 })],
    })
  })

  it('with a count beyond its end has the sprites that are there', () => {
    const { artworks, problems } = read('spritepad-5', bytes('SPD', 5, 0, 0xff, 0xff, zeros(13), shape, 0x01))
    expect(only('sprites', artworks).sprites).toHaveLength(1)
    expect(problems.map(({ offset }) => offset)).toContain(84)
  })
})

describe('Spritemate', () => {
  const row = (pens: readonly unknown[]) => [
    ...pens,
    ...Array<unknown>(24 - pens.length).fill(pens.includes('t') ? 't' : 0),
  ]
  const pixels = (first: readonly unknown[]) => [
    row(first),
    ...Array.from({ length: 20 }, () => row(first.includes('t') ? ['t'] : [])),
  ]
  const look = { double_x: false, double_y: false }

  it('has a pen for each pixel, and overlays with the next sprite', () => {
    const file = json({
      version: 1.3,
      colors: { 0: 6, 2: 11, 3: 12 },
      sprites: [
        { name: 'head', color: 7, multicolor: true, ...look, overlay: true, pixels: pixels([0, 0, 2, 0, 1, 0, 3, 0]) },
        { name: 'hat', color: 5, multicolor: false, ...look, overlay: false, pixels: pixels([0, 0, 0, 1, 1, 0, 1, 1]) },
      ],
      current_sprite: 1,
      pen: 3,
    })
    const { artworks, problems } = read('spritemate', file)
    expect(problems).toEqual([])
    const sheet = only('sprites', artworks)
    expect(sheet.sprites.map(({ name, overlay }) => [name, overlay])).toEqual([
      ['head', false],
      ['hat', true],
    ])
    expect(sheet.sprites.map((sprite) => sprite.bytes[0])).toEqual([0b00011011, 0b00011011])
  })

  it('called its pens t, i, m1 and m2', () => {
    const file = json({
      colors: { t: 6, m1: 11, m2: 12 },
      sprites: [{ color: 7, multicolor: true, pixels: pixels(['t', 't', 'm1', 'm1', 'i', 'i', 'm2', 'm2']) }],
      pen: 'i',
    })
    const { artworks, problems } = read('spritemate', file)
    expect(problems).toEqual([])
    expect([...(allPixels(only('sprites', artworks))[0]?.pixels.subarray(0, 8) ?? [])]).toEqual([
      clear,
      clear,
      11,
      11,
      7,
      7,
      12,
      12,
    ])
  })

  it('plays sprites in a row', () => {
    const animation = { startSprite: 0, endSprite: 1, fps: 10, mode: 'pingpong', doubleX: true, doubleY: true }
    const sprite = { color: 7, multicolor: false, pixels: pixels([0]) }
    const file = json({ colors: { 0: 6, 2: 11, 3: 12 }, sprites: [sprite, sprite], animation })
    expect(only('sprites', read('spritemate', file).artworks).animations).toEqual([
      { name: '', isPingPong: true, frames: [0, 1].map((sprite) => ({ sprite, ms: 100 })) },
    ])
  })

  it('with a damaged sprite keeps the others, and tells the byte of the damage', () => {
    const good = { color: 7, multicolor: false, pixels: pixels([0, 1]) }
    const text = JSON.stringify({ colors: { 0: 6, 2: 11, 3: 12 }, sprites: [good, { ...good, color: 16 }, good] })
    const { artworks, problems } = read('spritemate', bytes(text))
    expect(only('sprites', artworks).sprites.map((sprite) => sprite.bytes[0])).toEqual([0x40, 0, 0x40])
    expect(problems).toEqual([expect.objectContaining({ offset: text.indexOf('16') })])
  })

  it('cut off tells where its text ends', () => {
    const text = '{"sprites":[{"name":"'
    expect(read('spritemate', bytes(text)).problems).toEqual([expect.objectContaining({ offset: text.length - 1 })])
  })
})

describe('CharPad', () => {
  const characters = [0b00011011, ...zeros(7), ...Array<number>(8).fill(0xff)]
  const tileBlocks = (colours: readonly number[]) => [
    // Two tiles of 2 x 1, their colours, tags and names.
    0xda,
    0xb3,
    1,
    0,
    2,
    1,
    0,
    0,
    1,
    0,
    1,
    0,
    1,
    0,
    ...colours,
    0xda,
    0xb5,
    0,
    0,
    0xda,
    0xb6,
    0x61,
    0x62,
    0,
    0,
  ]
  const map = [0xda, 0xb7, 2, 0, 1, 0, 1, 0, 0, 0]
  const tiles = { width: 2, height: 1, cells: Uint16Array.of(0, 1, 1, 1) }
  const mapRead = { columns: 2, rows: 1, cells: Uint16Array.of(1, 0) }

  it('5 has all numbers in its header, and attributes with material and colour', () => {
    const file = bytes(
      'CTM',
      5,
      6,
      2,
      3,
      9,
      2,
      1 | 4,
      ...[1, 0, 1, 0, 2, 1, 2, 0, 1, 0].map((each) => [each]),
      characters,
      [0x19, 0x2a],
      [0, 0, 1, 0, 1, 0, 1, 0],
      [1, 0, 0, 0],
    )
    const { artworks, problems } = read('charpad', file)
    expect(problems).toEqual([])
    expect(only('characters', artworks)).toEqual({
      kind: 'characters',
      name: '',
      mode: 'multicolourText',
      bytes: Uint8Array.from(characters),
      backgrounds: [6, 2, 3, 0],
      colour: 9,
      colours: Uint8Array.of(9, 10),
      materials: Uint8Array.of(1, 2),
      tiles: { ...tiles, colours: null, names: [] },
      map: mapRead,
    })
  })

  it('5 may have a set that is expanded, so that the cells of tiles count up', () => {
    const file = bytes('CTM', 5, 6, 2, 3, 9, 0, 1 | 2, [1, 0, 0, 0, 2, 1, 0, 0, 0, 0], characters, [0, 0])
    expect(only('characters', read('charpad', file).artworks)).toMatchObject({
      mode: 'text',
      tiles: { width: 2, height: 1, cells: Uint16Array.of(0, 1) },
      map: null,
    })
  })

  it('6 has blocks', () => {
    const file = bytes(
      'CTM',
      6,
      6,
      2,
      3,
      9,
      1,
      1 | 2,
      [0xda, 0xb0, 1, 0, ...characters, 0xda, 0xb1, 0x10, 0x20],
      tileBlocks([0xda, 0xb4, 4, 5]),
      map,
    )
    const { artworks, problems } = read('charpad', file)
    expect(problems).toEqual([])
    expect(only('characters', artworks)).toMatchObject({
      mode: 'multicolourText',
      colour: 9,
      colours: null,
      materials: Uint8Array.of(1, 2),
      tiles: { ...tiles, colours: Uint8Array.of(4, 5), names: ['ab', ''] },
      map: mapRead,
    })
  })

  it('7 has a fourth background, and the colour behind it', () => {
    const file = bytes('CTM', 7, 6, 2, 3, 4, 9, 2, 2, 0, [0xda, 0xb0, 1, 0, ...characters, 0xda, 0xb1, 0x19, 0x2a], map)
    const { artworks, problems } = read('charpad', file)
    expect(problems).toEqual([])
    expect(only('characters', artworks)).toMatchObject({
      mode: 'extendedText',
      backgrounds: [6, 2, 3, 4],
      colour: 9,
      colours: Uint8Array.of(9, 10),
      materials: Uint8Array.of(1, 2),
      tiles: null,
      map: mapRead,
    })
  })

  it.each([
    ['8', [8, 1, 2, 1]],
    ['8.2', [82, 1, 2, 1]],
    ['9', [9, 1, 2, 1, 0, 0, 0, 0, 0]],
  ])('%s has colours of characters in a block of their own', (_name, header) => {
    const file = bytes(
      'CTM',
      header,
      6,
      2,
      3,
      4,
      9,
      0,
      0,
      [0xda, 0xb0, 1, 0, ...characters, 0xda, 0xb1, 1, 2, 0xda, 0xb2, 9, 10],
      tileBlocks([]),
      map,
    )
    const { artworks, problems } = read('charpad', file)
    expect(problems).toEqual([])
    const set = only('characters', artworks)
    expect(set).toMatchObject({
      mode: 'multicolourText',
      backgrounds: [6, 2, 3, 4],
      colour: 9,
      colours: Uint8Array.of(9, 10),
      materials: Uint8Array.of(1, 2),
      tiles: { ...tiles, names: ['ab', ''] },
      map: mapRead,
    })
    expect([...(allPixels(set)[0]?.pixels.subarray(0, 8) ?? [])]).toEqual([6, 6, 2, 2, 3, 3, 1, 1])
  })

  it('1 has tiles of 4 x 4 characters, and a map of bytes', () => {
    const header = bytes('CTM', 1, 6, 11, 12, 9, 2, 1, [2, 0, 1, 0], 1, 0, zeros(4))
    const cells = Array.from({ length: 16 }, (_, n) => n % 2)
    const colours = cells.map((cell) => (cell === 0 ? 3 : 4))
    const { artworks, problems, notes } = read('charpad', bytes(header, zeros(16), cells, colours, [0, 0]))
    expect([problems, notes]).toEqual([[], undefined])
    expect(only('characters', artworks)).toMatchObject({
      mode: 'multicolourText',
      backgrounds: [6, 11, 12, 0],
      colour: 9,
      materials: null,
      colours: Uint8Array.of(3, 4),
      tiles: { width: 4, height: 4, cells: Uint16Array.from(cells), colours: null },
      map: { columns: 2, rows: 1, cells: Uint16Array.of(0, 0) },
    })
    const several = read(
      'charpad',
      bytes(
        header,
        zeros(16),
        cells,
        cells.map((_, n) => n),
        [0, 0],
      ),
    )
    expect([several.problems, several.notes]).toEqual([[], [expect.objectContaining({ offset: 52 })]])
    expect(only('characters', several.artworks).colours).toBeNull()
  })

  it('2 has a material behind each character, and square tiles of words', () => {
    const header = bytes('CTM', 2, 6, 11, 12, 9, 1, 0, [2, 0, 1, 0], [1, 0], 0, 2, zeros(2))
    const parts = [zeros(8), 5, zeros(8), 6, [0, 0, 1, 0, 1, 0, 0, 0], 7, [0, 0]]
    const { artworks, problems, notes } = read('charpad', bytes(header, ...parts))
    expect([problems, notes]).toEqual([[], undefined])
    expect(only('characters', artworks)).toMatchObject({
      mode: 'text',
      bytes: new Uint8Array(16),
      colours: null,
      materials: Uint8Array.of(5, 6),
      tiles: { width: 2, height: 2, cells: Uint16Array.of(0, 1, 1, 0), colours: Uint8Array.of(7) },
      map: { columns: 2, rows: 1 },
    })
  })

  it('3 has an attribute for each cell, also of tiles with characters of their own', () => {
    const header = bytes('CTM', 3, 6, 11, 12, 9, 2, 0, [1, 0, 1, 0], [3, 0], 0, 2, 1, 0)
    const { artworks, problems, notes } = read('charpad', bytes(header, zeros(32), [1, 2, 3, 4], [0]))
    expect([problems, notes]).toEqual([[], undefined])
    expect(only('characters', artworks)).toMatchObject({
      colours: Uint8Array.of(1, 2, 3, 4),
      tiles: { width: 2, height: 2, cells: Uint16Array.of(0, 1, 2, 3) },
      map: { columns: 1, rows: 1, cells: Uint16Array.of(0) },
    })
  })

  it('4 has its numbers in front, an attribute for each cell of a tile, and a map of bytes', () => {
    const header = bytes('CTM', 4, 6, 11, 12, 9, 1, 1, [1, 0], 1, 2, 1, [2, 0, 1, 0], 0, zeros(4))
    const cells = [0, 0, 1, 0, 1, 0, 0, 0]
    const parts = (attributes: number[]) => [zeros(16), [0x19, 0x2a], cells, attributes, [3, 4], [1, 0]]
    const { artworks, problems, notes } = read('charpad', bytes(header, ...parts([0, 0, 0, 0])))
    expect(problems).toEqual([])
    expect(notes).toBeUndefined()
    expect(only('characters', artworks)).toMatchObject({
      mode: 'multicolourText',
      backgrounds: [6, 11, 12, 0],
      colour: 9,
      materials: Uint8Array.of(1, 2),
      tiles: { width: 2, height: 1, cells: Uint16Array.of(0, 1, 1, 0), colours: Uint8Array.of(3, 4) },
      map: { columns: 2, rows: 1, cells: Uint16Array.of(1, 0) },
    })
    const own = read('charpad', bytes(header, ...parts([0, 0x30, 0, 0])))
    expect(own.problems).toEqual([])
    expect(own.notes).toEqual([expect.objectContaining({ offset: 50 })])
  })

  it('8 in a bitmap mode has three colours a character, and is loaded as characters', () => {
    const file = bytes(
      'CTM',
      8,
      4,
      2,
      0,
      6,
      0,
      0,
      0,
      9,
      0,
      0,
      [0xda, 0xb0, 1, 0, ...characters, 0xda, 0xb1, 0, 0, 0xda, 0xb2, 9, 1, 2, 10, 3, 4],
      map,
    )
    const { artworks, problems, notes } = read('charpad', file)
    expect(problems).toEqual([])
    expect(notes).toEqual([expect.objectContaining({ offset: 4 })])
    expect(only('characters', artworks)).toMatchObject({ colours: Uint8Array.of(9, 10), map: mapRead })
  })

  it('with a map of an absurd size has the rest', () => {
    const file = bytes('CTM', 8, 0, 0, 0, 6, 0, 0, 0, 1, 0, 0, [
      0xda,
      0xb0,
      1,
      0,
      ...characters,
      0xda,
      0xb1,
      0,
      0,
      0xda,
      0xb2,
      0xff,
      0xff,
      0xff,
      0xff,
    ])
    const { artworks, problems } = read('charpad', file)
    expect(only('characters', artworks)).toMatchObject({ map: null, bytes: Uint8Array.from(characters) })
    expect(problems).toEqual([expect.objectContaining({ offset: 40 })])
  })

  it('with a wrong marker has what stands before it', () => {
    const file = bytes('CTM', 8, 0, 0, 0, 6, 0, 0, 0, 1, 0, 0, [0xda, 0xb0, 1, 0, ...characters, 0xdb, 0xb1, 0, 0])
    const { artworks, problems } = read('charpad', file)
    expect(only('characters', artworks).bytes).toEqual(Uint8Array.from(characters))
    expect(problems).toEqual([expect.objectContaining({ offset: 34 })])
  })
})

describe('Petmate', () => {
  const framebuf = [
    [
      { code: 1, color: 14 },
      { code: 160, color: 3 },
    ],
  ]
  const screen = { width: 2, height: 1, backgroundColor: 6, borderColor: 14, charset: 'upper', framebuf }

  it('1 has screens in an order', () => {
    const file = json({
      version: 1,
      screens: [1, 0],
      framebufs: [
        { ...screen, name: 'a' },
        { ...screen, name: 'b', charset: 'lower' },
      ],
    })
    const { artworks, problems } = read('petmate', file)
    expect(problems).toEqual([])
    expect(artworks).toMatchObject([
      { name: 'b', characters: 'lower' },
      {
        kind: 'screen',
        mode: 'text',
        name: 'a',
        columns: 2,
        rows: 1,
        border: 14,
        characters: 'upper',
        codes: Uint8Array.of(1, 160),
        colours: Uint8Array.of(14, 3),
        backgrounds: [6, 0, 0, 0],
      },
    ])
  })

  it('2 has character sets of its own; those that no screen uses are loaded alone', () => {
    const font = (first: number) => ({ bits: [first, ...zeros(2047)], charOrder: [] })
    const customFonts = { mine: { name: 'Mine', font: font(1) }, other: { name: 'Other', font: font(2) } }
    const file = json({ version: 2, screens: [0], framebufs: [{ ...screen, charset: 'mine' }], customFonts })
    const { artworks, problems } = read('petmate', file)
    expect(problems).toEqual([])
    const { characters } = only('screen', artworks)
    expect(characters[0]).toBe(1)
    expect(artworks).toHaveLength(2)
    expect(only('characters', artworks)).toMatchObject({ name: 'Other' })
  })

  it('of petmate9 may have sets of other machines and clear cells, and says what becomes of them', () => {
    const clear = [
      [
        { code: 256, color: 14, transparent: true },
        { code: 2, color: 5 },
      ],
    ]
    const framebufs = [{ ...screen, charset: 'c16Upper', borderOn: true, framebuf: clear, zoom: {} }]
    const file = json({ version: 3, screens: [0], framebufs, customFonts: {} })
    const { artworks, problems, notes } = read('petmate', file)
    expect(problems).toEqual([])
    expect(notes).toHaveLength(2)
    expect([...only('screen', artworks).codes]).toEqual([32, 2])
    expect(only('screen', artworks).characters).toBe('upper')
  })

  it.each([
    ['dirart', 'directory art; it is loaded with the C64’s upper', 'upper'],
    ['cbaseLower', 'c-base, lower case; it is loaded with the C64’s lower', 'lower'],
    ['c16Upper', 'the C16, upper case; it is loaded with the C64’s upper', 'upper'],
    ['c128Lower', 'the C128, lower case; it is loaded with the C64’s lower', 'lower'],
    ['c128vdc', 'the C128 with 80 columns; it is loaded with the C64’s upper', 'upper'],
    ['vic20Upper', 'the VIC-20, upper case; it is loaded with the C64’s upper', 'upper'],
    ['petGfx', 'the PET, upper case; it is loaded with the C64’s upper', 'upper'],
    ['petBiz', 'the PET, lower case; it is loaded with the C64’s lower', 'lower'],
  ])('of petmate9 with the set %s is loaded with a note that names it', (charset, named, characters) => {
    const { artworks, problems, notes } = read('petmate', json({ version: 3, framebufs: [{ ...screen, charset }] }))
    expect(problems).toEqual([])
    expect(notes?.map(({ text }) => text)).toEqual([`The screen has the character set of ${named} case set.`])
    expect(only('screen', artworks).characters).toBe(characters)
  })

  it('of petmate9 for a machine with more colours keeps its characters, with notes', () => {
    const framebuf = [
      [
        { code: 1, color: 0x71 },
        { code: 2, color: 5 },
      ],
    ]
    const file = json({ version: 3, framebufs: [{ ...screen, backgroundColor: 0x71, framebuf }] })
    const { artworks, problems, notes } = read('petmate', file)
    expect(problems).toEqual([])
    expect(notes).toHaveLength(2)
    expect(only('screen', artworks)).toMatchObject({
      codes: Uint8Array.of(1, 2),
      colours: Uint8Array.of(1, 5),
      backgrounds: [1, 0, 0, 0],
    })
  })

  it('with a damaged screen has the others', () => {
    const text = JSON.stringify({ version: 1, screens: [0, 1, 7], framebufs: [{ ...screen, width: -3 }, screen] })
    const { artworks, problems } = read('petmate', bytes(text))
    expect(artworks).toHaveLength(1)
    expect(problems.map(({ offset }) => offset)).toEqual([text.indexOf('7]'), text.indexOf('-3')])
  })
})

describe('pictures', () => {
  /** A value at each place that the program's memory map names. */
  const memory = (address: number, end: number, values: Readonly<Record<number, number>>): Uint8Array => {
    const image = new Uint8Array(end - address)
    for (const [place, value] of Object.entries(values)) image[Number(place) - address] = value
    return bytes(address & 0xff, address >> 8, image)
  }

  it('of Art Studio have the bitmap at $2000, the screen at $3F40 and the border at $4328', () => {
    const file = memory(0x2000, 0x432f, { 0x2000: 0b00011011, 0x3f40: 0x16, 0x4328: 14 })
    expect(formatsOf(file, 'art')[0]?.id).toBe('art-studio')
    const { artworks, problems } = read('art-studio', file)
    expect(problems).toEqual([])
    const picture = only('bitmap', artworks)
    expect([...(allPixels(picture)[0]?.pixels.subarray(0, 8) ?? [])]).toEqual([6, 6, 6, 1, 1, 6, 1, 1])
    expect(picture.border).toBe(14)
  })

  it('of Advanced Art Studio have the background at $4329 and colour RAM at $4338', () => {
    const file = memory(0x2000, 0x4720, { 0x2000: 0b00011011, 0x3f40: 0x12, 0x4328: 14, 0x4329: 6, 0x4338: 3 })
    expect(formatsOf(file, 'ocp')[0]?.id).toBe('advanced-art-studio')
    const { artworks, problems } = read('advanced-art-studio', file)
    expect(problems).toEqual([])
    const picture = only('bitmap', artworks)
    expect([...(allPixels(picture)[0]?.pixels.subarray(0, 8) ?? [])]).toEqual([6, 6, 1, 1, 2, 2, 3, 3])
    expect(picture.border).toBe(14)
  })

  it('of Koala Painter have the screen at $7F40, colour RAM at $8328 and the background at $8710', () => {
    const file = memory(0x6000, 0x8711, { 0x6000: 0b00011011, 0x7f40: 0x12, 0x8328: 3, 0x8710: 6 })
    const { artworks, problems } = read('koala', file)
    expect(problems).toEqual([])
    expect([...(allPixels(only('bitmap', artworks))[0]?.pixels.subarray(0, 8) ?? [])]).toEqual([6, 6, 1, 1, 2, 2, 3, 3])
  })

  it('with another load address are loaded with a note, by size and by the ending .koala', () => {
    const file = memory(0x4000, 0x6711, { 0x4000: 0b00011011, 0x6710: 6 })
    expect(formatsOf(file, 'koala')[0]?.id).toBe('koala')
    const { artworks, problems, notes } = read('koala', file)
    expect(only('bitmap', artworks).background).toBe(6)
    expect(problems).toEqual([])
    expect(notes).toEqual([expect.objectContaining({ offset: 0, text: expect.stringContaining('$4000') as string })])
  })

  it('of FLI Designer have colour RAM at $3C00, eight screens from $4000 and the bitmap at $6000', () => {
    const values = { 0x3c00: 3, 0x4000: 0x12, 0x4400: 0x45, 0x6000: 0b00011011, 0x6001: 0b00011011 }
    const file = memory(0x3c00, 0x7fff, values)
    expect(formatsOf(file, 'fli')[0]?.id).toBe('fli-designer')
    const { artworks, problems } = read('fli-designer', file)
    expect(problems).toEqual([])
    const [{ pixels } = { pixels: new Uint8Array() }] = allPixels(only('bitmap', artworks))
    expect([...pixels.subarray(0, 8)]).toEqual([0, 0, 1, 1, 2, 2, 3, 3])
    expect([...pixels.subarray(320, 328)]).toEqual([0, 0, 4, 4, 5, 5, 3, 3])
  })

  it('of Blackmail FLI begin with a background for each line', () => {
    const file = memory(0x3b00, 0x7f40, { 0x3b01: 5, 0x3c00: 3, 0x4000: 0x12, 0x6000: 0b00011011 })
    expect(formatsOf(file, 'bml')[0]?.id).toBe('blackmail-fli')
    const { problems, notes } = read('blackmail-fli', file)
    expect(problems).toEqual([])
    expect(notes).toEqual([expect.objectContaining({ offset: 3 })])
  })
})
