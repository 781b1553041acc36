import { useCallback, useEffect, useId, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import type { KeyboardEvent, MouseEvent, PointerEvent, ReactNode, Ref } from 'react'
import { imageDataWord } from '../heat'
import { onThemeChange, themeColours } from '../themeColours'
import { CELL_MARGIN, cellAt, frameCell, layoutOf, type CellSize, type GridLayout } from './gridLayout'
import { extendTo, keyTarget, selectAll, selectOnly, toggleAt, type GridSelection } from './gridSelection'
import './pixelGrid.css'

export interface CellTarget {
  readonly words: Uint32Array
  readonly width: number
  readonly at: number
  readonly isThere: boolean
}

export interface PixelGridHandle {
  readonly paint: (hasChanged: (cell: number) => boolean) => void
  readonly focus: () => void
}

interface PixelGridProps {
  readonly ref?: Ref<PixelGridHandle>
  readonly label: string
  readonly count: number
  readonly cell: CellSize
  /** CSS px per pixel. */
  readonly zoom: number
  readonly selection: GridSelection
  readonly onSelection: (selection: GridSelection) => void
  /** Draws all of a cell but its margins. Must be a stable function: another one draws all cells again. */
  readonly paintCell: (cell: number, target: CellTarget) => void
  /** 0xRRGGBB of the frame around a cell; null for none. Must be stable, like `paintCell`. */
  readonly markOf: (cell: number) => number | null
  readonly rowLabel?: (cell: number) => string
  readonly cursorText: string
  readonly onOpen: () => void
  /** Keys that the grid itself does not take. @returns whether it was taken */
  readonly onKey?: (event: KeyboardEvent) => boolean
  readonly onMenu?: (event: MouseEvent, place: { readonly x: number; readonly y: number }) => void
  readonly children?: ReactNode
}

const LABEL_WIDTH = 56

interface Room {
  readonly width: number
  readonly height: number
}

export function PixelGrid(props: PixelGridProps) {
  const { ref, label, count, cell, zoom, selection, onSelection, cursorText, rowLabel, children } = props
  const scroller = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [room, setRoom] = useState<Room>({ width: 0, height: 0 })
  const [top, setTop] = useState(0)
  const optionId = useId()
  const labelWidth = rowLabel ? LABEL_WIDTH : 0
  const layout = layoutOf(cell, (room.width - labelWidth) / zoom, count)
  const firstRow = Math.floor(top / (layout.pitchY * zoom))
  const seenRows = Math.min(Math.ceil(room.height / (layout.pitchY * zoom)) + 1, layout.rows - firstRow)
  const paint = usePainter(canvas, props, { layout, firstRow, seenRows })

  useImperativeHandle(ref, () => ({ paint, focus: () => scroller.current?.focus() }), [paint])
  useRoom(scroller, setRoom)
  useCursorInSight(scroller, selection.cursor, layout, zoom)

  const placeOf = (at: number) => ({
    x: labelWidth + (at % layout.columns) * layout.pitchX * zoom,
    y: Math.floor(at / layout.columns) * layout.pitchY * zoom,
  })
  const under = (event: MouseEvent): number | null => {
    const box = scroller.current?.getBoundingClientRect()
    if (!box) return null
    const x = event.clientX - box.left - labelWidth
    const y = event.clientY - box.top + (scroller.current?.scrollTop ?? 0)
    return cellAt(layout, x / zoom, y / zoom, count)
  }
  const { onKeyDown, onPointerDown } = gridEvents(props, layout, room, under)

  return (
    <div
      ref={scroller}
      className="pixel-grid"
      role="listbox"
      aria-multiselectable
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={count > 0 ? optionId : undefined}
      onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={(event) => {
        if (event.buttons !== 1) return
        const at = under(event)
        if (at !== null && at !== selection.cursor) onSelection(extendTo(selection, at))
      }}
      onDoubleClick={(event) => {
        if (under(event) !== null) props.onOpen()
      }}
      onContextMenu={(event) => {
        const box = scroller.current?.getBoundingClientRect()
        const { x, y } = placeOf(selection.cursor)
        props.onMenu?.(event, { x: (box?.left ?? 0) + x, y: (box?.top ?? 0) + y - top + layout.pitchY * zoom })
      }}
    >
      <div className="pixel-grid-window" aria-hidden>
        <canvas
          ref={canvas}
          style={{ left: labelWidth, transform: `translateY(${firstRow * layout.pitchY * zoom - top}px)` }}
        />
      </div>
      <div className="pixel-grid-rows" style={{ height: layout.rows * layout.pitchY * zoom }}>
        {count === 0 ? null : (
          <div id={optionId} role="option" aria-selected className="pixel-grid-cursor">
            {cursorText}
          </div>
        )}
        {rowLabel === undefined
          ? null
          : Array.from({ length: Math.max(0, seenRows) }, (_, n) => firstRow + n).map((row) => (
              <span
                key={row}
                aria-hidden
                className="pixel-grid-label"
                style={{ top: (row * layout.pitchY + CELL_MARGIN) * zoom }}
              >
                {rowLabel(row * layout.columns)}
              </span>
            ))}
      </div>
      {children}
    </div>
  )
}

function useRoom(element: React.RefObject<HTMLElement | null>, onRoom: (room: Room) => void): void {
  useLayoutEffect(() => {
    const watched = element.current
    if (!watched) return undefined
    const observer = new ResizeObserver(() => onRoom({ width: watched.clientWidth, height: watched.clientHeight }))
    observer.observe(watched)
    return () => observer.disconnect()
  }, [element, onRoom])
}

function useCursorInSight(
  scroller: React.RefObject<HTMLElement | null>,
  cursor: number,
  { columns, pitchY }: GridLayout,
  zoom: number,
): void {
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const start = Math.floor(cursor / columns) * pitchY * zoom
    const end = start + pitchY * zoom
    if (start < element.scrollTop) element.scrollTop = start
    else if (end > element.scrollTop + element.clientHeight) element.scrollTop = end - element.clientHeight
  }, [scroller, cursor, columns, pitchY, zoom])
}

