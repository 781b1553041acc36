import { colourName } from '@shared/c64/palettes'
import { textToScreenCode } from '@shared/c64/screenCodes'
import { cellValue, codeOfCell, colourOfCell, kindBitsOf, nextKindOf } from '@shared/graphics/edit/cellSurface'
import type { EditModel, Swatch } from '@shared/graphics/edit/model'
import { ellipse, fill, line, rectangle, type Spot } from '@shared/graphics/edit/shapes'
import type { LayerLook } from '@shared/graphics/edit/spriteModel'
import { isInside, wholeOf, type Area, type Parts, type Point } from '@shared/graphics/edit/surface'
import * as transforms from '@shared/graphics/edit/transforms'
import { choose, chosenNow } from '../../client/chosen'
import { isInMachine, isOfSheet, useEdited, type Edited } from '../../client/edited'
import { useMachines } from '../../client/machines'
import { attempt, notify } from '../../client/messages'
import { useSheet } from '../../client/sheet'
import { frames } from '../../frames/frames'
import { graphicsImageNow } from '../../frames/graphicsImage'
import { useEditor } from './editorState'
import { looksOf, modelNow } from './models'
import { session } from './session'
import type { Tool } from './tools'

interface Gesture {
  readonly tool: Tool
  readonly from: Spot
  readonly value: number
  last: Spot
  points: Point[]
}

class EditorController {
  model: EditModel | null = null
  parts: Parts = []
  #looks: readonly LayerLook[] = []
  #edited: Edited | null = null
  #gesture: Gesture | null = null
  #copy: transforms.Copied | null = null

  constructor() {
    useEdited.subscribe(() => frames.requestDraw())
    useSheet.subscribe(() => frames.requestDraw())
  }

  /**
   * Reads the choices and the newest bytes. Runs before each draw and each change, as several changes may come between
   * two draws.
   */
  refresh(): EditModel | null {
    const { edited } = useEdited.getState()
    if (edited !== this.#edited) this.#open(edited)
    if (!edited) return null
    const image = isInMachine(edited) ? graphicsImageNow() : null
    const model = modelNow(edited, image, this.#looks)
    if (typeof model === 'string') {
      this.model = null
      if (useEditor.getState().reason !== model) useEditor.setState({ reason: model, thing: '', swatches: [] })
      return null
    }
    if (model.key !== this.model?.key) this.#end()
    this.model = model
    this.parts = session.parts(model, image)
    this.#publish(model)
    return model
  }

  #open(edited: Edited | null): void {
    this.#end()
    this.#edited = edited
    this.#looks = looksOf(edited)
    this.model = null
    useEditor.setState({ selection: null, cursor: { x: 0, y: 0 }, zoom: null, reason: null })
    if (edited?.kind !== 'screen' && chosenNow('editor.tool') === 'text') choose('editor.tool', 'pencil')
  }

  #publish(model: EditModel): void {
    const before = useEditor.getState()
    const { title, note, isMulticolour, surface } = model
    const thing = this.#edited ? thingOf(this.#edited, title) : title
    const swatches = model.swatches(this.parts)
    const same = JSON.stringify(swatches) === JSON.stringify(before.swatches)
    const known = { thing, title, note, isMulticolour, reason: null }
    const isKnown = Object.entries(known).every(([name, value]) => before[name as keyof typeof known] === value)
    if (!isKnown || !same) useEditor.setState({ ...known, swatches: same ? before.swatches : swatches })
    const { x, y } = before.cursor
    if (!isInside(surface, x, y)) useEditor.setState({ cursor: { x: 0, y: 0 }, selection: null })
    if (this.#edited?.kind === 'sprites' || this.#edited?.kind === 'characters')
      if (!swatches.some(({ value }) => value === before.value))
        useEditor.setState({ value: swatches.at(-1)?.value ?? 1 })
  }

  get isScreen(): boolean {
    return this.#edited?.kind === 'screen'
  }

  get kind(): Edited['kind'] | null {
    return this.#edited?.kind ?? null
  }

  brush(): number {
    const { value, code, colour } = useEditor.getState()
    return this.isScreen ? cellValue(code, colour) : value
  }

  press(spot: Spot, erases = false): void {
    const model = this.refresh()
    if (!model) return
    const tool = chosenNow('editor.tool')
    this.moveTo(spot)
    if (tool === 'text') return
    if (tool === 'select') useEditor.setState({ selection: { ...spot, width: 1, height: 1 } })
    else if (!this.#begin(model)) return
    const value = erases ? model.surface.clear : this.brush()
    this.#gesture = { tool, from: spot, last: spot, value, points: [] }
    if (tool === 'fill') this.#gesture.points = fill(model.surface, session.base() ?? this.parts, spot, value)
    this.drag(spot)
  }

  #begin(model: EditModel): boolean {
    let begun = false
    attempt(() => {
      session.begin(model, useEditor.getState().thing, this.parts)
      begun = true
      return Promise.resolve()
    }, 'editor')
    return begun
  }

  drag(spot: Spot): void {
    const gesture = this.#gesture
    if (!gesture || !this.model) return
    const { tool, from, last, value } = gesture
    gesture.last = spot
    if (tool === 'select') this.#selectBetween(from, spot)
    else session.draw(this.#shape(gesture, tool, from, last, spot, value))
  }

  #shape(gesture: Gesture, tool: Tool, from: Spot, last: Spot, spot: Spot, value: number): readonly Point[] {
    if (tool === 'line') return line(from, spot, value)
    if (tool === 'rectangle' || tool === 'box') return rectangle(from, spot, value, tool === 'box')
    if (tool === 'ellipse') return ellipse(from, spot, value)
    if (tool === 'pencil') gesture.points.push(...line(last, spot, value))
    return gesture.points
  }

  release(): void {
    this.#end()
  }

  #end(): void {
    const gesture = this.#gesture
    this.#gesture = null
    if (gesture && gesture.tool !== 'select') session.end()
  }

