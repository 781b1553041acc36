/** One row of the 256 x 256 map is one page of memory. */

export const MAP_SIDE = 256
export const MAX_ZOOM = 48

export interface MapView {
  /** CSS px for each cell. */
  readonly zoom: number
  /** The cell at the left and top edge, with fractions. */
  readonly left: number
  readonly top: number
}

export interface Size {
  readonly width: number
  readonly height: number
}

/**
 * As large as fits with a whole number of display pixels per cell, so that all cells are alike; smaller only where not
 * even one pixel per cell has room.
 * @param ratio display pixels per CSS px
 */
export function fitView({ width, height }: Size, ratio: number): MapView {
  const room = Math.max(0.1, (Math.min(width, height) * ratio) / MAP_SIDE)
  return { zoom: (room < 1 ? room : Math.floor(room)) / ratio, left: 0, top: 0 }
}

/** Keeps the map inside the pane; never smaller than the whole map. */
export function clampView(view: MapView, size: Size, ratio: number): MapView {
  const zoom = Math.min(MAX_ZOOM, Math.max(fitView(size, ratio).zoom, view.zoom))
  const keep = (edge: number, length: number): number =>
    Math.min(Math.max(0, MAP_SIDE - length / zoom), Math.max(0, edge))
  return { zoom, left: keep(view.left, size.width), top: keep(view.top, size.height) }
}

/** In whole display pixels; the point (CSS px in the pane) stays over the same cell. */
export function zoomAt(view: MapView, factor: number, x: number, y: number, size: Size, ratio: number): MapView {
  const pixels = view.zoom * ratio
  const wanted =
    factor > 1
      ? Math.max(Math.floor(pixels) + 1, Math.round(pixels * factor))
      : Math.min(Math.ceil(pixels) - 1, Math.round(pixels * factor))
  const { zoom } = clampView({ ...view, zoom: wanted / ratio }, size, ratio)
  return clampView(
    { zoom, left: view.left + x / view.zoom - x / zoom, top: view.top + y / view.zoom - y / zoom },
    size,
    ratio,
  )
}

export function addressAt({ zoom, left, top }: MapView, x: number, y: number): number | null {
  const column = Math.floor(left + x / zoom)
  const row = Math.floor(top + y / zoom)
  return column >= 0 && column < MAP_SIDE && row >= 0 && row < MAP_SIDE ? row * MAP_SIDE + column : null
}

export function reveal(view: MapView, address: number, size: Size, ratio: number): MapView {
  const into = (edge: number, cell: number, length: number): number =>
    Math.max(Math.min(edge, cell), cell + 1 - length / view.zoom)
  return clampView(
    { ...view, left: into(view.left, address & 0xff, size.width), top: into(view.top, address >> 8, size.height) },
    size,
    ratio,
  )
}

const LABEL_HEIGHT = 12

export interface Band {
  readonly name: string
  /** CSS px from the top of the pane. */
  readonly from: number
  readonly to: number
}

/** All bands that are high enough, and small ones in the room that is left. */
export function placeLabels(bands: readonly Band[], height: number): { name: string; y: number }[] {
  const labels: { name: string; y: number }[] = []
  const isHigh = ({ from, to }: Band): boolean => Math.min(to, height) - Math.max(from, 0) >= LABEL_HEIGHT
  let free = 0
  bands.forEach((band, index) => {
    const y = Math.max(0, band.from)
    const nextHigh = bands.slice(index + 1).find(isHigh)?.from ?? height
    const room = isHigh(band) ? height : Math.min(height, nextHigh)
    if (band.to <= 0 || y < free || y + LABEL_HEIGHT > room) return
    labels.push({ name: band.name, y: y + 1 })
    free = y + LABEL_HEIGHT
  })
  return labels
}