function gridEvents(
  { count, zoom, selection, onSelection, onOpen, onKey }: PixelGridProps,
  { columns, pitchY }: GridLayout,
  room: Room,
  under: (event: MouseEvent) => number | null,
) {
  const pageRows = Math.floor(room.height / (pitchY * zoom))
  const onKeyDown = (event: KeyboardEvent) => {
    const isCtrl = event.ctrlKey || event.metaKey
    if (event.altKey) return
    const target = keyTarget(event.key, isCtrl, selection.cursor, { columns, count, pageRows })
    if (target !== undefined) onSelection(event.shiftKey ? extendTo(selection, target) : selectOnly(target))
    else if (event.key === 'Enter') onOpen()
    else if (event.key === ' ') onSelection(toggleAt(selection, selection.cursor))
    else if (event.key === 'a' && isCtrl) onSelection(selectAll(selection, count))
    else if (onKey?.(event) !== true) return
    event.preventDefault()
  }
  const onPointerDown = (event: PointerEvent) => {
    const at = under(event)
    if (at === null || (event.button !== 0 && selection.picked.has(at))) return
    if (event.shiftKey) onSelection(extendTo(selection, at))
    else onSelection(event.ctrlKey || event.metaKey ? toggleAt(selection, at) : selectOnly(at))
  }
  return { onKeyDown, onPointerDown }
}

interface Seen {
  readonly layout: GridLayout
  readonly firstRow: number
  readonly seenRows: number
}

function usePainter(
  canvas: React.RefObject<HTMLCanvasElement | null>,
  { count, cell, zoom, selection, paintCell, markOf }: PixelGridProps,
  { layout, firstRow, seenRows }: Seen,
): PixelGridHandle['paint'] {
  const drawn = useRef<Drawn | null>(null)
  const { columns, pitchX, pitchY } = layout
  const width = columns * pitchX
  const height = Math.max(1, seenRows * pitchY)
  const { picked, cursor } = selection

  const paint = useCallback(
    (hasChanged: (cell: number) => boolean) => {
      const context = contextOf(canvas.current)
      if (!context || !drawn.current) return
      const { image, words, frames } = drawn.current
      if (image.width !== width || image.height !== height) return
      const theme = themeColours()
      const [ground, text] = [imageDataWord(theme.bg), imageDataWord(theme.text)]
      const first = firstRow * columns
      let [top, bottom] = [height, 0]
      for (let at = first; at < Math.min(count, first + seenRows * columns); at++) {
        if (!hasChanged(at)) continue
        const y = (Math.floor(at / columns) - firstRow) * pitchY
        const place = (y + CELL_MARGIN) * width + (at % columns) * pitchX + CELL_MARGIN
        const mark = markOf(at)
        const outer = picked.has(at) ? text : ground
        const inner = mark !== null ? imageDataWord(mark) : at === cursor ? text : ground
        const frame = (at - first) * 2
        const isThere = frames[frame] !== 0
        if (frames[frame] !== outer || frames[frame + 1] !== inner) {
          frameCell(words, width, place, cell, 2, outer)
          frameCell(words, width, place, cell, 1, inner)
          frames.set([outer, inner], frame)
        }
        paintCell(at, { words, width, at: place, isThere })
        top = Math.min(top, y)
        bottom = Math.max(bottom, y + pitchY)
      }
      if (bottom > top) context.putImageData(image, 0, 0, 0, top, width, bottom - top)
    },
    [
      canvas,
      count,
      cell,
      width,
      height,
      columns,
      pitchX,
      pitchY,
      firstRow,
      seenRows,
      picked,
      cursor,
      paintCell,
      markOf,
    ],
  )

  useLayoutEffect(() => {
    const element = canvas.current
    if (!element) return undefined
    const paintAll = () => {
      if (drawn.current?.image.width !== width || drawn.current.image.height !== height) {
        element.width = width
        element.height = height
        const image = new ImageData(width, height)
        const frames = new Uint32Array(columns * seenRows * 2)
        drawn.current = { image, words: new Uint32Array(image.data.buffer), frames }
      }
      element.style.width = `${width * zoom}px`
      element.style.height = `${height * zoom}px`
      drawn.current.words.fill(imageDataWord(themeColours().bg))
      drawn.current.frames.fill(0)
      contextOf(element)?.putImageData(drawn.current.image, 0, 0)
      paint(() => true)
    }
    paintAll()
    return onThemeChange(paintAll)
  }, [canvas, width, height, columns, seenRows, zoom, paint])
  return paint
}

interface Drawn {
  readonly image: ImageData
  readonly words: Uint32Array
  readonly frames: Uint32Array
}

const contextOf = (canvas: HTMLCanvasElement | null) => canvas?.getContext('2d', { alpha: false }) ?? null
