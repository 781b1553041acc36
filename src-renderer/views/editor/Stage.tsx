import { useCallback, useEffect, useRef, useState, type PointerEvent, type RefObject } from 'react'
import { pixelAspects } from '@shared/c64/picture'
import type { Spot } from '@shared/graphics/edit/shapes'
import { useFrontMachine } from '../../client/machines'
import { frames, useDraw } from '../../frames/frames'
import { useColours } from '../../frames/screenOptions'
import { hasMoved } from '../../widgets/hasMoved'
import { setText } from '../../widgets/setText'
import { themeColours } from '../../widgets/themeColours'
import { editor } from './controller'
import { useEditor } from './editorState'
import { pressEditorKey, tellZoom } from './keys'
import { maxZoom, paintMarks, pixelSize, PixelPainter } from './paintStage'
import { statusText } from './statusText'

const MAX_FIT_ZOOM = 24
/** Around the picture, px. */
const MARGIN = 16

interface StageProps {
  readonly visible: boolean
  readonly expand: { readonly x: boolean; readonly y: boolean }
}

export function Stage({ visible, expand }: StageProps) {
  const space = useRef<HTMLDivElement>(null)
  const pixels = useRef<HTMLCanvasElement>(null)
  const marks = useRef<HTMLCanvasElement>(null)
  const status = useRef<HTMLSpanElement>(null)
  const hover = useRef<Spot | null>(null)
  const point = useRef(1)
  const previews = useRef<(HTMLCanvasElement | null)[]>([])
  const reason = useEditor((state) => state.reason)
  const standard = useFrontMachine()?.standard ?? 'pal'
  const aspect = pixelAspects[standard]
  const [elements] = useState<Elements>({ space, pixels, marks, status, hover, point, previews })
  usePixels(visible, elements, { aspect, expand })

  const spotOf = ({ clientX, clientY }: PointerEvent): Spot => {
    const box = pixels.current?.getBoundingClientRect()
    return {
      x: Math.floor((clientX - (box?.left ?? 0)) / point.current),
      y: Math.floor((clientY - (box?.top ?? 0)) / point.current),
    }
  }
  return (
    <div className="editor-middle">
      <div
        ref={space}
        className="editor-stage"
        role="application"
        tabIndex={0}
        data-panel-focus
        aria-label="Pixels. Arrow keys move the cursor, Space draws, Shift with arrows selects."
        onFocus={() => frames.requestDraw()}
        onBlur={() => frames.requestDraw()}
        onKeyDown={(event) => {
          if (!pressEditorKey(event)) return
          hover.current = null
          event.preventDefault()
        }}
      >
        {reason === null ? null : <p className="editor-reason">{reason}</p>}
        <div
          className="editor-canvases"
          hidden={reason !== null}
          onContextMenu={(event) => event.preventDefault()}
          onPointerDown={(event) => {
            if (event.button !== 0 && event.button !== 2) return
            const spot = spotOf(event)
            if (event.altKey) {
              editor.pick(spot)
              return
            }
            event.currentTarget.setPointerCapture(event.pointerId)
            editor.press(spot, event.button === 2)
          }}
          onPointerMove={(event) => {
            if (!hasMoved(event)) return
            hover.current = spotOf(event)
            if (event.buttons === 0) frames.requestDraw()
            else editor.drag(spotOf(event))
          }}
          onPointerUp={() => editor.release()}
          onPointerCancel={() => editor.release()}
          onPointerLeave={() => {
            hover.current = null
            frames.requestDraw()
          }}
        >
          <canvas ref={pixels} className="editor-pixels" aria-hidden />
          <canvas ref={marks} className="editor-marks" aria-hidden />
        </div>
      </div>
      <div className="editor-status data">
        <span ref={status} hidden={reason !== null} />
      </div>
      <div className="editor-previews" aria-hidden hidden={reason !== null}>
        {[1, 2].map((scale, index) => (
          <canvas
            key={scale}
            data-scale={scale}
            ref={(canvas) => {
              previews.current[index] = canvas
            }}
          />
        ))}
      </div>
    </div>
  )
}

interface Elements {
  readonly space: RefObject<HTMLDivElement | null>
  readonly pixels: RefObject<HTMLCanvasElement | null>
  readonly marks: RefObject<HTMLCanvasElement | null>
  readonly status: RefObject<HTMLSpanElement | null>
  readonly hover: RefObject<Spot | null>
  /** CSS px of a point. */
  readonly point: RefObject<number>
  readonly previews: RefObject<(HTMLCanvasElement | null)[]>
}

interface Room {
  readonly width: number
  readonly height: number
}

interface Look {
  readonly aspect: number
  readonly expand: StageProps['expand']
}

/** Larger previews would hide what is edited. */
const MAX_PREVIEW_WIDTH = 160

function usePixels(visible: boolean, elements: Elements, { aspect, expand }: Look): void {
  const palette = useColours()
  const [painter] = useState(() => new PixelPainter())
  const room = useRoom(elements.space)
  const drawn = useRef('')
  const { x: expandX, y: expandY } = expand

  const draw = useCallback(() => {
    const { space, pixels, marks, status, hover, point, previews } = elements
    const model = editor.refresh()
    const { parts } = editor
    if (!model || !pixels.current || !marks.current || !space.current || !room.current) return
    const { cursor, selection, zoom: chosen } = useEditor.getState()
    const { width, height } = pixelSize(model)
    const fits = Math.min((room.current.width - 2 * MARGIN) / width, (room.current.height - 2 * MARGIN) / height)
    const most = maxZoom(width, height)
    const zoom = Math.min(most, chosen ?? Math.max(1, Math.min(MAX_FIT_ZOOM, Math.floor(fits))))
    point.current = zoom * model.scale
    tellZoom(zoom, most)
    const hasKeyboard = document.activeElement === space.current
    const theme = themeColours()
    const look = [model.key, zoom, width, height, JSON.stringify([cursor, selection]), hasKeyboard, theme.accent].join()
    const isNew = look !== drawn.current
    painter.paint([pixels.current, ...previews.current], model, parts, palette)
    if (isNew) {
      drawn.current = look
      pixels.current.style.width = `${width * zoom}px`
      pixels.current.style.height = `${height * zoom}px`
      paintMarks(marks.current, model, zoom, { cursor, selection, hasKeyboard }, theme)
    }
    previews.current.forEach((canvas, index) => {
      if (!canvas) return
      const scale = index + 1
      canvas.hidden = width * scale > MAX_PREVIEW_WIDTH
      canvas.style.width = `${width * scale * aspect * (expandX ? 2 : 1)}px`
      canvas.style.height = `${height * scale * (expandY ? 2 : 1)}px`
    })
    const spot = hover.current ?? cursor
    if (status.current) setText(status.current, statusText(model, parts, spot, selection, editor.kind))
  }, [elements, palette, painter, room, aspect, expandX, expandY])
  useDraw(visible, draw)
  useEffect(() => useEditor.subscribe(() => frames.requestDraw()), [])
}

/** In CSS px; null until it is known. */
function useRoom(space: RefObject<HTMLDivElement | null>): RefObject<Room | null> {
  const room = useRef<Room>(null)
  useEffect(() => {
    const element = space.current
    if (!element) return undefined
    const observer = new ResizeObserver(([entry]) => {
      if (!entry) return
      room.current = { width: entry.contentRect.width, height: entry.contentRect.height }
      frames.requestDraw()
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [space])
  return room
}
