import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { MemoryRun } from '@shared/contract/memory'
import type { SpriteSheet } from '@shared/graphics/artwork'
import { characterModel } from '@shared/graphics/edit/screenModels'
import { sheetSpriteModel } from '@shared/graphics/edit/spriteModel'
import type { GraphicsImage } from '@shared/graphics/grab'
import { liveState } from '../../../test/support/machineState'
import { useMachines } from '../../client/machines'
import { loadSheet, spritesOfSheet, useSheet } from '../../client/sheet'
import { usePlayback } from '../../frames/shownMoment'
import { EditSession, useSteps } from './editSession'

const CHARACTER = 0x2000
const model = characterModel({ address: CHARACTER, codes: [0], columns: 1, colour: 1 }, 'text', 'ram')
const image: GraphicsImage = {
  ram: new Uint8Array(0x10000),
  io: new Uint8Array(0x1000),
  colorRam: new Uint8Array(0x400),
  characterRom: null,
}
const dot = (x: number, value = 1) => ({ x, y: 0, value })

/** Two machines that hold bytes, and answer a read when they are told to. */
const memories = { builtin: new Uint8Array(0x10000), vice: new Uint8Array(0x10000) }
type Name = keyof typeof memories
let reads: (() => void)[] = []

const commands = {
  memory: {
    read: ({ machine, address, length }: { machine: Name; address: number; length: number }) =>
      new Promise((resolve) => {
        reads.push(() => {
          const bytes = memories[machine].slice(address, address + length)
          resolve({ ok: true, data: { bytes, time: Date.now() } })
        })
      }),
    writeRuns: ({ machine, runs }: { machine: Name; runs: readonly MemoryRun[] }) => {
      for (const { address, bytes } of runs) memories[machine].set(bytes, address)
      return Promise.resolve({ ok: true, data: { written: runs.length } })
    },
  },
  graphics: {
    sheet: () => Promise.resolve({ ok: true, data: { bytes: null } }),
    keepSheet: () => Promise.resolve({ ok: true, data: {} }),
  },
}

let session: EditSession

const bringToFront = (front: Name) => useMachines.setState({ front })
const answerReads = () => {
  for (const answer of reads.splice(0)) answer()
}
const firstBytes = () => [memories.builtin[CHARACTER], memories.vice[CHARACTER]]
const draw = (x: number) => session.change(model, 'builtin character', session.parts(model, image), [dot(x)])

describe('what is drawn in a machine', () => {
  beforeAll(() => void vi.stubGlobal('window', { bridgedeck: commands }))
  afterAll(() => {
    vi.unstubAllGlobals()
    useMachines.setState({ front: 'builtin', machines: [] })
  })
  beforeEach(() => {
    session = new EditSession({ time: 0, requestDraw: () => undefined })
    reads = []
    for (const memory of Object.values(memories)) memory.fill(0)
    useSteps.setState({}, true)
    useMachines.setState({ front: 'builtin', machines: [liveState, { ...liveState, machine: 'vice' }] })
  })

  it('is taken back there, though another machine comes to the front meanwhile', async () => {
    draw(0)
    await vi.waitFor(() => expect(firstBytes()).toEqual([0x80, 0]))
    const undone = session.undo('builtin character')
    await vi.waitFor(() => expect(reads).toHaveLength(1))
    bringToFront('vice')
    answerReads()
    await undone
    await vi.waitFor(() => expect(firstBytes()).toEqual([0, 0]))
  })

  it('can be undone, though it was drawn while an undo asked the machine', async () => {
    draw(0)
    await vi.waitFor(() => expect(firstBytes()).toEqual([0x80, 0]))
    const undone = session.undo('builtin character')
    await vi.waitFor(() => expect(reads).toHaveLength(1))
    draw(1)
    answerReads()
    await undone
    await vi.waitFor(() => expect(firstBytes()).toEqual([0xc0, 0]))
    expect(useSteps.getState()['builtin character']?.done).toHaveLength(2)
  })

  it('is kept in the history of its machine where another one comes to the front within the stroke', async () => {
    session.begin(model, 'builtin character', session.parts(model, image))
    session.draw([dot(0)])
    bringToFront('vice')
    session.draw([dot(0), dot(1)])
    session.end()
    await vi.waitFor(() => expect(firstBytes()).toEqual([0x80, 0]))
    expect(useSteps.getState()['builtin character']?.done).toHaveLength(1)
  })

  it('ends where a recorded moment is shown, whose bytes are not written', async () => {
    memories.builtin[CHARACTER] = 0x01
    const live = { ...image, ram: memories.builtin.slice() }
    session.begin(model, 'builtin character', session.parts(model, live))
    session.draw([dot(0)])
    await vi.waitFor(() => expect(firstBytes()).toEqual([0x81, 0]))
    const past = { ...image, ram: image.ram.slice().fill(0x3c) }
    usePlayback.setState({ shown: { recording: 'a', time: 1, next: null } })
    session.parts(model, past)
    usePlayback.setState({ shown: null })
    expect(firstBytes()).toEqual([0x81, 0])
  })

  it('is shown where its machine is gone', () => {
    useMachines.setState({ machines: [] })
    expect(session.parts(model, image)).toHaveLength(2)
  })
})

describe('what is drawn in sprites of the sheet', () => {
  const sprite = { name: '', bytes: new Uint8Array(63), colour: 1, multicolour: false, overlay: false }
  const look = { expandX: false, expandY: false }
  const colours = { background: 6, multicolour1: 0, multicolour2: 0 }
  const sheet: SpriteSheet = {
    kind: 'sprites',
    name: '',
    ...colours,
    animations: [],
    sprites: [
      { ...sprite, ...look },
      { ...sprite, ...look },
    ],
  }
  const sheetModel = () => {
    const found = spritesOfSheet(useSheet.getState().artworks)?.sheet
    const grid = { indexes: [0], columns: 1, areOverlays: false, layer: 0 } as const
    const model = found && sheetSpriteModel(found, grid)
    if (!model) throw new Error('The sheet has no sprite.')
    return model
  }
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  beforeAll(async () => {
    vi.stubGlobal('window', { bridgedeck: commands })
    loadSheet()
    await settled()
  })
  beforeEach(() => {
    session = new EditSession({ time: 0, requestDraw: () => undefined })
    useSheet.setState({ artworks: [sheet] })
    useSteps.setState({}, true)
    session.change(sheetModel(), 'Sprite 1', session.parts(sheetModel(), null), [dot(0)])
  })
  afterAll(async () => {
    useSheet.setState({ artworks: [] })
    await settled()
    vi.unstubAllGlobals()
  })
  const steps = () => useSteps.getState()['Sprite 1']?.done.length ?? 0

  it('can be undone, also after others joined the sheet', () => {
    expect(steps()).toBe(1)
    useSheet.setState(({ artworks: [first] }) => ({
      artworks: first?.kind === 'sprites' ? [{ ...first, sprites: [...first.sprites, { ...sprite, ...look }] }] : [],
    }))
    expect(steps()).toBe(1)
  })

  it('is no longer undone where another sprite stands in its place', () => {
    useSheet.setState(({ artworks: [first] }) => ({
      artworks: first?.kind === 'sprites' ? [{ ...first, sprites: first.sprites.slice(1) }] : [],
    }))
    expect(steps()).toBe(0)
  })
})
