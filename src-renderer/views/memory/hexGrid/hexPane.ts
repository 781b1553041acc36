import { formatAddress, type AddressRange } from '@shared/c64/address'
import { frames } from '../../../frames/frames'
import { heatAt } from '../../../widgets/heat'
import { setText } from '../../../widgets/setText'
import type { HexConfig } from './hexConfig'
import { paintTints } from './paintTints'
import {
  byteAtColumn,
  byteColumn,
  bytesWidth,
  firstRowFor,
  hexByte,
  hexLine,
  rowCount,
  rowOf,
  textLine,
  unknownLine,
  type RowBytes,
} from './rows'

export interface HexElements {
  readonly grid: HTMLElement
  readonly layer: HTMLElement
  readonly canvas: HTMLCanvasElement
  readonly spacer: HTMLElement
  readonly head: HTMLElement
}

/** In characters: a row is address, bytes and text, with two blanks between. */
const BYTES_LEFT = 6
const textLeft = (rowBytes: RowBytes): number => BYTES_LEFT + bytesWidth(rowBytes) + 2
const rowWidth = (rowBytes: RowBytes): number => textLeft(rowBytes) + rowBytes

const ROW_HEIGHT_PX = 18
const PADDING_PX = 8

let made = 0

interface Row {
  /** From 0 at the uppermost visible row. */
  readonly index: number
  readonly element: HTMLElement
  readonly address: Text
  readonly bytes: Text
  readonly text: Text
}

/**
 * Scrolling moves by whole rows: the row elements stay where they are and change their text, so that the tints on the
 * canvas under them never lag behind. Three text nodes a row, written only when their page changed.
 */
export class HexPane {
  #mark: number | null = null
  readonly #elements: HexElements
  readonly #cursor: HTMLElement
  readonly #marker: HTMLElement
  #config: HexConfig
  #rows: Row[] = []
  /** The first row by the scroll position; asking the element within a draw would force a layout. */
  #scrolledRow = 0
  #firstRow = -1
  #wasKnown = false
  #wasFading = false
  #characterWidth = 7
  #rowBytes: RowBytes = 16
  #stale = true

  constructor(elements: HexElements, config: HexConfig) {
    this.#elements = elements
    this.#config = config
    this.#cursor = document.createElement('span')
    this.#cursor.id = `hex-cursor-${made++}`
    this.#cursor.className = 'hex-cursor'
    this.#cursor.setAttribute('role', 'gridcell')
    this.#marker = document.createElement('span')
    this.#marker.className = 'hex-mark'
    // Hidden from screen readers, as it repeats a byte that is there anyway.
    this.#marker.setAttribute('aria-hidden', 'true')
    this.layout()
  }

  configure(config: HexConfig): void {
    const moved = config.cursor !== this.#config.cursor
    const { range, columns } = this.#config
    const resized = config.range.start !== range.start || config.range.end !== range.end || config.columns !== columns
    this.#config = config
    if (resized) this.layout()
    if (moved) this.#cursor.setAttribute('aria-label', config.describe(config.cursor))
    this.#stale = true
    frames.requestDraw()
  }

