import type { Size } from './layered'

export interface PlaneView {
  /** CSS px of the window for one unit of the plane. */
  readonly scale: number
  /** The window's left upper corner, in units of the plane. */
  readonly left: number
  readonly top: number
}

const MAX_SCALE = 2
const MARGIN_PX = 16

export function fitPlane(plane: Size, window: Size): PlaneView {
  const scale = Math.min(1, fittingScale(plane, window))
  return { scale, left: (plane.width - window.width / scale) / 2, top: (plane.height - window.height / scale) / 2 }
}

const fittingScale = (plane: Size, window: Size): number =>
  Math.max(
    1e-4,
    Math.min(
      (window.width - 2 * MARGIN_PX) / Math.max(1, plane.width),
      (window.height - 2 * MARGIN_PX) / Math.max(1, plane.height),
    ),
  )

/** Around a point of the window, CSS px. Not smaller than needed to see it all. */
export function zoomPlane(
  { scale, left, top }: PlaneView,
  factor: number,
  x: number,
  y: number,
  plane: Size,
  window: Size,
): PlaneView {
  const next = Math.min(MAX_SCALE, Math.max(Math.min(1, fittingScale(plane, window)), scale * factor))
  return keepOnPlane({ scale: next, left: left + x / scale - x / next, top: top + y / scale - y / next }, plane, window)
}

/** Some of the plane stays in the middle of the window. */
export function keepOnPlane({ scale, left, top }: PlaneView, plane: Size, window: Size): PlaneView {
  const [halfWidth, halfHeight] = [window.width / scale / 2, window.height / scale / 2]
  return {
    scale,
    left: Math.min(plane.width - halfWidth, Math.max(-halfWidth, left)),
    top: Math.min(plane.height - halfHeight, Math.max(-halfHeight, top)),
  }
}

export function centreOnPlane(
  point: { readonly x: number; readonly y: number },
  scale: number,
  plane: Size,
  window: Size,
): PlaneView {
  const margin = MARGIN_PX / scale
  const start = (middle: number, room: number, length: number): number =>
    length + 2 * margin <= room
      ? (length - room) / 2
      : Math.min(length + margin - room, Math.max(-margin, middle - room / 2))
  return {
    scale,
    left: start(point.x, window.width / scale, plane.width),
    top: start(point.y, window.height / scale, plane.height),
  }
}

export function revealOnPlane(
  view: PlaneView,
  box: Size & { readonly x: number; readonly y: number },
  window: Size,
): PlaneView {
  const margin = MARGIN_PX / view.scale
  const into = (from: number, room: number, start: number, length: number): number =>
    Math.min(start - margin, Math.max(from, start + length + margin - room))
  return {
    scale: view.scale,
    left: into(view.left, window.width / view.scale, box.x, box.width),
    top: into(view.top, window.height / view.scale, box.y, box.height),
  }
}
