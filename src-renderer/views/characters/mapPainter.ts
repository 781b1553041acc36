import { formatAddress, formatByte } from '@shared/c64/address'
import { SCREEN_CELLS } from '@shared/graphics/artwork'
import { colourOf, eachLineOfCharacter, type CharactersShown } from '@shared/graphics/charactersShown'
import type { GraphicsImage } from '@shared/graphics/grab'
import { bytesSeen } from '@shared/graphics/grab'
import type { CellFact } from '@shared/graphics/pictureCell'
import { mapCellAt, rowsInMemory, tileCharacter, type TileMapPlace, type TileShape } from '@shared/graphics/tileLayout'
import { decodeVideo } from '@shared/c64/video'
import { LineCanvas } from '../../frames/lineCanvas'

export type MapSize = Pick<TileMapPlace, 'columns' | 'rows'> & Pick<TileShape, 'width' | 'height'>

/** In characters. */
interface Part {
  readonly column: number
  readonly row: number
  readonly columns: number
  readonly rows: number
}

const ROM_BYTES = 0x1000
/** Where the VIC-II sees character ROM. */
const romsSeen = [0x1000, 0x9000]

const nowhere: TileMapPlace = { address: 0, columns: 1, rows: 1 }
const single: TileShape = { layout: 'rows', width: 1, height: 1, definitions: 0 }

export class MapPainter {
  #lines = new LineCanvas(1, 1)
  #size = { columns: 1, rows: 1 }
  #place = nowhere
  #shape = single
  #ram: Uint8Array = new Uint8Array(0)
  #seen: Uint8Array | null = null
  #colorRam: Uint8Array = new Uint8Array(0)
  #screen = 0

  /** @param address null is the VIC-II's screen */
  read(
    image: GraphicsImage,
    map: Omit<TileMapPlace, 'address'> & { readonly address: number | null },
    shape: TileShape,
  ): void {
    this.#screen = decodeVideo(image.io).screen
    const address = map.address ?? this.#screen
    this.#place = { ...map, address, rows: rowsInMemory({ ...map, address }) }
    this.#shape = shape
    this.#ram = map.address === null ? this.#withScreenSeen(image, this.#place) : image.ram
    this.#colorRam = image.colorRam
  }

  #withScreenSeen(image: GraphicsImage, { address, columns, rows }: TileMapPlace): Uint8Array {
    const end = Math.min(image.ram.length, address + columns * rows)
    if (!romsSeen.some((rom) => address < rom + ROM_BYTES && end > rom)) return image.ram
    this.#seen ??= new Uint8Array(image.ram.length)
    this.#seen.set(image.ram)
    this.#seen.set(bytesSeen(image, address, end - address), address)
    return this.#seen
  }

  draw(canvas: HTMLCanvasElement | null, shown: CharactersShown, palette: readonly number[], part: Part): void {
    if (part.columns !== this.#size.columns || part.rows !== this.#size.rows) {
      this.#size = { columns: part.columns, rows: part.rows }
      this.#lines = new LineCanvas(part.columns, part.rows)
    }
    const { set } = shown
    const background = [set.backgrounds[0], set.backgrounds[0]]
    this.#lines.draw(canvas, palette, (take) => {
      for (let cell = 0; cell < part.columns * part.rows; cell++) {
        const [column, row] = [part.column + (cell % part.columns), part.row + Math.floor(cell / part.columns)]
        const at = mapCellAt(this.#place, this.#shape, this.#ram, column, row)
        if (at) eachLineOfCharacter(set, at.character, this.#colourAt(shown, at.address, at.character), cell, take)
        else for (let y = 0; y < 8; y++) take(cell, y, 0, background)
      }
    })
  }

  /** Row by row. */
  charactersOf(column: number, row: number): number[] {
    const tile = this.#ram[this.addressOf(column, row)] ?? 0
    const { width, height } = this.#shape
    return Array.from({ length: width * height }, (_, index) =>
      tileCharacter(this.#shape, this.#ram, tile, index % width, Math.floor(index / width)),
    )
  }

  addressOf(column: number, row: number): number {
    return Math.min(0xffff, this.#place.address + row * this.#place.columns + column)
  }

  facts(column: number, row: number): CellFact[] {
    const address = this.addressOf(column, row)
    const tile = this.#ram[address] ?? 0
    const characters = this.charactersOf(column, row)
    const listed = characters
      .slice(0, 16)
      .map((code) => formatByte(code).slice(1))
      .join(' ')
    return [
      { label: 'Place', text: `column ${column}, row ${row}` },
      { label: 'Address', text: formatAddress(address), address },
      { label: 'Tile', text: `${formatByte(tile)} = ${tile}` },
      { label: 'Characters', text: characters.length > 16 ? `${listed} …` : listed },
    ]
  }

  /** Colour RAM only has the colours of the screen; elsewhere a character has the colour that it is used in. */
  #colourAt({ set }: CharactersShown, address: number, character: number): number {
    const offset = address - this.#screen
    const isOnScreen = this.#shape.width * this.#shape.height === 1 && offset >= 0 && offset < SCREEN_CELLS
    return isOnScreen && set.colours ? (this.#colorRam[offset] ?? 0) & 0x0f : colourOf(set, character)
  }
}
