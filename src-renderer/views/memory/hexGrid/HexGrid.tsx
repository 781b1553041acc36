import { useCallback, useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { KeyboardEvent, MouseEvent, PointerEvent, Ref, RefObject } from 'react'
import type { Space } from '@shared/contract/memory'
import { isByKeyboard } from '../../../client/contextMenu'
import { useDraw } from '../../../frames/frames'
import type { Heat } from '../../../widgets/heat'
import type { Overlays } from './hexConfig'
import { HexPane } from './hexPane'
import type { AddressRange } from '@shared/c64/address'
import { headLine, moveCursor, rowCount, textHead, type RowBytes, type TextColumn } from './rows'
import { extended, selectedRange, type Selection } from './selection'
import { useDrag } from './useDrag'
import { typeKey, type Typing } from './typing'
import './hexGrid.css'

export interface HexGridHandle {
  focus(): void
  reveal(address: number): void
  /** Does not move the cursor; null for none. */
  mark(address: number | null): void
  readonly window: AddressRange
}

interface HexGridProps {
  readonly ref: Ref<HexGridHandle>
  readonly visible: boolean
  readonly label: string
  readonly isPanelFocus: boolean
  readonly space: Space
  readonly range: AddressRange
  readonly heat: () => Heat
  readonly text: TextColumn
  /** Bytes per row; null for as many as fit. */
  readonly columns: RowBytes | null
  readonly cursor: number
  readonly selection: Selection | null
  readonly overlays: Overlays
  readonly describe: (address: number) => string
  readonly onCursor: (address: number) => void
  readonly onSelect: (selection: Selection | null) => void
  readonly onCopy: () => void
  readonly onType: (address: number, value: number) => void
  readonly onPaste: (text: string) => void
  readonly onUndo: () => void
  readonly onRedo: () => void
  readonly onMenu: (event: MouseEvent, address: number, place: { x: number; y: number } | undefined) => void
}

export function HexGrid(props: HexGridProps) {
  const { ref, visible, label, space, range, heat, text, columns, cursor, selection, overlays, describe, onPaste } =
    props
  const [typing, setTyping] = useState<Typing | null>(null)
  const [fitting, setFitting] = useState<RowBytes>(16)
  const rowBytes = columns ?? fitting
  const grid = useRef<HTMLDivElement>(null)
  const layer = useRef<HTMLDivElement>(null)
  const head = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const spacer = useRef<HTMLDivElement>(null)
  const pane = useRef<HexPane | null>(null)

  const selected = useMemo(() => selectedRange(selection, cursor), [selection, cursor])
  useLayoutEffect(() => {
    if (!grid.current || !layer.current || !head.current || !canvas.current || !spacer.current) return
    const config = { space, range, heat, text, columns, cursor, selected, typing, overlays, describe }
    const elements = {
      grid: grid.current,
      layer: layer.current,
      head: head.current,
      canvas: canvas.current,
      spacer: spacer.current,
    }
    if (pane.current) pane.current.configure(config)
    else pane.current = new HexPane(elements, config)
  }, [space, range, heat, text, columns, cursor, selected, typing, overlays, describe])
  useLivePane(grid, pane, visible, setFitting)
  useHandle(ref, grid, pane)

  const move = (to: number, isExtended = false) => {
    setTyping(null)
    props.onSelect(isExtended ? extended(selection, cursor, to) : null)
    props.onCursor(to)
    pane.current?.reveal(to)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!handleKey(event, props, { pane: pane.current, typing, setTyping, move, isSelected: selected !== null })) return
    event.preventDefault()
  }
  const drag = useDrag(pane, (anchor, to) => {
    setTyping(null)
    props.onSelect({ anchor, cursor: to })
    props.onCursor(to)
  })
  const onPointerDown = (event: PointerEvent) => {
    const address = pane.current?.addressAt(event.clientX, event.clientY)
    if (event.button !== 0 || address === null || address === undefined) return
    move(address, event.shiftKey)
    drag.begin(event, event.shiftKey ? extended(selection, cursor, address).anchor : address)
  }
  const onContextMenu = (event: MouseEvent) => {
    const byKeyboard = isByKeyboard(event)
    const address = byKeyboard ? cursor : pane.current?.addressAt(event.clientX, event.clientY)
    if (address === null || address === undefined) return
    const isWithin = selected !== null && address >= selected.start && address < selected.end
    if (byKeyboard) pane.current?.reveal(address)
    else if (!isWithin) move(address)
    props.onMenu(event, address, pane.current?.placeOf(address))
  }
  return (
    <div
      ref={grid}
      className="hex-grid data"
      role="grid"
      tabIndex={0}
      data-panel-focus={props.isPanelFocus ? true : undefined}
      aria-label={label}
      aria-rowcount={rowCount(range, rowBytes) + 1}
      aria-colcount={3}
      onKeyDown={onKeyDown}
      aria-multiselectable
      onPointerDown={onPointerDown}
      onPointerMove={drag.move}
      onLostPointerCapture={drag.end}
      onContextMenu={onContextMenu}
      onPaste={(event) => {
        event.preventDefault()
        onPaste(event.clipboardData.getData('text'))
      }}
      onBlur={() => setTyping(null)}
      onScroll={() => pane.current?.scrolled()}
    >
      <div ref={layer} className="hex-layer">
        <Head ref={head} rowBytes={rowBytes} />
        <canvas ref={canvas} className="hex-tints" aria-hidden="true" />
      </div>
      <div ref={spacer} role="presentation" />
    </div>
  )
}

