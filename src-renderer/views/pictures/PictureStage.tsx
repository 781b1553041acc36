import { useImperativeHandle, useRef, useState, type KeyboardEvent, type MouseEvent, type Ref } from 'react'
import { SCREEN_COLUMNS, SCREEN_ROWS } from '@shared/graphics/artwork'
import { useChosen } from '../../client/chosen'
import { openContextMenu } from '../../client/contextMenu'
import { NoFrameYet } from '../../frames/NoFrameYet'
import { frames } from '../../frames/frames'
import { usePixelAspect } from '../../frames/screenOptions'
import { EmptyState } from '../../widgets/EmptyState'
import { hasMoved } from '../../widgets/hasMoved'
import { useChosenZoom } from '../../widgets/useWholeZoom'

export interface Cell {
  readonly column: number
  readonly row: number
}

export interface PictureStageHandle {
  canvas(): HTMLCanvasElement | null
  cell(): Cell
  showText(text: string | null): void
}

interface StageActions {
  readonly onEdit: () => void
  readonly onKeep: () => void
  readonly onMemory: () => void
  readonly onCopy: () => void
}

interface PictureStageProps {
  readonly ref: Ref<PictureStageHandle>
  readonly kind: 'waiting' | 'invalid' | 'screen' | 'bitmap'
  readonly grid: boolean
  readonly actions: StageActions
}

const WIDTH = SCREEN_COLUMNS * 8
const HEIGHT = SCREEN_ROWS * 8
const NO_TEXT = 'A bitmap has no text.'

const steps: Readonly<Partial<Record<string, readonly [number, number]>>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

export function PictureStage({ ref, kind, grid, actions }: PictureStageProps) {
  const space = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const text = useRef<HTMLTextAreaElement>(null)
  const [part] = useChosen('pictures.part')
  const [size] = useChosen('pictures.zoom')
  const aspect = usePixelAspect()
  const zoom = useChosenZoom(size, space, WIDTH * aspect, HEIGHT)
  const [cursor, setCursor] = useState<Cell>({ column: 0, row: 0 })
  const [hovered, setHovered] = useState<Cell | null>(null)
  const cell = hovered ?? cursor
  useImperativeHandle(
    ref,
    () => ({
      canvas: () => canvas.current,
      cell: () => cell,
      showText: (now) => {
        const shown = now ?? NO_TEXT
        if (text.current && text.current.value !== shown) text.current.value = shown
      },
    }),
    [cell],
  )
  const cellAt = (event: MouseEvent<HTMLElement>): Cell => {
    const box = event.currentTarget.getBoundingClientRect()
    const at = (point: number, from: number, length: number, count: number) =>
      Math.min(count - 1, Math.max(0, Math.floor(((point - from) / length) * count)))
    return {
      column: at(event.clientX, box.left, box.width, SCREEN_COLUMNS),
      row: at(event.clientY, box.top, box.height, SCREEN_ROWS),
    }
  }
  const hover = (to: Cell | null) => {
    if (to?.column === hovered?.column && to?.row === hovered?.row) return
    setHovered(to)
    frames.requestDraw()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const step = steps[event.key]
    if (step) {
      hover(null)
      setCursor({
        column: Math.min(SCREEN_COLUMNS - 1, Math.max(0, cursor.column + step[0])),
        row: Math.min(SCREEN_ROWS - 1, Math.max(0, cursor.row + step[1])),
      })
      frames.requestDraw()
    } else if (!performKey(event.key, actions)) return
    event.preventDefault()
  }
  const onContextMenu = (event: MouseEvent) =>
    openContextMenu(event, 'Picture', [
      { label: 'Open in editor', shortcut: 'Enter', run: actions.onEdit },
      { label: 'Keep in sheet', shortcut: 'K', run: actions.onKeep },
      { label: 'Show in memory', shortcut: 'M', run: actions.onMemory },
      { label: 'Copy text', shortcut: 'T', run: actions.onCopy, why: kind === 'bitmap' ? NO_TEXT : null },
    ])
  const isShown = kind === 'screen' || kind === 'bitmap'
  return (
    <div ref={space} className="picture-stage">
      {isShown ? null : <NoPicture kind={kind} />}
      {part === 'text' ? (
        <textarea
          ref={text}
          className="picture-text data"
          aria-label="Text of the screen"
          readOnly
          hidden={!isShown}
          data-panel-focus
        />
      ) : (
        <div
          className={grid ? 'picture-frame grid' : 'picture-frame'}
          role="application"
          aria-roledescription="picture"
          aria-label="Picture of 40 by 25 cells. Arrow keys choose a cell, Enter opens the editor."
          tabIndex={0}
          data-panel-focus
          hidden={!isShown}
          style={{ width: WIDTH * aspect * zoom, height: HEIGHT * zoom }}
          onMouseMove={(event) => {
            if (hasMoved(event)) hover(cellAt(event))
          }}
          onMouseLeave={() => hover(null)}
          onMouseDown={(event) => setCursor(cellAt(event))}
          onDoubleClick={actions.onEdit}
          onKeyDown={onKeyDown}
          onContextMenu={onContextMenu}
        >
          <canvas ref={canvas} width={WIDTH} height={HEIGHT} aria-hidden />
          <div className="picture-cell" style={{ left: `${cell.column * 2.5}%`, top: `${cell.row * 4}%` }} />
        </div>
      )}
    </div>
  )
}

function performKey(key: string, { onEdit, onKeep, onMemory, onCopy }: StageActions): boolean {
  const perform = { enter: onEdit, k: onKeep, m: onMemory, t: onCopy }[key.toLowerCase()]
  perform?.()
  return perform !== undefined
}

function NoPicture({ kind }: { readonly kind: 'waiting' | 'invalid' }) {
  if (kind === 'invalid')
    return (
      <EmptyState title="No picture in this mode">
        <p>The VIC-II is in an invalid mode and shows black. Choose another mode to see memory in it.</p>
      </EmptyState>
    )
  return (
    <EmptyState title="No picture yet">
      <NoFrameYet recorded="The recording lacks the memory that pictures are drawn from." />
    </EmptyState>
  )
}
