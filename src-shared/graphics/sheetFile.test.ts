import { strFromU8, strToU8, unzlibSync, zlibSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import type { Artwork, SpriteSheet } from './artwork'
import { decodeSheet, encodeSheet } from './sheetFile'

const sprites: SpriteSheet = {
  kind: 'sprites',
  name: 'Hero',
  background: 6,
  multicolour1: 1,
  multicolour2: 2,
  sprites: [
    {
      name: 'run ☃',
      bytes: Uint8Array.from({ length: 63 }, (_, at) => at * 4),
      overlay: false,
      colour: 7,
      multicolour: true,
      expandX: false,
      expandY: true,
    },
  ],
  animations: [{ name: 'run', frames: [{ sprite: 0, ms: 80 }], isPingPong: true }],
}
const artworks: readonly Artwork[] = [
  sprites,
  {
    kind: 'characters',
    name: '',
    mode: 'multicolourText',
    backgrounds: [0, 1, 2, 3],
    colour: 9,
    bytes: new Uint8Array(16).fill(3),
    colours: Uint8Array.of(1, 2),
    materials: null,
    tiles: { width: 1, height: 2, cells: Uint16Array.of(0, 1, 300, 2), colours: null, names: ['a', 'b'] },
    map: { columns: 1, rows: 1, cells: Uint16Array.of(1) },
  },
  {
    kind: 'screen',
    name: 's',
    mode: 'text',
    columns: 2,
    rows: 1,
    border: 14,
    codes: Uint8Array.of(1, 2),
    colours: Uint8Array.of(3, 4),
    backgrounds: [6, 0, 0, 0],
    characters: 'lower',
  },
  {
    kind: 'bitmap',
    name: 'b',
    mode: 'bitmap',
    background: 0,
    border: 0,
    bitmap: new Uint8Array(8000).fill(0xaa),
    screen: new Uint8Array(1000).fill(0x1b),
    colours: new Uint8Array(1000),
  },
]

/** The same file with its JSON changed. */
const edited = (file: Uint8Array, edit: (text: string) => string) =>
  zlibSync(strToU8(edit(strFromU8(unzlibSync(file)))))

describe('the sheet that is kept', () => {
  it('has everything again', () => expect(decodeSheet(encodeSheet(artworks))).toEqual({ artworks, problems: [] }))
  it('may be empty', () => expect(decodeSheet(encodeSheet([]))).toEqual({ artworks: [], problems: [] }))

  it('leaves out what is damaged, and says so', () => {
    const file = edited(encodeSheet(artworks), (text) => text.replace('"colour":9', '"colour":99'))
    const { artworks: read, problems } = decodeSheet(file)
    expect(read).toEqual(artworks.filter(({ kind }) => kind !== 'characters'))
    expect(problems).toEqual(['Artwork 2 of the sheet is damaged.'])
  })

  it('has no frames of sprites that are not there', () => {
    const file = edited(encodeSheet([sprites]), (text) => text.replace('"sprite":0', '"sprite":5'))
    expect(decodeSheet(file).artworks).toMatchObject([{ animations: [{ frames: [] }] }])
  })

  it('is no sheet where its bytes are not one', () => {
    const whole = encodeSheet(artworks)
    for (const file of [new Uint8Array(0), Uint8Array.of(1, 2, 3), whole.subarray(0, 40), zlibSync(strToU8('{}'))])
      expect(decodeSheet(file)).toMatchObject({ artworks: [], problems: [expect.any(String)] })
  })
})