  /** Space: draws a point, fills, or begins and ends a shape. */
  pressKey(): void {
    const { cursor } = useEditor.getState()
    const gesture = this.#gesture
    if (gesture) {
      this.drag(cursor)
      this.release()
      return
    }
    this.press(cursor)
    const tool = chosenNow('editor.tool')
    if (tool === 'pencil' || tool === 'fill') this.release()
  }

  /** @returns whether there was anything to end */
  escape(): boolean {
    if (this.#gesture) {
      this.#gesture = null
      session.cancel()
      return true
    }
    if (useEditor.getState().selection) {
      useEditor.setState({ selection: null })
      frames.requestDraw()
      return true
    }
    if (chosenNow('editor.tool') !== 'text') return false
    choose('editor.tool', 'pencil')
    return true
  }

  pick({ x, y }: Spot): void {
    const surface = this.refresh()?.surface
    if (!surface || !isInside(surface, x, y)) return
    const value = surface.get(this.parts, x, y)
    useEditor.setState(this.isScreen ? { code: codeOfCell(value), colour: colourOfCell(value) } : { value })
  }

  moveTo(spot: Spot): void {
    if (!this.model) return
    const { width, height } = this.model.surface
    const clamp = (value: number, end: number) => Math.max(0, Math.min(end - 1, value))
    useEditor.setState({ cursor: { x: clamp(spot.x, width), y: clamp(spot.y, height) } })
    frames.requestDraw()
  }

  moveBy(x: number, y: number, selects: boolean): void {
    if (!this.model) return
    const { cursor, selection } = useEditor.getState()
    const step = this.model.surface.widthAt(cursor.x, cursor.y)
    const anchor = selects ? this.#anchor(selection, cursor) : null
    this.moveTo({ x: cursor.x - (cursor.x % step) + x * step, y: cursor.y + y })
    const moved = useEditor.getState().cursor
    if (anchor) this.#selectBetween(anchor, moved)
    else this.drag(moved)
  }

