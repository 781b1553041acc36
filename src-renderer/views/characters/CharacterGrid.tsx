import {
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type Ref,
} from 'react'
import { eachCharacterLine, type CharactersShown } from '@shared/graphics/charactersShown'
import { openContextMenu } from '../../client/contextMenu'
import { frames } from '../../frames/frames'
import { LineCanvas } from '../../frames/lineCanvas'
import { usePixelAspect } from '../../frames/screenOptions'
import { hasMoved } from '../../widgets/hasMoved'
import { useWholeZoom } from '../../widgets/useWholeZoom'
import { performCharacterKey, type CharacterActionsOf } from './CharacterActions'
import { areaOf, movedBy, SIDE, type CharacterSelection } from './selection'

export interface CharactersPaneHandle {
  paint(shown: CharactersShown, palette: readonly number[]): void
}

interface CharacterGridProps {
  readonly ref: Ref<CharactersPaneHandle>
  readonly selection: CharacterSelection
  readonly hovered: number | null
  readonly dims: boolean
  readonly actions: CharacterActionsOf
  readonly onSelect: (selection: CharacterSelection) => void
  readonly onHover: (code: number | null) => void
  readonly onStep: (steps: number) => void
}

const PIXELS = SIDE * 8

export function CharacterGrid(props: CharacterGridProps) {
  const { ref, selection, hovered, dims, actions, onSelect, onHover, onStep } = props
  const space = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const dimmed = useRef<HTMLCanvasElement>(null)
  const [lines] = useState(() => new LineCanvas(SIDE, SIDE))
  const aspect = usePixelAspect()
  const zoom = useWholeZoom(space, PIXELS * aspect, PIXELS)
  useImperativeHandle(
    ref,
    () => ({
      paint: (shown, palette) => {
        lines.draw(canvas.current, palette, (take) => eachCharacterLine(shown.set, take))
        dim(dimmed.current, dims ? shown : null)
      },
    }),
    [lines, dims],
  )
  useEffect(() => frames.requestDraw(), [dims])

  const codeAt = (event: MouseEvent<HTMLElement>): number => {
    const box = event.currentTarget.getBoundingClientRect()
    const at = (distance: number, length: number) =>
      Math.min(SIDE - 1, Math.max(0, Math.floor((distance / length) * SIDE)))
    return at(event.clientY - box.top, box.height) * SIDE + at(event.clientX - box.left, box.width)
  }
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    const focus = codeAt(event)
    onSelect({ anchor: event.shiftKey ? selection.anchor : focus, focus })
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (!hasMoved(event)) return
    const code = codeAt(event)
    if (code !== hovered) onHover(code)
    if ((event.buttons & 1) === 1 && code !== selection.focus) onSelect({ anchor: selection.anchor, focus: code })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isAll = (event.ctrlKey || event.metaKey) && event.key === 'a'
    if (!isAll && (event.ctrlKey || event.metaKey || event.altKey)) return
    const moved = isAll ? { anchor: 0, focus: 0xff } : movedBy(event.key, event.shiftKey, selection)
    if (moved) {
      onHover(null)
      onSelect(moved)
    } else if (event.key === 'PageDown') onStep(1)
    else if (event.key === 'PageUp') onStep(-1)
    else if (!performCharacterKey(event.key, actions)) return
    event.preventDefault()
  }
  const onContextMenu = (event: MouseEvent) =>
    openContextMenu(event, 'Characters', [
      { label: 'Open in editor', shortcut: 'Enter', run: actions.onEdit },
      { label: 'Keep in sheet', shortcut: 'K', run: actions.onKeep },
      { label: 'Show in memory', shortcut: 'M', run: actions.onMemory },
    ])
  return (
    <div ref={space} className="character-space">
      <div
        className="character-grid"
        role="application"
        aria-roledescription="character set"
        aria-label="256 characters. Arrow keys choose one, with Shift several; Enter opens the editor, Page Up and Down change the set."
        tabIndex={0}
        data-panel-focus
        style={{ width: PIXELS * aspect * zoom, height: PIXELS * zoom }}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerLeave={() => onHover(null)}
        onDoubleClick={actions.onEdit}
        onKeyDown={onKeyDown}
        onContextMenu={onContextMenu}
      >
        <canvas ref={canvas} width={PIXELS} height={PIXELS} aria-hidden />
        <canvas ref={dimmed} className="character-dim" width={SIDE} height={SIDE} aria-hidden />
        <Mark className="character-selection" selection={selection} />
        {hovered === null ? null : <Mark className="character-hover" selection={{ anchor: hovered, focus: hovered }} />}
      </div>
    </div>
  )
}

function Mark({ className, selection }: { readonly className: string; readonly selection: CharacterSelection }) {
  const { left, top, columns, rows } = areaOf(selection)
  const share = (cells: number) => `${(cells / SIDE) * 100}%`
  return (
    <div
      className={className}
      style={{ left: share(left), top: share(top), width: share(columns), height: share(rows) }}
    />
  )
}

let dimWords: { readonly image: ImageData; readonly words: Uint32Array } | undefined

/** A pixel for each character, opaque over those that the screen does not use. */
function dim(canvas: HTMLCanvasElement | null, shown: CharactersShown | null): void {
  const context = canvas?.getContext('2d')
  if (!context) return
  if (!dimWords) {
    const image = new ImageData(SIDE, SIDE)
    dimWords = { image, words: new Uint32Array(image.data.buffer) }
  }
  const { image, words } = dimWords
  const use = shown?.use ?? null
  for (let code = 0; code < 256; code++) words[code] = use && use.cells[code] === 0 ? 0xff000000 : 0
  context.putImageData(image, 0, 0)
}
