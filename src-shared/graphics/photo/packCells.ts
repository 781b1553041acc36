import type { CellColours } from './cellColours'
import { pixelAt } from './cellColours'
import type { CellChoices } from './dither'
import type { TargetShape } from './targetShape'

export function cellChoices(shape: TargetShape, { shared, own }: CellColours): CellChoices {
  const cells = shape.columns * shape.rows
  const owned = shape.ownBits.length
  const count = shared.length + owned
  const colours = new Uint8Array(cells * count)
  for (let cell = 0; cell < cells; cell++) {
    colours.set(shared, cell * count)
    colours.set(own.subarray(cell * owned, (cell + 1) * owned), cell * count + shared.length)
  }
  return { cellWidth: shape.cellWidth, cellHeight: shape.cellHeight, columns: shape.columns, count, colours }
}

const choiceBits = ({ sharedBits, ownBits }: TargetShape): readonly number[] => [...sharedBits, ...ownBits]

export const cellBytes = ({ cellWidth, cellHeight, pixelWidth }: TargetShape): number =>
  ((cellWidth * pixelWidth) / 8) * cellHeight

export function packCells(shape: TargetShape, shown: Uint8Array, clear: Uint8Array, choices: CellChoices): Uint8Array {
  const { columns, rows, cellWidth, cellHeight, pixelWidth } = shape
  const size = cellWidth * cellHeight
  const [perByte, bits] = [8 / pixelWidth, choiceBits(shape)]
  const length = cellBytes(shape)
  const bytes = new Uint8Array(columns * rows * length)
  for (let cell = 0; cell < columns * rows; cell++) {
    const own = choices.colours.subarray(cell * choices.count, (cell + 1) * choices.count)
    for (let p = 0; p < size; p++) {
      const pixel = pixelAt(shape, cell, p)
      const choice = clear[pixel] === 1 ? 0 : Math.max(0, own.indexOf(shown[pixel] ?? 0))
      const at = cell * length + Math.floor(p / perByte)
      bytes[at] = (bytes[at] ?? 0) | ((bits[choice] ?? 0) << (8 - pixelWidth * ((p % perByte) + 1)))
    }
  }
  return bytes
}

export function unpackCells(
  shape: TargetShape,
  bytes: Uint8Array,
  patternOf: (cell: number) => number,
  choices: CellChoices,
): Uint8Array {
  const { columns, rows, cellWidth, cellHeight, pixelWidth } = shape
  const size = cellWidth * cellHeight
  const [perByte, bits, mask] = [8 / pixelWidth, choiceBits(shape), (1 << pixelWidth) - 1]
  const shown = new Uint8Array(columns * rows * size)
  for (let cell = 0; cell < columns * rows; cell++) {
    const first = patternOf(cell)
    for (let p = 0; p < size; p++) {
      const byte = bytes[first + Math.floor(p / perByte)] ?? 0
      const choice = bits.indexOf((byte >> (8 - pixelWidth * ((p % perByte) + 1))) & mask)
      shown[pixelAt(shape, cell, p)] = choices.colours[cell * choices.count + choice] ?? 0
    }
  }
  return shown
}

export function nibbleCosts(shape: TargetShape, costs: Float32Array, choices: CellChoices): Float32Array {
  const { columns, rows, cellWidth, cellHeight, pixelWidth } = shape
  const [cells, size] = [columns * rows, cellWidth * cellHeight]
  const perNibble = 4 / pixelWidth
  const [bits, mask] = [choiceBits(shape), (1 << pixelWidth) - 1]
  const table = new Float32Array(cells * (size / perNibble) * 16)
  for (let cell = 0; cell < cells; cell++)
    for (let p = 0; p < size; p++) {
      const to = (cell * (size / perNibble) + Math.floor(p / perNibble)) * 16
      for (let value = 0; value < 16; value++) {
        const choice = bits.indexOf((value >> (4 - pixelWidth * ((p % perNibble) + 1))) & mask)
        const colour = choices.colours[cell * choices.count + choice] ?? 0
        table[to + value] = (table[to + value] ?? 0) + (costs[(cell * size + p) * 16 + colour] ?? 0)
      }
    }
  return table
}
