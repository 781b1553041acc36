import { formatAddress } from '../../c64/address'
import { SPRITE_HEIGHT, SPRITE_WIDTH, spritePixels, TRANSPARENT } from '../../c64/sprites'
import { SPRITE_BYTES, type SpriteArt, type SpriteSheet } from '../artwork'
import { blockSurface } from './blockSurface'
import { colourIn, registerAt, vicPlace, VIC_START, type EditModel, type Place, type Swatch } from './model'
import type { Parts } from './surface'

export interface LayerLook {
  readonly colour: number
  readonly multicolour: boolean
}

const LOOK = SPRITE_BYTES
const MULTICOLOUR = 0x80

export function bytesOfArt({ bytes, colour, multicolour }: SpriteArt): Uint8Array {
  const part = new Uint8Array(SPRITE_BYTES + 1)
  part.set(bytes.subarray(0, SPRITE_BYTES))
  part[LOOK] = colour | (multicolour ? MULTICOLOUR : 0)
  return part
}

export const artOfBytes = (art: SpriteArt, part: Uint8Array): SpriteArt => ({
  ...art,
  bytes: part.slice(0, SPRITE_BYTES),
  colour: (part[LOOK] ?? 0) & 0x0f,
  multicolour: ((part[LOOK] ?? 0) & MULTICOLOUR) !== 0,
})

export const bytesOfShared = ({ background, multicolour1, multicolour2 }: SpriteSheet): Uint8Array =>
  Uint8Array.of(background, multicolour1, multicolour2)

interface Sprites {
  readonly key: string
  readonly title: string
  readonly places: readonly Place[]
  readonly partOf: readonly number[]
  readonly columns: number
  readonly areOverlays: boolean
  readonly layer: 0 | 1
  readonly lookOf: (parts: Parts, cell: number) => LayerLook
  readonly colours: Readonly<Record<'background' | 'multicolour1' | 'multicolour2', SharedColour>>
  readonly own: Pick<Swatch, 'source' | 'at' | 'shares'>
  readonly modeAt: EditModel['modeAt']
  readonly note: string | null
}

interface SharedColour {
  readonly part: number
  readonly offset: number
  readonly source: string
  readonly shares: string
}

const ALL_SPRITES = 'all sprites'
const SCREEN = 'the screen'

const titleOf = (first: string, count: number): string => `Sprite ${first}${count > 1 ? ` and ${count - 1} more` : ''}`

function spriteModel(sprites: Sprites, parts: Parts): EditModel {
  const { partOf, columns, areOverlays, layer, lookOf, colours } = sprites
  const cells = partOf.map((_, index) => index)
  const ofLayer = (wanted: number) => (areOverlays ? cells.filter((index) => index % 2 === wanted) : cells)
  const active = ofLayer(layer)
  const surface = blockSurface({
    blocks: active.map((cell) => ({ part: partOf[cell] ?? 0, isMulticolour: lookOf(parts, cell).multicolour })),
    columns: Math.min(columns, active.length),
    width: SPRITE_WIDTH,
    height: SPRITE_HEIGHT,
  })
  const shared = (now: Parts) => ({
    multicolour1: colourIn(now, colours.multicolour1.part, colours.multicolour1.offset),
    multicolour2: colourIn(now, colours.multicolour2.part, colours.multicolour2.offset),
  })
  const isMulticolour = lookOf(parts, active[0] ?? 0).multicolour
  return {
    key: `${sprites.key} ${layer} ${active.map((cell) => Number(lookOf(parts, cell).multicolour)).join('')}`,
    title: sprites.title,
    surface,
    places: sprites.places,
    scale: 1,
    isMulticolour,
    modeAt: sprites.modeAt,
    note: sprites.note,
    text: null,
    grid: { x: SPRITE_WIDTH, y: SPRITE_HEIGHT },
    swatches: (now) => {
      const one = (value: number, label: string, { part, offset, source, shares }: SharedColour): Swatch => ({
        value,
        label,
        source,
        shares,
        at: { part, offset },
        colour: colourIn(now, part, offset),
      })
      const own = (value: number, label: string): Swatch => ({
        value,
        label,
        ...sprites.own,
        colour: lookOf(now, active[0] ?? 0).colour,
      })
      if (!isMulticolour) return [one(0, '0', colours.background), own(1, '1')]
      return [
        one(0, '00', colours.background),
        one(1, '01', colours.multicolour1),
        own(2, '10'),
        one(3, '11', colours.multicolour2),
      ]
    },
    paint: (now, out) => {
      out.fill(TRANSPARENT)
      for (const wanted of areOverlays ? [0, 1] : [0])
        ofLayer(wanted).forEach((cell, index) => {
          const bytes = now[partOf[cell] ?? 0] ?? new Uint8Array(SPRITE_BYTES)
          const pixels = spritePixels(bytes.subarray(0, SPRITE_BYTES), { ...lookOf(now, cell), ...shared(now) })
          const left = (index % columns) * SPRITE_WIDTH
          const top = Math.floor(index / columns) * SPRITE_HEIGHT
          pixels.forEach((pixel, at) => {
            const [x, y] = [left + (at % SPRITE_WIDTH), top + Math.floor(at / SPRITE_WIDTH)]
            if (pixel !== TRANSPARENT) out[y * surface.width + x] = pixel
          })
        })
    },
  }
}

