import { AppError, toFailure } from '@shared/contract/errors'
import { IO_START } from '@shared/c64/video'
import type { MemoryRun, Space } from '@shared/contract/memory'
import { counted } from '@shared/countedText'
import type { Artwork } from '@shared/graphics/artwork'
import type { GraphicsImage } from '@shared/graphics/grab'
import { LiveBytes, memoryRuns } from '@shared/graphics/edit/liveBytes'
import { vicPlace, type EditModel, type Place } from '@shared/graphics/edit/model'
import { withRedone, withStep, withUndone, type Steps } from '@shared/graphics/edit/steps'
import { changesBetween, withPoints, type Change, type Parts, type Point } from '@shared/graphics/edit/surface'
import { create } from 'zustand'
import { call } from '../../client/call'
import { requireFront } from '../../client/machineControl'
import { frontMachine, limitOf, useMachines } from '../../client/machines'
import { notify } from '../../client/messages'
import { beginSheetStroke, cancelSheetStroke, endSheetStroke, spritesOfSheet, useSheet } from '../../client/sheet'
import type { FrameStore } from '../../frames/frameStore'
import { requireLive, usePlayback } from '../../frames/shownMoment'
import { isInSheet, isKept, sheetBytes, writeSheet } from './sheetBytes'
import { useUnwritten, withoutUnwritten, type ByteChange, type Step } from './unwritten'

export const useSteps = create<Readonly<Record<string, Steps<Step>>>>(() => ({}))

const noSteps: Steps<Step> = { done: [], undone: [] }
export const stepsOf = (all: Readonly<Record<string, Steps<Step>>>, thing: string): Steps<Step> => all[thing] ?? noSteps

/** @throws the reason why nothing can be edited there now */
function requireEditable({ places }: Pick<EditModel, 'places'>): void {
  if (places.some((place) => isInSheet(place) && !isKept(place)))
    throw new AppError('CONFLICT', 'What was edited is no longer in the sheet.')
  if (places.every(isInSheet)) return
  requireLive()
  const limit = limitOf(frontMachine(), 'writeMemory')
  if (limit !== null) throw new AppError('UNSUPPORTED', limit)
}

const inMachine: Pick<EditModel, 'places'> = { places: [vicPlace] }

const COLOUR_RAM = 0xd800

function imageBytes(image: GraphicsImage | null, space: Space, address: number, length: number): Uint8Array {
  const [from, first] =
    space === 'io'
      ? [image?.io, address - IO_START]
      : space === 'colorRam'
        ? [image?.colorRam, address - COLOUR_RAM]
        : [image?.ram, address]
  return from?.subarray(first, first + length) ?? new Uint8Array(length)
}

/** A step names a sprite of the sheet by its place only, so it must be known whether another is there now. */
function haveMoved(before: readonly Artwork[], now: readonly Artwork[]): boolean {
  const [were, are] = [before, now].map((artworks) => spritesOfSheet(artworks)?.sheet.sprites ?? [])
  return were?.some((sprite, at) => sprite !== are?.[at]) ?? false
}

function forgetSpritesOfSheet(): void {
  const isOfSprites = ({ changes }: Step): boolean => changes.some(({ place }) => place.in === 'sheet')
  const kept = Object.entries(useSteps.getState()).filter(
    ([, { done, undone }]) => ![...done, ...undone].some(isOfSprites),
  )
  useSteps.setState(Object.fromEntries(kept), true)
}

interface Write extends Pick<ByteChange, 'place' | 'offset'> {
  readonly bytes: Uint8Array
}

const placed = ({ places }: EditModel, changes: readonly Change[]): ByteChange[] =>
  changes.flatMap(({ part, ...change }) => {
    const place = places[part]
    return place ? [{ place, ...change }] : []
  })

interface Changed {
  readonly model: EditModel
  readonly machine: string
  readonly thing: string
}

interface Stroke extends Changed {
  base: Uint8Array[]
  after: Uint8Array[]
  points: readonly Point[]
}

export class EditSession {
  readonly #frames: Pick<FrameStore, 'time' | 'requestDraw'>
  readonly #machines = new Map<string, LiveBytes>()
  #stroke: Stroke | null = null
  #replaying: Promise<void> = Promise.resolve()
  #isWriting = false

  constructor(frames: Pick<FrameStore, 'time' | 'requestDraw'>) {
    this.#frames = frames
    useMachines.subscribe((state, before) => {
      if (state.front !== before.front) this.end()
    })
    usePlayback.subscribe((state, before) => {
      if (state.shown !== before.shown) this.end()
    })
    useSheet.subscribe(({ artworks }, before) => {
      if (!this.#isWriting && haveMoved(before.artworks, artworks)) forgetSpritesOfSheet()
    })
  }

  #endStroke(): Stroke | null {
    const stroke = this.#stroke
    this.#stroke = null
    endSheetStroke()
    return stroke
  }