  mark(address: number | null): void {
    if (address === this.#mark) return
    this.#mark = address
    this.#stale = true
    frames.requestDraw()
  }

  get visibleRows(): number {
    return this.#rows.length
  }

  get rowBytes(): RowBytes {
    return this.#rowBytes
  }

  layout(): void {
    const { grid, layer, canvas, spacer, head } = this.#elements
    const { cursor, range, columns } = this.#config
    const { start, end } = this.window
    const cursorWasSeen = this.#rows.length <= 1 || (cursor >= start && cursor < end)
    this.#characterWidth = measure(layer)
    const widthOf = (bytes: RowBytes) => rowWidth(bytes) * this.#characterWidth + 2 * PADDING_PX
    const rowBytes = columns ?? (grid.clientWidth >= widthOf(32) ? 32 : 16)
    const total = rowCount(range, rowBytes)
    const room = grid.clientHeight - head.offsetHeight
    const visible = Math.min(total, Math.max(1, Math.floor(room / ROW_HEIGHT_PX)))
    const kept = rowBytes === this.#rowBytes ? Math.min(this.#rows.length, visible) : 0
    this.#rowBytes = rowBytes
    while (this.#rows.length > visible) this.#rows.pop()?.element.remove()
    while (this.#rows.length < visible) this.#rows.push(this.#createRow(this.#rows.length))
    spacer.style.height = `${(total - visible) * ROW_HEIGHT_PX}px`
    layer.style.minWidth = `${widthOf(columns ?? 16)}px`
    grid.scrollTop = rowOf(range, start, rowBytes) * ROW_HEIGHT_PX
    const scale = window.devicePixelRatio
    canvas.style.top = `${head.offsetHeight}px`
    canvas.style.height = `${visible * ROW_HEIGHT_PX}px`
    canvas.width = Math.round(layer.clientWidth * scale)
    canvas.height = Math.round(visible * ROW_HEIGHT_PX * scale)
    this.scrolled()
    if (cursorWasSeen) this.reveal(cursor)
    // The pane is laid out after the frame's draw: without this, new rows would stay empty until the next one.
    for (const row of this.#rows.slice(kept)) this.#write(row)
    this.#stale = true
    frames.requestDraw()
  }

  reveal(address: number): void {
    const { range } = this.#config
    const first = firstRowFor(
      rowOf(range, address, this.#rowBytes),
      this.#scrolledRow,
      this.visibleRows,
      rowCount(range, this.#rowBytes),
    )
    if (first === this.#scrolledRow) return
    this.#scrolledRow = first
    this.#elements.grid.scrollTop = first * ROW_HEIGHT_PX
    frames.requestDraw()
  }

  scrolled(): void {
    this.#scrolledRow = Math.min(
      rowCount(this.#config.range, this.#rowBytes) - this.visibleRows,
      Math.round(this.#elements.grid.scrollTop / ROW_HEIGHT_PX),
    )
    frames.requestDraw()
  }

  /** The end is exclusive. */
  get window(): AddressRange {
    const start = this.#config.range.start + this.#scrolledRow * this.#rowBytes
    return { start, end: start + this.visibleRows * this.#rowBytes }
  }

  /** Null outside of the columns of bytes and text. */
  addressAt(clientX: number, clientY: number): number | null {
    const { row, column, index } = this.#cellAt(clientX, clientY)
    const { grid } = this.#elements
    // The scroll bar may cover bytes.
    if (clientX >= grid.getBoundingClientRect().left + grid.clientLeft + grid.clientWidth) return null
    if (row < 0 || row >= this.visibleRows) return null
    if (column < BYTES_LEFT - 1 || index < 0 || index >= this.#rowBytes) return null
    return this.window.start + row * this.#rowBytes + index
  }

  /** The byte nearest to the pointer; beyond the upper or lower edge, rows scroll by one with each call. */
  dragTo(clientX: number, clientY: number): number {
    const { row, index } = this.#cellAt(clientX, clientY)
    const beyond = row < 0 ? -1 : row >= this.visibleRows ? 1 : 0
    if (beyond !== 0) {
      this.#elements.grid.scrollTop = (this.#scrolledRow + beyond) * ROW_HEIGHT_PX
      this.scrolled()
    }
    const nearest = Math.min(this.visibleRows - 1, Math.max(0, row))
    return this.window.start + nearest * this.#rowBytes + Math.min(this.#rowBytes - 1, Math.max(0, index))
  }

  #cellAt(clientX: number, clientY: number): { row: number; column: number; index: number } {
    const box = this.#elements.canvas.getBoundingClientRect()
    const column = (clientX - box.left - PADDING_PX) / this.#characterWidth
    const left = textLeft(this.#rowBytes)
    return {
      row: Math.floor((clientY - box.top) / ROW_HEIGHT_PX),
      column,
      index: column < left - 1 ? byteAtColumn(column - BYTES_LEFT, this.#rowBytes) : Math.floor(column - left),
    }
  }

  placeOf(address: number): { x: number; y: number } {
    const box = this.#elements.canvas.getBoundingClientRect()
    const offset = address - this.window.start
    const row = Math.floor(offset / this.#rowBytes)
    return { x: box.left + this.#left(offset % this.#rowBytes), y: box.top + (row + 1) * ROW_HEIGHT_PX }
  }

  draw(): void {
    const now = frames.changeTime
    const { space, overlays } = this.#config
    const first = this.#scrolledRow
    const known = frames.known(space)
    const all = this.#stale || first !== this.#firstRow || known !== this.#wasKnown || overlays.any()
    this.#wasKnown = known
    // One draw more after the last overlay is gone.
    this.#stale = overlays.any()
    this.#firstRow = first
    const dirty = frames.dirtyPages(space)
    for (const row of this.#rows) {
      if (all || dirty[this.#addressOf(row) >> 8] === 1) this.#write(row)
    }
    if (all) this.#placeCursor(first)
    this.#placeMarker(first)
    const fading = this.#isFading(now, first)
    // Bytes become stale without a change.
    if (all || fading || this.#wasFading || this.#config.heat().isStale) this.#paint(now, first)
    this.#wasFading = fading
    if (fading) frames.requestFade()
  }

  #isFading(now: number, first: number): boolean {
    const heat = this.#config.heat()
    const start = this.#config.range.start + first * this.#rowBytes
    for (let address = start; address < start + this.visibleRows * this.#rowBytes; address++) {
      if (heatAt(heat, now, address) > 0) return true
    }
    return false
  }

  #createRow(index: number): Row {
    const element = document.createElement('div')
    element.className = 'hex-row'
    element.setAttribute('role', 'row')
    element.style.top = `${this.#elements.head.offsetHeight + index * ROW_HEIGHT_PX}px`
    const cell = (className: string, role: string): Text => {
      const holder = element.appendChild(document.createElement('span'))
      holder.className = className
      holder.setAttribute('role', role)
      return holder.appendChild(document.createTextNode(''))
    }
    const row = {
      index,
      element,
      address: cell('hex-address', 'rowheader'),
      bytes: cell('hex-bytes', 'gridcell'),
      text: cell('hex-text', 'gridcell'),
    }
    this.#elements.layer.append(element)
    return row
  }

  #addressOf(row: Row): number {
    return this.#config.range.start + (this.#scrolledRow + row.index) * this.#rowBytes
  }

  #write(row: Row): void {
    const { space, text, overlays, range } = this.#config
    const address = this.#addressOf(row)
    let bytes = frames.image(space).subarray(address, address + this.#rowBytes)
    if (overlays.any()) {
      bytes = bytes.map((byte, index) => overlays.at(address + index)?.value ?? byte)
    }
    setText(row.address, formatAddress(address).slice(1))
    setText(row.bytes, frames.known(space) ? hexLine(bytes, this.#rowBytes) : unknownLine(this.#rowBytes))
    setText(row.text, frames.known(space) ? textLine(bytes, text, address, this.#rowBytes) : '')
    row.element.setAttribute('aria-rowindex', String(rowOf(range, address, this.#rowBytes) + 2))
  }

  #placeCursor(first: number): void {
    const { range, cursor, typing } = this.#config
    const { grid } = this.#elements
    const row = this.#rows[rowOf(range, cursor, this.#rowBytes) - first]
    if (!row) {
      this.#cursor.remove()
      grid.removeAttribute('aria-activedescendant')
      return
    }
    const typed = typing?.address === cursor ? typing.digit : null
    this.#cursor.textContent = typed === null ? '' : `${typed}_`
    this.#cursor.classList.toggle('typing', typed !== null)
    this.#cursor.style.left = `${this.#left(cursor % this.#rowBytes)}px`
    this.#cursor.style.width = `${this.#cellWidth}px`
    if (this.#cursor.parentElement !== row.element) row.element.append(this.#cursor)
    grid.setAttribute('aria-activedescendant', this.#cursor.id)
  }

  #placeMarker(first: number): void {
    const { range, space, overlays } = this.#config
    const row = this.#mark === null ? undefined : this.#rows[rowOf(range, this.#mark, this.#rowBytes) - first]
    if (!row || this.#mark === null) {
      this.#marker.remove()
      return
    }
    const value = overlays.at(this.#mark)?.value ?? frames.image(space)[this.#mark] ?? 0
    setText(this.#marker, frames.known(space) ? hexByte(value) : '')
    this.#marker.style.left = `${this.#left(this.#mark % this.#rowBytes)}px`
    this.#marker.style.width = `${this.#cellWidth}px`
    // Before the cursor, which frames it where both are.
    if (this.#marker.parentElement !== row.element) row.text.parentElement?.after(this.#marker)
  }

  /** Left edge of a byte's cell, a little before its digits, CSS px. */
  #left(index: number): number {
    return PADDING_PX + (BYTES_LEFT + byteColumn(index) - 0.4) * this.#characterWidth
  }

  get #cellWidth(): number {
    return 2.8 * this.#characterWidth
  }

  #paint(now: number, first: number): void {
    const { canvas } = this.#elements
    const context = canvas.getContext('2d')
    if (!context) return
    const scale = window.devicePixelRatio
    context.setTransform(scale, 0, 0, scale, 0, 0)
    context.clearRect(0, 0, canvas.width, canvas.height)
    const rowBytes = this.#rowBytes
    paintTints(context, this.#config, now, {
      start: this.#config.range.start + first * rowBytes,
      rows: this.visibleRows,
      rowBytes,
      rowHeight: ROW_HEIGHT_PX,
      cellWidth: this.#cellWidth,
      characterWidth: this.#characterWidth,
      leftOf: (index) => this.#left(index),
      textLeftOf: (index) => PADDING_PX + (textLeft(rowBytes) + index) * this.#characterWidth,
    })
  }
}

/** Width of a character in the layer's font, CSS px with fractions. */
function measure(layer: HTMLElement): number {
  const probe = layer.appendChild(document.createElement('span'))
  probe.className = 'hex-probe'
  probe.textContent = '0'.repeat(100)
  const { width } = probe.getBoundingClientRect()
  probe.remove()
  return width / 100
}