export interface SpriteGrid {
  readonly columns: number
  readonly areOverlays: boolean
  readonly layer: 0 | 1
}

interface MachineSprites extends SpriteGrid {
  readonly addresses: readonly number[]
  readonly shown: readonly number[]
  readonly looks: readonly LayerLook[]
  readonly space: 'ram' | 'cpu'
  readonly registers: Uint8Array
}

export function machineSpriteModel(sprites: MachineSprites): EditModel {
  const { addresses, shown, looks, layer, areOverlays, space, registers } = sprites
  const distinct = [...new Set(addresses)]
  const vic = distinct.length
  const layerOf = (cell: number) => (areOverlays ? cell % 2 : 0)
  const numberOf = (cell: number) => shown.indexOf(addresses[cell] ?? -1)
  const first = areOverlays ? layer : 0
  const n = numberOf(first)
  const colourRegister = 0xd027 + n
  const at = (address: number, shares: string) => ({
    ...registerAt(vic, address),
    source: formatAddress(address),
    shares,
  })
  const parts = [...distinct.map(() => new Uint8Array(SPRITE_BYTES)), registers]
  return spriteModel(
    {
      ...sprites,
      key: `sprites ${addresses.join()} ${sprites.columns} ${areOverlays}`,
      title: titleOf(formatAddress(addresses[first] ?? 0), addresses.length),
      places: [
        ...distinct.map((address): Place => ({ in: 'machine', space, address, length: SPRITE_BYTES })),
        vicPlace,
      ],
      partOf: addresses.map((address) => distinct.indexOf(address)),
      lookOf: (now, cell) => {
        const shownAs = numberOf(cell)
        if (shownAs < 0) return looks[layerOf(cell)] ?? { colour: 1, multicolour: false }
        return {
          colour: colourIn(now, vic, 0xd027 + shownAs - VIC_START),
          multicolour: (((now[vic]?.[0xd01c - VIC_START] ?? 0) >> shownAs) & 1) === 1,
        }
      },
      colours: {
        background: at(0xd021, SCREEN),
        multicolour1: at(0xd025, ALL_SPRITES),
        multicolour2: at(0xd026, ALL_SPRITES),
      },
      own:
        n < 0
          ? { source: 'here only', at: null, shares: null }
          : { source: formatAddress(colourRegister), at: registerAt(vic, colourRegister), shares: null },
      modeAt: n < 0 ? null : { ...registerAt(vic, 0xd01c), mask: 1 << n },
      note: n < 0 ? 'The VIC-II does not show this sprite now: its own colour and mode are of the editor only.' : null,
    },
    parts,
  )
}

export function sheetSpriteModel(
  sheet: SpriteSheet,
  { indexes, ...grid }: SpriteGrid & { readonly indexes: readonly number[] },
): EditModel | null {
  const present = indexes.filter((index) => sheet.sprites[index] !== undefined)
  const distinct = [...new Set(present)]
  if (distinct.length === 0) return null
  const vic = distinct.length
  const partOf = present.map((index) => distinct.indexOf(index))
  const places: Place[] = [
    ...distinct.map((sprite): Place => ({ in: 'sheet', sprite, length: SPRITE_BYTES + 1 })),
    { in: 'sheet', sprite: null, length: 3 },
  ]
  const parts = [...distinct.flatMap((index) => sheet.sprites[index] ?? []).map(bytesOfArt), bytesOfShared(sheet)]
  const active = partOf[grid.areOverlays ? grid.layer : 0] ?? 0
  const at = (offset: number, source: string) => ({ part: vic, offset, source, shares: ALL_SPRITES })
  return spriteModel(
    {
      ...grid,
      key: `sheet ${present.join()} ${grid.columns}`,
      partOf,
      places,
      note: null,
      title: `${titleOf(String((present[0] ?? 0) + 1), present.length)} of the sheet`,
      lookOf: (now, cell) => {
        const look = now[partOf[cell] ?? 0]?.[LOOK] ?? 0
        return { colour: look & 0x0f, multicolour: (look & MULTICOLOUR) !== 0 }
      },
      colours: {
        background: at(0, 'background'),
        multicolour1: at(1, 'multicolour 1'),
        multicolour2: at(2, 'multicolour 2'),
      },
      own: { source: 'its own', at: { part: active, offset: LOOK }, shares: null },
      modeAt: { part: active, offset: LOOK, mask: MULTICOLOUR },
    },
    parts,
  )
}
