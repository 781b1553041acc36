import { isInside, type Parts, type Surface } from './surface'

export interface Block {
  readonly part: number
  readonly first?: number
  readonly isMulticolour: boolean
}

export interface BlockGrid {
  readonly blocks: readonly Block[]
  readonly columns: number
  /** Size of a block in points; the width is a multiple of eight. */
  readonly width: number
  readonly height: number
}

/**
 * Points are hires pixels; a multicolour pixel takes two, both with its bit pair. A hires pixel takes any value but 0
 * as 1. Places of the last row without a block hold 0 and take nothing.
 */
export function blockSurface({ blocks, columns, width, height }: BlockGrid): Surface {
  const size = { width: columns * width, height: Math.ceil(blocks.length / columns) * height }
  const at = (x: number, y: number) => {
    const block = isInside(size, x, y) ? blocks[Math.floor(y / height) * columns + Math.floor(x / width)] : undefined
    if (!block) return null
    const bits = block.isMulticolour ? 2 : 1
    return {
      ...block,
      offset: (block.first ?? 0) + (y % height) * (width / 8) + ((x % width) >> 3),
      shift: 8 - bits - (x & 7 & -bits),
      mask: (1 << bits) - 1,
    }
  }
  const get = (parts: Parts, x: number, y: number): number => {
    const place = at(x, y)
    return place ? ((parts[place.part]?.[place.offset] ?? 0) >> place.shift) & place.mask : 0
  }
  return {
    ...size,
    clear: 0,
    get,
    inverted: (parts, x, y) => get(parts, x, y) ^ (at(x, y)?.mask ?? 0),
    write: (parts, points) => {
      for (const { x, y, value } of points) {
        const place = at(x, y)
        const bytes = place && parts[place.part]
        if (!bytes) continue
        const bits = place.isMulticolour ? value & 3 : Number(value !== 0)
        bytes[place.offset] = ((bytes[place.offset] ?? 0) & ~(place.mask << place.shift)) | (bits << place.shift)
      }
    },
    placeOf: (x, y) => {
      const place = at(x, y)
      return { part: place?.part ?? 0, offset: place?.offset ?? 0 }
    },
    widthAt: (x, y) => (at(x, y)?.isMulticolour ? 2 : 1),
  }
}
