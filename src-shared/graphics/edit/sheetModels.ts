import { CHARACTER_BYTES, isFli, type Bitmap, type CharacterSet, type TextScreen } from '../artwork'
import { bytesOfPart, type PlainArtwork } from './artworkParts'
import type { FullCell } from './bitmapSurface'
import type { CellBrush } from './cellSurface'
import { type ArtworkPart, type EditModel, type Place } from './model'
import { cellsModel, charactersModel, textModel, type RegisterNames } from './screenModels'
import type { Spot } from './shapes'

const MAX_CHARACTERS_SHOWN = 4096
const MAX_CELLS = 65_536
const CHARACTER_SET = 0x800

export interface SheetEdit {
  readonly artwork: number
  readonly columns: number
  readonly cursor: Spot
  readonly brush: CellBrush
  readonly whenFull: FullCell
  readonly characterRom: Uint8Array | null
  readonly romNote?: string
}

export function whyNotEdited(artwork: PlainArtwork): string | null {
  if (artwork.kind === 'bitmap' && isFli(artwork))
    return 'This is a picture in FLI, with other colours in each line: the editor changes plain bitmaps only.'
  if (artwork.kind === 'screen' && artwork.columns * artwork.rows > MAX_CELLS)
    return `This screen is too large for the editor, which takes ${MAX_CELLS.toLocaleString('en')} cells.`
  if (artwork.kind === 'characters' && artwork.bytes.length < CHARACTER_BYTES) return 'There is no character in it.'
  return null
}

export function sheetModel(artwork: PlainArtwork, edit: SheetEdit): EditModel | string {
  const why = whyNotEdited(artwork)
  if (why !== null) return why
  if (artwork.kind === 'characters') return characters(artwork, edit)
  return artwork.kind === 'screen' ? screen(artwork, edit) : bitmap(artwork, edit)
}

const placesOf = ({ artwork }: SheetEdit, parts: readonly ArtworkPart[]): Place[] =>
  parts.map((part) => ({ in: 'artwork', artwork, part }))

const titleOf = (kind: string, { name }: PlainArtwork): string => `${kind} ${name}`.trim() + ' of the sheet'

const namesFor = (shares: string): RegisterNames => ({
  nameOf: (address) => (address === 0xd021 ? 'background' : `background ${address - 0xd021}`),
  shares,
})

const DATA = 0
const COLOURS = 1
const REGISTERS = 2

function characters(set: CharacterSet, edit: SheetEdit): EditModel {
  const count = Math.floor(set.bytes.length / CHARACTER_BYTES)
  const shown = Math.min(MAX_CHARACTERS_SHOWN, count)
  const columns = Math.min(edit.columns, shown)
  const { x, y } = edit.cursor
  const code = Math.min(shown - 1, Math.floor(y / 8) * columns + Math.floor(x / 8))
  const colourAt = (each: number): number => (set.colours ? each : 0)
  const at = { part: COLOURS, offset: colourAt(code) }
  const parts = ['data', 'colours', 'registers'] as const
  return charactersModel(
    {
      key: `sheet ${edit.artwork} ${set.mode} ${shown} ${columns}`,
      title: titleOf('Characters', set),
      code,
      columns,
      places: placesOf(edit, parts),
      names: namesFor('all characters'),
      mode: set.mode,
      vic: REGISTERS,
      codes: Array.from({ length: shown }, (_, each) => each),
      blockOf: (each) => ({ part: DATA, first: each * CHARACTER_BYTES }),
      colourOf: (now, each) => now[COLOURS]?.[colourAt(each)] ?? set.colour,
      own: { source: set.colours ? `character ${code}` : 'all characters', at, shares: null },
      modeAt: set.mode === 'multicolourText' ? { ...at, mask: 8 } : null,
      note: shown < count ? `The first ${shown} of ${count} characters are shown.` : null,
    },
    parts.map((part) => bytesOfPart(set, part)),
  )
}

function screen(artwork: TextScreen, edit: SheetEdit): EditModel {
  const { mode, columns, rows, characters: own } = artwork
  const rom = edit.characterRom
  const isRom = typeof own === 'string'
  return textModel(
    {
      key: `sheet ${edit.artwork} ${mode} ${columns}`,
      title: titleOf('Screen', artwork),
      mode,
      columns,
      rows,
      places: placesOf(edit, ['screen', 'colours', 'registers']),
      names: namesFor('the whole screen'),
      characters: isRom ? romSet(rom, own) : own,
      isLower: own === 'lower',
      clearColour: (artwork.colours[0] ?? 0x0e) & 0x0f,
      note: isRom ? (edit.romNote ?? null) : null,
    },
    edit.brush,
  )
}

function romSet(rom: Uint8Array | null, set: 'upper' | 'lower'): Uint8Array {
  const start = set === 'upper' ? 0 : CHARACTER_SET
  return rom?.subarray(start, start + CHARACTER_SET) ?? new Uint8Array(CHARACTER_SET)
}

const bitmap = (artwork: Bitmap, edit: SheetEdit): EditModel =>
  cellsModel(
    {
      key: `sheet ${edit.artwork} ${artwork.mode}`,
      title: titleOf('Bitmap', artwork),
      note: null,
      mode: artwork.mode,
      background: artwork.background,
      names: namesFor('the whole bitmap'),
      places: placesOf(edit, ['data', 'screen', 'colours', 'registers']),
    },
    edit.whenFull,
  )