  #liveOf(machine: string): LiveBytes {
    const known = this.#machines.get(machine)
    if (known) return known
    const live = new LiveBytes({
      write: (runs) => call('memory.writeRuns', { machine, runs: [...runs] }),
      onUnwritten: (bytes, error) => this.#tellUnwritten(machine, bytes, error),
      now: Date.now,
    })
    this.#machines.set(machine, live)
    return live
  }

  #tellUnwritten(machine: string, bytes: number, error: unknown): void {
    const known = useUnwritten.getState()[machine]
    const reason = error === null ? (known?.reason ?? '') : toFailure(error).message
    useUnwritten.setState({ [machine]: { bytes, reason } })
    this.#frames.requestDraw()
  }

  /** @throws AppError where nothing can be edited now */
  writeAgain(): void {
    requireEditable(inMachine)
    this.#liveOf(requireFront()).writeAgain()
  }

  /** Removes what was not written from the picture and from the history; a late write may have come after all. */
  async takeBack(): Promise<void> {
    const machine = requireFront()
    const live = this.#liveOf(machine)
    const shown = new Map<string, number>()
    for (const { space, address, bytes: unwritten } of memoryRuns(live.unwritten)) {
      const { bytes } = await call('memory.read', { machine, space, address, length: unwritten.length })
      bytes.forEach((byte, offset) => shown.set(`${space} ${address + offset}`, byte))
    }
    const valueOf = ({ space, address }: Pick<MemoryRun, 'space' | 'address'>) => shown.get(`${space} ${address}`) ?? -1
    const late = live.unwritten.filter((byte) => valueOf(byte) === byte.value).length
    for (const [thing, { done, undone }] of Object.entries(useSteps.getState()))
      if (done.some((step) => step.machine === machine))
        useSteps.setState({ [thing]: { done: withoutUnwritten(done, live.unwritten, valueOf), undone } })
    this.#endStroke()
    live.takeBack()
    this.#frames.requestDraw()
    if (late > 0) notify(`The machine took ${counted(late, 'byte')} after all. Undo takes them back.`)
  }

  covered(image: GraphicsImage): GraphicsImage {
    const [ram, io, colorRam] = [image.ram.slice(), image.io.slice(), image.colorRam.slice()]
    for (const space of ['ram', 'cpu'] as const) this.#cover({ space, address: 0, bytes: ram })
    this.#cover({ space: 'io', address: IO_START, bytes: io })
    this.#cover({ space: 'colorRam', address: COLOUR_RAM, bytes: colorRam })
    return { ...image, ram, io, colorRam }
  }

  #cover(run: MemoryRun): void {
    if (usePlayback.getState().shown !== null) return
    this.#machines.get(useMachines.getState().front)?.cover(run, this.#frames.time)
  }

  /** The machine's bytes, except those that are on their way to it. */
  parts(model: EditModel, image: GraphicsImage | null): Uint8Array[] {
    const shown = model.places.map((place) => this.#read(place, image))
    const stroke = this.#stroke
    if (stroke?.model.key !== model.key) return shown
    // Whatever is not as the stroke left it was changed by the program.
    const isForeign = changesBetween(stroke.after, shown)
    if (isForeign.length === 0) return shown
    for (const { part, offset, after } of isForeign) stroke.base[part]?.set(after, offset)
    stroke.after = withPoints(model.surface, stroke.base, stroke.points)
    this.#put(stroke, changesBetween(shown, stroke.after))
    return stroke.after.map((part) => part.slice())
  }

  /** @throws AppError where nothing can be edited now */
  begin(model: EditModel, thing: string, parts: Parts): void {
    requireEditable(model)
    const copy = () => parts.map((part) => part.slice())
    const machine = useMachines.getState().front
    beginSheetStroke()
    this.#stroke = { model, machine, thing, base: copy(), after: copy(), points: [] }
  }

  base(): Parts | null {
    return this.#stroke?.base ?? null
  }

  /** These points replace the earlier ones of the stroke. */
  draw(points: readonly Point[]): void {
    const stroke = this.#stroke
    if (!stroke) return
    const after = withPoints(stroke.model.surface, stroke.base, points)
    this.#put(stroke, changesBetween(stroke.after, after))
    stroke.points = points
    stroke.after = after
    this.#frames.requestDraw()
  }

  end(): void {
    const stroke = this.#endStroke()
    if (stroke) this.#keep(stroke, changesBetween(stroke.base, stroke.after))
  }

  cancel(): void {
    this.draw([])
    this.#stroke = null
    this.#writing(cancelSheetStroke)
  }

  /** @throws AppError where nothing can be edited now */
  change(model: EditModel, thing: string, parts: Parts, points: readonly Point[]): void {
    this.begin(model, thing, parts)
    this.draw(points)
    this.end()
  }

  /** @throws AppError where nothing can be edited now */
  changeByte(model: EditModel, thing: string, parts: Parts, part: number, offset: number, value: number): void {
    requireEditable(model)
    const after = parts.map((bytes) => bytes.slice())
    const bytes = after[part]
    if (bytes) bytes[offset] = value
    const changes = changesBetween(parts, after)
    const changed = { model, thing, machine: useMachines.getState().front }
    this.#put(changed, changes)
    this.#keep(changed, changes)
  }

  undo = (thing: string): Promise<void> => this.#replay(thing, 'before')

  redo = (thing: string): Promise<void> => this.#replay(thing, 'after')

  #replay(thing: string, to: 'before' | 'after'): Promise<void> {
    const replayed = this.#replaying.then(async () => {
      const stepsNow = () => stepsOf(useSteps.getState(), thing)
      const next = () => (to === 'before' ? stepsNow().done : stepsNow().undone).at(-1)
      const step = next()
      if (!step) return
      const { machine, changes } = step
      requireEditable({ places: changes.map(({ place }) => place) })
      await this.#liveOf(machine).written()
      const foreign = await this.#foreignBytes(step, to === 'before' ? 'after' : 'before')
      if (next() !== step) return
      const writes = changes.map(({ place, offset, ...change }) => ({ place, offset, bytes: change[to] }))
      this.#write(machine, writes)
      useSteps.setState({ [thing]: to === 'before' ? withUndone(stepsNow()) : withRedone(stepsNow()) })
      this.#frames.requestDraw()
      const done = to === 'before' ? 'Undone' : 'Redone'
      const whose = changes.some(({ place }) => isInSheet(place)) ? 'The sheet' : 'The program'
      if (foreign > 0) notify(`${whose} had changed ${foreign} of these bytes since. ${done} over it.`)
    })
    this.#replaying = replayed.catch(() => undefined)
    return replayed
  }

  async #foreignBytes({ machine, changes }: Step, left: 'before' | 'after'): Promise<number> {
    const counts = [...new Set(changes.map(({ place }) => place))].map(async (place) => {
      const inPlace = changes.filter((change) => change.place === place)
      const start = Math.min(...inPlace.map(({ offset }) => offset))
      const end = Math.max(...inPlace.map(({ offset, before }) => offset + before.length))
      const now = isInSheet(place)
        ? sheetBytes(place).subarray(start, end)
        : await this.#readNow(machine, { space: place.space, address: place.address + start, length: end - start })
      const mask = place.in === 'machine' && (place.space === 'colorRam' || place.space === 'io') ? 0x0f : 0xff
      const isForeign = (byte: number, at: number) => ((byte ^ (now[at - start] ?? 0)) & mask) !== 0
      return inPlace.flatMap((change) => [...change[left]].filter((byte, n) => isForeign(byte, change.offset + n)))
        .length
    })
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
  }

  async #readNow(
    machine: string,
    range: Pick<MemoryRun, 'space' | 'address'> & { readonly length: number },
  ): Promise<Uint8Array> {
    const { bytes, time } = await call('memory.read', { machine, ...range })
    this.#liveOf(machine).cover({ space: range.space, address: range.address, bytes }, time)
    return bytes
  }

  #keep({ model, machine, thing }: Changed, changed: readonly Change[]): void {
    const changes = placed(model, changed)
    if (changes.length > 0)
      useSteps.setState((all) => ({ [thing]: withStep(stepsOf(all, thing), { machine, changes }) }))
  }

  #put({ model, machine }: Changed, changes: readonly Change[]): void {
    const writes = placed(model, changes).map(({ place, offset, after }) => ({ place, offset, bytes: after }))
    this.#write(machine, writes)
  }

  #write(machine: string, writes: readonly Write[]): void {
    this.#writing(() =>
      writeSheet(writes.flatMap(({ place, ...write }) => (isInSheet(place) ? [{ place, ...write }] : []))),
    )
    for (const { place, offset, bytes } of writes)
      if (!isInSheet(place)) this.#liveOf(machine).put({ space: place.space, address: place.address + offset, bytes })
  }

  #writing(change: () => void): void {
    this.#isWriting = true
    change()
    this.#isWriting = false
  }

  #read(place: Place, image: GraphicsImage | null): Uint8Array {
    if (isInSheet(place)) return sheetBytes(place)
    const { space, address, length } = place
    const bytes = new Uint8Array(length)
    bytes.set(imageBytes(image, space, address, length))
    this.#cover({ space, address, bytes })
    return bytes
  }
}
