/** What a frame shows, on a real VICE: multiplexed sprites, and a screen that is split. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { firstRasterLine, PICTURE_WIDTH, unpackPixels } from '@shared/c64/picture'
import { changedText, groupBands } from '@shared/c64/videoFrame/frameText'
import { readFrame } from '@shared/c64/videoFrame/readFrame'
import type { VideoFrame } from '@shared/contract/videoFrame'
import { requireFacet, type Machine } from '../../src-main/machine/machine'
import {
  multiplexer,
  plexData,
  PLEX_DATA,
  plexSprites,
  splitData,
  splitScreen,
  START,
  twoScreens,
} from '../support/multiplexer'
import { lacks } from '../support/parts'
import { eventually } from './eventually'
import { attachedMachine, soon, startVice, write, type RunningVice } from './support'

describe.skipIf(lacks('vice', 'xvfb'))('a frame of a VICE', () => {
  let vice: RunningVice
  let machine: Machine
  beforeAll(async () => {
    vice = await startVice()
  })
  afterAll(async () => {
    await vice.stop()
  })
  beforeEach(async () => {
    machine = attachedMachine(vice.port)
    await machine.connect(soon())
  })
  afterEach(async () => {
    await machine.disconnect()
  })

  const follow = (signal = soon()): Promise<VideoFrame> => requireFacet(machine, 'videoFrame').follow(signal)
  const checkpoints = () => requireFacet(machine, 'checkpoints').list(soon())

  async function run(code: readonly number[]): Promise<void> {
    await requireFacet(machine, 'pause').pause(soon())
    await write(machine, START, ...code)
    await requireFacet(machine, 'setRegisters').write('PC', START, soon())
    await requireFacet(machine, 'pause').resume(soon())
  }

  it('has the 24 sprites of a multiplexer, each with its place, data and colour, and it runs on', async () => {
    await write(machine, PLEX_DATA, ...plexData())
    await run(multiplexer())
    const sorted = [...plexSprites].sort((a, b) => a.y - b.y || a.n - b.n)
    const shown = async () =>
      readFrame(await follow()).sprites.map(({ n, x, y, pointer, colour }) => ({ n, x, y, pointer, colour }))
    await eventually(shown).toEqual(sorted)
    const frame = await follow()
    expect(frame).toMatchObject({ standard: 'pal', isCut: false })
    expect(frame.cost?.stops).toBeGreaterThan(64)
    expect(machine.status.execution).toBe('running')
    expect(await checkpoints()).toEqual([])
    for (const { y, firstLine, lastLine, changes, address, pointer, pixels } of readFrame(frame).sprites) {
      expect({ firstLine, lastLine, changes, address }).toEqual({
        firstLine: y + 1,
        lastLine: y + 21,
        changes: [],
        address: pointer * 64,
      })
      expect(pixels.some((pixel) => pixel < 16)).toBe(true)
    }
  })

  it('has the bands of a split screen, and is drawn as VICE shows it in each line without a write', async () => {
    await requireFacet(machine, 'pause').pause(soon())
    for (const { address, bytes } of [splitData.bitmap, splitData.screen, splitData.text])
      await write(machine, address, ...bytes)
    await machine.writeMemory('colorRam', splitData.colours.address, Uint8Array.from(splitData.colours.bytes), soon())
    await run(splitScreen())
    const inside = async () =>
      readFrame(await follow())
        .bands.filter(({ inBorder }) => !inBorder)
        .map(({ video: { mode, screen, bitmap, characters } }) =>
          mode === 'text' ? { mode, screen, characters } : { mode, screen, bitmap },
        )
    await eventually(inside).toEqual(
      expect.arrayContaining([
        { mode: 'multicolourBitmap', screen: 0x5c00, bitmap: 0x6000 },
        { mode: 'text', screen: 0x0400, characters: 0x1000 },
      ]),
    )
    const frame = await follow()
    const ours = unpackPixels(readFrame(frame).picture.pixels)
    const theirs = unpackPixels((await requireFacet(machine, 'picture').read(soon())).pixels)
    // The program waits for a line in a loop, which ends in any of nine cycles.
    const written = new Set(frame.changes.flatMap(({ line }) => [line - 1, line, line + 1]))
    const lines = Array.from({ length: ours.length / PICTURE_WIDTH }, (_, y) => y + firstRasterLine('pal'))
    const compared = lines.filter((line) => !written.has(line))
    expect(compared.length).toBeGreaterThan(255)
    const rowOf = (pixels: Uint8Array, line: number) => {
      const at = (line - firstRasterLine('pal')) * PICTURE_WIDTH
      return pixels.subarray(at, at + PICTURE_WIDTH)
    }
    const different = compared.filter((line) => rowOf(ours, line).some((pixel, x) => pixel !== rowOf(theirs, line)[x]))
    expect(different).toEqual([])
  })

  it('has the pointers of each screen that it shows, also of one that was not known before', async () => {
    await run(twoScreens())
    const pointers = async () => readFrame(await follow()).sprites.map(({ y, pointer }) => [y, pointer])
    await eventually(pointers).toEqual([
      [60, 0x80],
      [150, 0x91],
    ])
    expect((await follow()).isCut).toBe(false)
  })

  it('has a band for each line where a program writes all the time', async () => {
    // SEI; LDA $D012; STA $D020; JMP
    await run([0x78, 0xad, 0x12, 0xd0, 0x8d, 0x20, 0xd0, 0x4c, 0x01, 0xc0])
    const frame = await follow()
    expect(frame.isCut).toBe(false)
    const low = groupBands(readFrame(frame).bands).filter(({ bands }) => bands.length > 100)
    expect(low.map(changedText)).toContain('$D020')
  })

  it('leaves a machine that stood standing, and nothing behind when it is cancelled or disconnected', async () => {
    await requireFacet(machine, 'pause').pause(soon())
    expect((await follow()).isCut).toBe(false)
    expect(machine.status.execution).toBe('paused')
    expect(await checkpoints()).toEqual([])
    await requireFacet(machine, 'pause').resume(soon())
    const cancelled = new AbortController()
    const following = follow(cancelled.signal)
    await expect(follow()).rejects.toMatchObject({ code: 'BUSY' })
    await expect(requireFacet(machine, 'interrupts').follow(1, soon())).rejects.toMatchObject({ code: 'BUSY' })
    cancelled.abort()
    await expect(following).rejects.toMatchObject({ code: 'CANCELLED' })
    expect(await checkpoints()).toEqual([])
    expect(machine.status.execution).toBe('running')
    const lost = follow()
    const rejected = expect(lost).rejects.toMatchObject({ code: 'CANCELLED' })
    await machine.disconnect()
    await rejected
    await machine.connect(soon())
    expect(await checkpoints()).toEqual([])
    expect(machine.status.execution).toBe('running')
  })
})
