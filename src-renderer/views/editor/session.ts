import { AppError } from '@shared/contract/errors'
import type { GraphicsImage } from '@shared/graphics/grab'
import { LiveBytes, type ByteRun } from '@shared/graphics/edit/liveBytes'
import type { EditModel, Place } from '@shared/graphics/edit/model'
import { withRedone, withStep, withUndone, type Steps } from '@shared/graphics/edit/steps'
import { changesBetween, withPoints, type Parts, type Point } from '@shared/graphics/edit/surface'
import { create } from 'zustand'
import { call } from '../../client/call'
import { requireFront } from '../../client/machineControl'
import { frontMachine, limitOf, useMachines } from '../../client/machines'
import { notify, reportError } from '../../client/messages'
import { frames } from '../../frames/frames'
import { requireLive } from '../../frames/playback'
import { sheetBytes, writeSheet } from './sheetBytes'

/** Bytes at one place that a step changed. */
interface ByteChange {
  readonly place: Place
  readonly offset: number
  readonly before: Uint8Array
  readonly after: Uint8Array
}

type Step = readonly ByteChange[]

/** By what was edited, with its machine: what can be undone there. */
export const useSteps = create<Readonly<Record<string, Steps<Step>>>>(() => ({}))

const noSteps: Steps<Step> = { done: [], undone: [] }
export const stepsOf = (all: Readonly<Record<string, Steps<Step>>>, thing: string): Steps<Step> => all[thing] ?? noSteps

/** Throws the reason why nothing can be edited there now. */
function requireEditable({ places }: Pick<EditModel, 'places'>): void {
  if (!places.some((place) => place.in === 'machine')) return
  requireLive()
  const limit = limitOf(frontMachine(), 'writeMemory')
  if (limit !== null) throw new AppError('UNSUPPORTED', limit)
}

interface Stroke {
  readonly model: EditModel
  readonly thing: string
  /** Without the stroke, as the program has it. */
  base: Uint8Array[]
  after: Uint8Array[]
  points: readonly Point[]
}