  #anchor(selection: Area | null, { x, y }: Spot): Spot {
    if (!selection) return { x, y }
    const right = selection.x + selection.width - 1
    const bottom = selection.y + selection.height - 1
    return { x: x === selection.x ? right : selection.x, y: y === selection.y ? bottom : selection.y }
  }

  #selectBetween(one: Spot, other: Spot): void {
    const surface = this.model?.surface
    if (!surface) return
    const [left, top] = [Math.max(0, Math.min(one.x, other.x)), Math.max(0, Math.min(one.y, other.y))]
    const right = Math.min(surface.width - 1, Math.max(one.x, other.x))
    const bottom = Math.min(surface.height - 1, Math.max(one.y, other.y))
    useEditor.setState({ selection: { x: left, y: top, width: right - left + 1, height: bottom - top + 1 } })
    frames.requestDraw()
  }

  selectAll(): void {
    const model = this.refresh()
    if (model) useEditor.setState({ selection: wholeOf(model.surface) })
    frames.requestDraw()
  }

  #change(points: (model: EditModel, area: Area) => readonly Point[]): void {
    const model = this.refresh()
    if (!model) {
      notify('Nothing is open in the editor.')
      return
    }
    attempt(() => {
      const { selection, thing } = useEditor.getState()
      session.change(model, thing, this.parts, points(model, selection ?? wholeOf(model.surface)))
      return Promise.resolve()
    }, 'editor')
  }

  mirror(axis: 'x' | 'y'): void {
    this.#change(({ surface }, area) => transforms.mirrored(surface, this.parts, area, axis))
  }

  shift(x: number, y: number): void {
    this.#change(({ surface }, area) => transforms.shifted(surface, this.parts, area, { x, y }))
  }

  invert(): void {
    this.#change(({ surface }, area) => transforms.inverted(surface, this.parts, area))
  }

  clear(): void {
    this.#change(({ surface }, area) => transforms.cleared(surface, area))
  }

  rotate(): void {
    this.#change(({ surface }, area) => {
      const { points, lost } = transforms.rotated(surface, this.parts, area)
      if (lost > 0) notify(`${lost} ${lost === 1 ? 'pixel' : 'pixels'} beside the square in the middle did not fit.`)
      return points
    })
  }

  exchange(): void {
    this.#change(({ surface }, area) => {
      const { x, y } = useEditor.getState().cursor
      return transforms.exchanged(surface, this.parts, area, this.brush(), surface.get(this.parts, x, y))
    })
  }

  copy(): void {
    const model = this.refresh()
    if (!model) return
    const area = useEditor.getState().selection ?? wholeOf(model.surface)
    this.#copy = transforms.copied(model.surface, this.parts, area)
    useEditor.setState({ hasCopy: true })
  }

  paste(): void {
    const { selection } = useEditor.getState()
    const copy = this.#copy
    if (!copy) notify('Nothing was copied in the editor yet.')
    else this.#change(() => transforms.pasted(copy, selection ?? { x: 0, y: 0 }))
  }

  undo(): void {
    this.refresh()
    attempt(() => session.undo(useEditor.getState().thing), 'editor')
  }

  redo(): void {
    this.refresh()
    attempt(() => session.redo(useEditor.getState().thing), 'editor')
  }

  writeAgain(): void {
    attempt(() => {
      session.writeAgain()
      return Promise.resolve()
    }, 'editor')
  }

  takeBack(): void {
    attempt(() => session.takeBack(), 'editor')
  }

  /** Changes the colour in its register, or here only. */
  setColour({ at, shares, source, isLow }: Swatch, colour: number): void {
    const model = this.refresh()
    if (!model) return
    if (!at) {
      // Bit 3 of colour RAM is the mode only where characters have a mode.
      const mode = this.kind === 'characters' && model.isMulticolour !== null ? 8 : 0
      this.#setLook((look) => ({ ...look, colour: (look.colour & mode) | colour }))
      return
    }
    attempt(() => {
      const old = this.parts[at.part]?.[at.offset] ?? 0
      const kept = isLow === true ? 0xf8 : 0xf0
      session.changeByte(model, useEditor.getState().thing, this.parts, at.part, at.offset, (old & kept) | colour)
      if (shares !== null) notify(`${source} is ${colourName(colour)} now, for ${shares}.`)
      return Promise.resolve()
    }, 'editor')
  }

  #setLook(next: (look: LayerLook) => LayerLook): void {
    const layer = this.kind === 'sprites' && chosenNow('editor.layer') === 'overlay' ? 1 : 0
    this.#looks = this.#looks.map((look, index) => (index === layer ? next(look) : look))
    frames.requestDraw()
  }

  /** The bytes stay the same. */
  toggleMulticolour(): void {
    const model = this.refresh()
    if (!model || model.isMulticolour === null) {
      notify('Only sprites, and characters of multicolour text, switch between hires and multicolour.')
      return
    }
    const at = model.modeAt
    if (!at) {
      this.#setLook((look) => ({
        colour: this.kind === 'characters' ? look.colour ^ 8 : look.colour,
        multicolour: !look.multicolour,
      }))
      return
    }
    attempt(() => {
      const old = this.parts[at.part]?.[at.offset] ?? 0
      session.changeByte(model, useEditor.getState().thing, this.parts, at.part, at.offset, old ^ at.mask)
      return Promise.resolve()
    }, 'editor')
  }

  /** The same character reversed, or in extended colour text on the next background. */
  reverse(): void {
    const text = this.refresh()?.text
    if (text) useEditor.setState(({ code }) => ({ code: nextKindOf(text.mode, code) }))
    else notify('Only characters of a screen are reversed.')
  }

  type(key: string): boolean {
    const model = this.refresh()
    if (!model?.text || chosenNow('editor.tool') !== 'text') return false
    const { mode, isLower } = model.text
    const { cursor, colour, thing, selection } = useEditor.getState()
    const { width, height } = model.surface
    const at = cursor.y * width + cursor.x
    const isBack = key === 'Backspace'
    const isDelete = key === 'Delete' && selection === null
    const typed = isBack || isDelete ? 0x20 : screenCodeOf(key, isLower)
    if (typed === null) return false
    const kind = kindBitsOf(mode)
    const code = isBack || isDelete ? typed : (typed & ~kind) | (useEditor.getState().code & kind)
    const to = isBack ? Math.max(0, at - 1) : at
    const spot = { x: to % width, y: Math.floor(to / width) }
    attempt(() => {
      session.change(model, thing, this.parts, [{ ...spot, value: cellValue(code, colour) }])
      return Promise.resolve()
    }, 'editor')
    const next = isBack || isDelete ? to : Math.min(width * height - 1, at + 1)
    this.moveTo({ x: next % width, y: Math.floor(next / width) })
    return true
  }
}

function thingOf(edited: Edited, title: string): string {
  if (isOfSheet(edited)) return `sheet ${edited.artwork}`
  return isInMachine(edited) ? `${useMachines.getState().front} ${title}` : title
}

function screenCodeOf(key: string, isLower: boolean): number | null {
  if (key.length !== 1) return null
  const code = textToScreenCode(key)
  return isLower && key >= 'A' && key <= 'Z' && code !== null ? code + 0x40 : code
}

export const editor = new EditorController()