const Head = ({ ref, rowBytes }: { readonly ref: Ref<HTMLDivElement>; readonly rowBytes: RowBytes }) => (
  <div ref={ref} className="hex-head" role="row" aria-rowindex={1}>
    <span className="hex-address" role="columnheader">
      addr
    </span>
    <span className="hex-bytes" role="columnheader" aria-label="Bytes">
      {headLine(rowBytes)}
    </span>
    <span className="hex-text" role="columnheader" aria-label="Text">
      {textHead(rowBytes)}
    </span>
  </div>
)

type PaneRef = RefObject<HexPane | null>

function useLivePane(
  grid: RefObject<HTMLDivElement | null>,
  pane: PaneRef,
  visible: boolean,
  onRowBytes: (rowBytes: RowBytes) => void,
): void {
  useEffect(() => {
    if (!grid.current) return undefined
    const observer = new ResizeObserver(() => {
      pane.current?.layout()
      if (pane.current) onRowBytes(pane.current.rowBytes)
    })
    observer.observe(grid.current)
    return () => observer.disconnect()
  }, [grid, pane, onRowBytes])
  useDraw(
    visible,
    useCallback(() => pane.current?.draw(), [pane]),
  )
}

function useHandle(ref: Ref<HexGridHandle>, grid: RefObject<HTMLDivElement | null>, pane: PaneRef): void {
  useImperativeHandle(
    ref,
    () => ({
      focus: () => grid.current?.focus(),
      reveal: (address) => pane.current?.reveal(address),
      mark: (address) => pane.current?.mark(address),
      get window() {
        return pane.current?.window ?? { start: 0, end: 0 }
      },
    }),
    [grid, pane],
  )
}

interface GridState {
  readonly pane: HexPane | null
  readonly typing: Typing | null
  readonly isSelected: boolean
  readonly setTyping: (typing: Typing | null) => void
  readonly move: (to: number, isExtended?: boolean) => void
}

function handleKey(event: KeyboardEvent, props: HexGridProps, state: GridState): boolean {
  const { cursor, range, onType, onCursor, onSelect, onUndo, onRedo } = props
  const { pane, typing, isSelected, setTyping, move } = state
  const ctrl = event.ctrlKey || event.metaKey
  const key = event.key.toLowerCase()
  if (event.altKey) return false
  if (ctrl && (key === 'z' || key === 'y')) {
    if (key === 'y' || event.shiftKey) onRedo()
    else onUndo()
    return true
  }
  if (ctrl && key === 'c') {
    props.onCopy()
    return true
  }
  if (ctrl && key === 'a') {
    setTyping(null)
    onSelect({ anchor: range.start, cursor: range.end - 1 })
    onCursor(range.end - 1)
    return true
  }
  if (event.key === 'Escape' && typing === null && isSelected) {
    onSelect(null)
    return true
  }
  const to = moveCursor(cursor, event.key, ctrl, pane?.visibleRows ?? 1, range, pane?.rowBytes ?? 16)
  if (to !== undefined) {
    move(to, event.shiftKey)
    return true
  }
  const result = ctrl ? null : typeKey(typing, cursor, event.key)
  if (!result) return false
  setTyping(result.typing)
  if (result.typed) {
    onType(result.typed.address, result.typed.value)
    const next = Math.min(range.end - 1, cursor + 1)
    onSelect(null)
    onCursor(next)
    pane?.reveal(next)
  }
  return true
}
