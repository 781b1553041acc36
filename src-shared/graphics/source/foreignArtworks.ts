import { CHARACTER_BYTES, MAX_CHARACTERS, MAX_SPRITES, SPRITE_BYTES, type Artwork, type SpriteArt } from '../artwork'
import type { FormatProblem, ReadArtwork } from '../format'
import { ByteList, type PlacedItem } from './sourceItem'

const SPRITE_BLOCK = 64

interface Run {
  readonly name: string
  readonly offset: number
  readonly bytes: ByteList
}

export function foreignArtworks(items: readonly PlacedItem[], end: number): ReadArtwork {
  const runs: Run[] = []
  for (const item of items) {
    const last = runs.at(-1)
    if (item.kind === 'label' && last?.bytes.length !== 0)
      runs.push({ name: item.name, offset: item.offset, bytes: new ByteList() })
    if (item.kind === 'label' && last?.bytes.length === 0)
      runs.splice(-1, 1, { name: item.name, offset: item.offset, bytes: new ByteList() })
    if (item.kind !== 'row') continue
    const run = last ?? { name: '', offset: item.offset, bytes: new ByteList() }
    if (!last) runs.push(run)
    run.bytes.append(item.bytes)
  }
  const filled = runs.filter(({ bytes }) => bytes.length > 0)
  if (filled.length === 0)
    return { artworks: [], problems: [{ offset: end, text: 'Expected lines of bytes, found none.' }] }
  const each = blockLength(filled)
  return each === null ? charactersOf(filled) : spritesOf(filled, each)
}

function blockLength(runs: readonly Run[]): number | null {
  return [SPRITE_BLOCK, SPRITE_BYTES].find((each) => runs.every(({ bytes }) => bytes.length % each === 0)) ?? null
}

function spritesOf(runs: readonly Run[], each: number): ReadArtwork {
  const count = runs.reduce((sum, { bytes }) => sum + bytes.length / each, 0)
  let left = MAX_SPRITES
  const sprites = runs.flatMap(({ name, bytes: list }) => {
    const number = Math.min(left, list.length / each)
    left -= number
    const bytes = list.first(number * each)
    return Array.from({ length: number }, (_, index): SpriteArt => {
      const last = each === SPRITE_BLOCK ? (bytes[index * each + SPRITE_BYTES] ?? 0) : 0
      return {
        name: index === 0 ? name : '',
        bytes: bytes.slice(index * each, index * each + SPRITE_BYTES),
        colour: last & 0x0f || 1,
        multicolour: (last & 0x80) !== 0,
        expandX: false,
        expandY: false,
        overlay: false,
      }
    })
  })
  const problems: FormatProblem[] =
    count > MAX_SPRITES
      ? [
          {
            offset: runs.at(-1)?.offset ?? 0,
            text: `Expected ${MAX_SPRITES} sprites at most, found ${count}.`,
          },
        ]
      : []
  const sheet: Artwork = {
    kind: 'sprites',
    name: '',
    animations: [],
    background: 0,
    multicolour1: 11,
    multicolour2: 12,
    sprites,
  }
  return { artworks: [sheet], problems }
}

function charactersOf(runs: readonly Run[]): ReadArtwork {
  const found = new ByteList()
  for (const { bytes } of runs) found.append(bytes.whole())
  const length = Math.min(Math.ceil(found.length / CHARACTER_BYTES), MAX_CHARACTERS) * CHARACTER_BYTES
  const bytes = new Uint8Array(length)
  bytes.set(found.first(length))
  const set: Artwork = {
    kind: 'characters',
    name: runs[0]?.name ?? '',
    mode: 'text',
    bytes,
    colour: 1,
    backgrounds: [0, 0, 0, 0],
    colours: null,
    materials: null,
    tiles: null,
    map: null,
  }
  const problems =
    found.length === length
      ? []
      : [
          {
            offset: runs.at(-1)?.offset ?? 0,
            text: `Expected a multiple of ${CHARACTER_BYTES} bytes for characters, or of 64 for sprites, found ${found.length}.`,
          },
        ]
  return { artworks: [set], problems }
}
