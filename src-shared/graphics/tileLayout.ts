export const tileLayouts = ['rows', 'columns', 'block', 'definitions'] as const
/**
 * The characters of a tile. `rows`, `columns`: consecutive ones, row by row or column by column. `block`: neighbours in
 * the set, 16 a row. `definitions`: those that a table in memory names, row by row.
 */
export type TileLayout = (typeof tileLayouts)[number]

export interface TileShape {
  readonly layout: TileLayout
  /** In characters, 1 to {@link MAX_TILE_SIDE}. */
  readonly width: number
  readonly height: number
  readonly definitions: number
}

export const MAX_TILE_SIDE = 8
export const MAX_TILE_COLUMNS = 1024

const SET_COLUMNS = 16
const MEMORY_BYTES = 0x10000

/** @param ram 64 KiB; bytes past its end count as zero */
export function tileCharacter(
  { layout, width, height, definitions }: TileShape,
  ram: Uint8Array,
  tile: number,
  x: number,
  y: number,
): number {
  const size = width * height
  if (layout === 'definitions') return ram[definitions + tile * size + y * width + x] ?? 0
  if (layout === 'columns') return (tile * size + x * height + y) & 0xff
  if (layout === 'rows') return (tile * size + y * width + x) & 0xff
  const perRow = Math.max(1, Math.floor(SET_COLUMNS / width))
  const left = (tile % perRow) * width + x
  return ((Math.floor(tile / perRow) * height + y) * SET_COLUMNS + left) & 0xff
}

export interface TileMapPlace {
  readonly address: number
  readonly columns: number
  readonly rows: number
}

export const rowsInMemory = ({ address, columns, rows }: TileMapPlace): number =>
  Math.min(rows, Math.ceil((MEMORY_BYTES - address) / columns))

export interface MapCell {
  readonly address: number
  readonly tile: number
  readonly character: number
}

export function mapCellAt(
  place: TileMapPlace,
  shape: TileShape,
  ram: Uint8Array,
  column: number,
  row: number,
): MapCell | null {
  const [tileColumn, tileRow] = [Math.floor(column / shape.width), Math.floor(row / shape.height)]
  const address = place.address + tileRow * place.columns + tileColumn
  const isInside = column >= 0 && row >= 0 && tileColumn < place.columns && tileRow < place.rows
  const tile = ram[address]
  if (!isInside || tile === undefined) return null
  return { address, tile, character: tileCharacter(shape, ram, tile, column % shape.width, row % shape.height) }
}
