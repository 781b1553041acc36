import { heatAt, hotKindAt, type HotKind } from '../../../widgets/heat'
import { rgb, themeColours, type ColourName } from '../../../widgets/themeColours'
import type { HexConfig } from './hexConfig'
import type { RowBytes } from './rows'

export const softColours = { changed: 'changed-soft', read: 'accent-soft', run: 'ok-soft' } as const satisfies Record<
  HotKind,
  ColourName
>

const SELECTED_SHARE = 0.28
const HATCH_STEP_PX = 6

/** CSS px. */
export interface Cells {
  readonly start: number
  readonly rows: number
  readonly rowBytes: RowBytes
  readonly rowHeight: number
  readonly cellWidth: number
  readonly characterWidth: number
  readonly leftOf: (column: number) => number
  readonly textLeftOf: (column: number) => number
}

export function paintTints(context: CanvasRenderingContext2D, config: HexConfig, now: number, cells: Cells): void {
  paintHeat(context, config, now, cells)
  paintSelected(context, config, cells)
  if (config.overlays.any()) paintOverlays(context, config, cells)
}

function paintHeat(context: CanvasRenderingContext2D, config: HexConfig, now: number, cells: Cells): void {
  const { start, rows, rowBytes, rowHeight, cellWidth, characterWidth, leftOf, textLeftOf } = cells
  const colours = themeColours()
  const heat = config.heat()
  for (let row = 0; row < rows; row++) {
    for (let index = 0; index < rowBytes; index++) {
      const address = start + row * rowBytes + index
      if (heat.isStale?.(address)) hatch(context, leftOf(index), row * rowHeight, cells)
      const share = heatAt(heat, now, address)
      if (share === 0) continue
      context.fillStyle = rgb(colours[softColours[hotKindAt(heat, address)]], share)
      context.fillRect(leftOf(index), row * rowHeight, cellWidth, rowHeight)
      context.fillRect(textLeftOf(index), row * rowHeight, characterWidth, rowHeight)
    }
  }
}

function hatch(context: CanvasRenderingContext2D, left: number, top: number, { cellWidth, rowHeight }: Cells): void {
  context.beginPath()
  for (let x = 0; x < cellWidth; x += HATCH_STEP_PX) {
    context.moveTo(left + x, top + rowHeight)
    context.lineTo(left + Math.min(x + HATCH_STEP_PX, cellWidth), top)
  }
  context.lineWidth = 1
  context.strokeStyle = rgb(themeColours()['line-strong'], 0.4)
  context.stroke()
}

function paintSelected(context: CanvasRenderingContext2D, { selected }: HexConfig, cells: Cells): void {
  if (!selected) return
  const { start, rows, rowBytes, rowHeight, cellWidth, characterWidth, leftOf, textLeftOf } = cells
  context.fillStyle = rgb(themeColours().accent, SELECTED_SHARE)
  for (let row = 0; row < rows; row++) {
    const address = start + row * rowBytes
    const first = Math.max(selected.start, address) - address
    const last = Math.min(selected.end, address + rowBytes) - 1 - address
    if (last < first) continue
    context.fillRect(leftOf(first), row * rowHeight, leftOf(last) + cellWidth - leftOf(first), rowHeight)
    context.fillRect(textLeftOf(first), row * rowHeight, (last - first + 1) * characterWidth, rowHeight)
  }
}

function paintOverlays(context: CanvasRenderingContext2D, { overlays }: HexConfig, cells: Cells): void {
  const { start, rows, rowBytes, rowHeight, cellWidth, leftOf } = cells
  const colours = themeColours()
  for (let offset = 0; offset < rows * rowBytes; offset++) {
    const overlay = overlays.at(start + offset)
    if (!overlay || overlay.state === 'written') continue
    context.fillStyle = rgb(colours[overlay.state === 'failed' ? 'bad-soft' : 'accent-soft'])
    const top = Math.floor(offset / rowBytes) * rowHeight
    context.fillRect(leftOf(offset % rowBytes), top, cellWidth, rowHeight)
  }
}
