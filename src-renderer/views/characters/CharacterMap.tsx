import {
  useImperativeHandle,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type Ref,
  type UIEvent,
} from 'react'
import { frames } from '../../frames/frames'
import { hasMoved } from '../../widgets/hasMoved'
import { performCharacterKey, type CharacterActionsOf } from './CharacterActions'
import type { CharactersPaneHandle } from './CharacterGrid'
import { type MapPainter, type MapSize } from './mapPainter'

interface CharacterMapProps {
  readonly ref: Ref<CharactersPaneHandle>
  readonly painter: MapPainter
  readonly size: MapSize
  readonly cursor: Tile
  readonly actions: CharacterActionsOf
  readonly onCursor: (tile: Tile) => void
  readonly onHover: (tile: Tile | null) => void
}

export interface Tile {
  readonly column: number
  readonly row: number
}

const ZOOM = 2
const CELL_PX = 8 * ZOOM

const steps: Readonly<Partial<Record<string, readonly [number, number]>>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  PageUp: [0, -8],
  PageDown: [0, 8],
}

export function CharacterMap({ ref, painter, size, cursor, actions, onCursor, onHover }: CharacterMapProps) {
  const space = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [corner, setCorner] = useState({ column: 0, row: 0 })
  const [width, height] = [size.columns * size.width, size.rows * size.height]
  useImperativeHandle(
    ref,
    () => ({
      paint: (shown, palette) => {
        const { clientWidth = 0, clientHeight = 0 } = space.current ?? {}
        const seen = (px: number, first: number, whole: number) =>
          Math.max(1, Math.min(Math.ceil(px / CELL_PX) + 1, whole - first))
        const [columns, rows] = [seen(clientWidth, corner.column, width), seen(clientHeight, corner.row, height)]
        painter.draw(canvas.current, shown, palette, { ...corner, columns, rows })
        if (canvas.current) {
          canvas.current.style.width = `${columns * CELL_PX}px`
          canvas.current.style.height = `${rows * CELL_PX}px`
        }
      },
    }),
    [painter, corner, width, height],
  )
  const onScroll = ({ currentTarget }: UIEvent<HTMLDivElement>) => {
    const first = (px: number, whole: number) => Math.max(0, Math.min(Math.floor(px / CELL_PX), whole - 1))
    const to = { column: first(currentTarget.scrollLeft, width), row: first(currentTarget.scrollTop, height) }
    if (to.column !== corner.column || to.row !== corner.row) setCorner(to)
    frames.requestDraw()
  }
  const [tileWidth, tileHeight] = [size.width * CELL_PX, size.height * CELL_PX]
  const tileAt = ({ currentTarget, clientX, clientY }: MouseEvent): Tile => {
    const box = currentTarget.getBoundingClientRect()
    return {
      column: Math.max(0, Math.min(size.columns - 1, Math.floor((clientX - box.left) / tileWidth))),
      row: Math.max(0, Math.min(size.rows - 1, Math.floor((clientY - box.top) / tileHeight))),
    }
  }
  const reveal = ({ column, row }: Tile) => {
    const element = space.current
    if (!element) return
    const into = (from: number, length: number, seen: number, at: number) =>
      at < from ? at : Math.max(from, at + length - seen)
    element.scrollLeft = into(element.scrollLeft, tileWidth, element.clientWidth, column * tileWidth)
    element.scrollTop = into(element.scrollTop, tileHeight, element.clientHeight, row * tileHeight)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const step = steps[event.key]
    if (step) {
      const to = {
        column: Math.max(0, Math.min(size.columns - 1, cursor.column + step[0])),
        row: Math.max(0, Math.min(size.rows - 1, cursor.row + step[1])),
      }
      onHover(null)
      onCursor(to)
      reveal(to)
    } else if (!performCharacterKey(event.key, actions)) return
    event.preventDefault()
  }
  return (
    <div
      ref={space}
      className="map-space"
      role="application"
      aria-roledescription="map"
      aria-label={`Map of ${size.columns} by ${size.rows} tiles. Arrow keys choose a tile, Enter opens its characters in the editor.`}
      tabIndex={0}
      data-panel-focus
      onScroll={onScroll}
      onKeyDown={onKeyDown}
    >
      <div
        className="map-whole"
        style={{ width: width * CELL_PX, height: height * CELL_PX }}
        onMouseMove={(event) => {
          if (hasMoved(event)) onHover(tileAt(event))
        }}
        onMouseLeave={() => onHover(null)}
        onMouseDown={(event) => onCursor(tileAt(event))}
        onDoubleClick={actions.onEdit}
      >
        <canvas ref={canvas} style={{ left: corner.column * CELL_PX, top: corner.row * CELL_PX }} aria-hidden />
        <div
          className="character-selection"
          style={{
            left: cursor.column * tileWidth,
            top: cursor.row * tileHeight,
            width: tileWidth,
            height: tileHeight,
          }}
        />
      </div>
    </div>
  )
}