/** The bytes of what is edited: as the machine or the sheet has them, and as they are being changed. */
class EditSession {
  readonly #live = new LiveBytes({
    write: (run) => call('memory.write', { machine: requireFront(), ...run }),
    onFailed: (error) => {
      this.#stroke = null
      reportError(error, 'editor')
      frames.requestDraw()
    },
    now: Date.now,
  })
  #stroke: Stroke | null = null
  #replaying: Promise<void> = Promise.resolve()

  constructor() {
    useMachines.subscribe((state, before) => {
      if (state.front === before.front) return
      this.#live.clear()
      this.#stroke = null
    })
  }

  get isDrawing(): boolean {
    return this.#stroke !== null
  }

  /** What is shown now: the machine's bytes, but for those that are on their way to it. */
  parts(model: EditModel, image: GraphicsImage | null): Uint8Array[] {
    const shown = model.places.map((place) => this.#read(place, image))
    const stroke = this.#stroke
    if (stroke?.model.key !== model.key) return shown
    // What is not as the stroke left it, the program changed.
    const isForeign = changesBetween(stroke.after, shown)
    if (isForeign.length === 0) return shown
    for (const { part, offset, after } of isForeign) stroke.base[part]?.set(after, offset)
    stroke.after = withPoints(model.surface, stroke.base, stroke.points)
    this.#put(model, changesBetween(shown, stroke.after))
    return stroke.after.map((part) => part.slice())
  }

  /** @throws AppError where nothing can be edited now */
  begin(model: EditModel, thing: string, parts: Parts): void {
    requireEditable(model)
    const copy = () => parts.map((part) => part.slice())
    this.#stroke = { model, thing, base: copy(), after: copy(), points: [] }
  }

  /** Without the stroke under way. */
  base(): Parts | null {
    return this.#stroke?.base ?? null
  }

  /** The stroke is these points, in place of those before. */
  draw(points: readonly Point[]): void {
    const stroke = this.#stroke
    if (!stroke) return
    const after = withPoints(stroke.model.surface, stroke.base, points)
    this.#put(stroke.model, changesBetween(stroke.after, after))
    stroke.points = points
    stroke.after = after
    frames.requestDraw()
  }

  end(): void {
    const stroke = this.#stroke
    this.#stroke = null
    if (stroke) this.#keep(stroke.thing, stroke.model, changesBetween(stroke.base, stroke.after))
  }

  cancel(): void {
    this.draw([])
    this.#stroke = null
  }

  /** One step that is done at once. @throws AppError where nothing can be edited now */
  change(model: EditModel, thing: string, parts: Parts, points: readonly Point[]): void {
    this.begin(model, thing, parts)
    this.draw(points)
    this.end()
  }

  /** One byte, as that of a colour. @throws AppError where nothing can be edited now */
  changeByte(model: EditModel, thing: string, parts: Parts, part: number, offset: number, value: number): void {
    requireEditable(model)
    const after = parts.map((bytes) => bytes.slice())
    const bytes = after[part]
    if (bytes) bytes[offset] = value
    const changes = changesBetween(parts, after)
    this.#put(model, changes)
    this.#keep(thing, model, changes)
  }

  undo = (thing: string): Promise<void> => this.#replay(thing, 'before')

  redo = (thing: string): Promise<void> => this.#replay(thing, 'after')

  #replay(thing: string, to: 'before' | 'after'): Promise<void> {
    const replayed = this.#replaying.then(async () => {
      const steps = stepsOf(useSteps.getState(), thing)
      const step = (to === 'before' ? steps.done : steps.undone).at(-1)
      if (!step) return
      requireEditable({ places: step.map(({ place }) => place) })
      await this.#live.written()
      const foreign = await this.#foreignBytes(step, to === 'before' ? 'after' : 'before')
      for (const change of step) this.#write(change.place, change.offset, change[to])
      useSteps.setState({ [thing]: to === 'before' ? withUndone(steps) : withRedone(steps) })
      frames.requestDraw()
      if (foreign > 0)
        notify(
          `The program had changed ${foreign} of these bytes since. ${to === 'before' ? 'Undone' : 'Redone'} over it.`,
        )
    })
    this.#replaying = replayed.catch(() => undefined)
    return replayed
  }

  /** Bytes that are not as the step left them. */
  async #foreignBytes(step: Step, left: 'before' | 'after'): Promise<number> {
    let foreign = 0
    for (const change of step) {
      const { place, offset } = change
      const expected = change[left]
      const now =
        place.in === 'sheet'
          ? sheetBytes(place).subarray(offset)
          : (
              await call('memory.read', {
                ...{ machine: requireFront(), space: place.space, address: place.address + offset },
                length: expected.length,
              })
            ).bytes
      const mask = place.in === 'machine' && (place.space === 'colorRam' || place.space === 'io') ? 0x0f : 0xff
      foreign += expected.filter((byte, index) => ((byte ^ (now[index] ?? 0)) & mask) !== 0).length
    }
    return foreign
  }

  #keep(thing: string, { places }: EditModel, changes: ReturnType<typeof changesBetween>): void {
    const step = changes.flatMap(({ part, offset, before, after }) => {
      const place = places[part]
      return place ? [{ place, offset, before, after }] : []
    })
    if (step.length > 0) useSteps.setState((all) => ({ [thing]: withStep(stepsOf(all, thing), step) }))
  }

  #put({ places }: EditModel, changes: ReturnType<typeof changesBetween>): void {
    for (const { part, offset, after } of changes) {
      const place = places[part]
      if (place) this.#write(place, offset, after)
    }
  }

  #write(place: Place, offset: number, bytes: Uint8Array): void {
    if (place.in === 'sheet') writeSheet(place, offset, bytes)
    else this.#live.put({ space: place.space, address: place.address + offset, bytes })
  }

  #read(place: Place, image: GraphicsImage | null): Uint8Array {
    if (place.in === 'sheet') return sheetBytes(place)
    const run: ByteRun = { space: place.space, address: place.address, bytes: new Uint8Array(place.length) }
    const [from, first] =
      place.space === 'io'
        ? [image?.io, place.address - 0xd000]
        : place.space === 'colorRam'
          ? [image?.colorRam, place.address - 0xd800]
          : [image?.ram, place.address]
    if (from) run.bytes.set(from.subarray(first, first + place.length))
    this.#live.cover(run, frames.time)
    return run.bytes
  }
}

export const session = new EditSession()
