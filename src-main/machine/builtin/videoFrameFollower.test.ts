import { describe, expect, it } from 'vitest'
import { PICTURE_WIDTH, firstRasterLine, unpackPixels } from '@shared/c64/picture'
import { rasterOf } from '@shared/c64/vicii'
import { readFrame } from '@shared/c64/videoFrame/readFrame'
import type { VideoStandard } from '@shared/contract/machine'
import {
  multiplexer,
  plexData,
  PLEX_DATA,
  plexSprites,
  splitData,
  splitScreen,
  START,
} from '../../../test/support/multiplexer'
import { C64 } from './c64'
import { Checkpoints } from './checkpoints'
import { VideoFrameFollower } from './videoFrameFollower'

function machineWith(code: readonly number[], standard: VideoStandard = 'pal'): C64 {
  const kernal = new Uint8Array(0x2000).fill(0xea)
  kernal.set([START & 0xff, START >> 8], 0x1ffc)
  const character = Uint8Array.from({ length: 0x1000 }, (_, at) => (at * 73) & 0xff)
  const c64 = new C64({ kernal, basic: new Uint8Array(0x2000), character }, standard)
  c64.space.ram.set(code, START)
  c64.cpu.pc = START
  return c64
}

function frameOf(c64: C64) {
  const checkpoints = new Checkpoints()
  const follower = new VideoFrameFollower(c64)
  while (!c64.runFollowed(checkpoints, follower).isDone);
  const { result } = follower
  if (!result) throw new Error('There is no frame.')
  return result
}

const run = (c64: C64, frames: number): void => {
  for (let frame = 0; frame < frames; frame++) c64.runFrame()
}

describe('a frame of the built-in C64', () => {
  it('has the 24 sprites of a multiplexer, each with its place, data and colour', () => {
    const c64 = machineWith(multiplexer())
    c64.space.ram.set(plexData(), PLEX_DATA)
    run(c64, 4)
    const frame = frameOf(c64)
    expect(frame).toMatchObject({ standard: 'pal', isCut: false, cost: null })
    const { sprites } = readFrame(frame)
    expect(sprites.map(({ n, x, y, pointer, colour }) => ({ n, x, y, pointer, colour }))).toEqual(
      [...plexSprites].sort((a, b) => a.y - b.y || a.n - b.n),
    )
    for (const { y, firstLine, lastLine, changes, inBorder, address, pointer } of sprites)
      expect({ firstLine, lastLine, changes, inBorder, address }).toEqual({
        firstLine: y + 1,
        lastLine: y + 21,
        changes: [],
        inBorder: false,
        address: pointer * 64,
      })
  })

  it.each<VideoStandard>(['pal', 'ntsc'])(
    'has the picture that the machine drew, and is drawn again alike but for the lines that its splits are in: %s',
    (standard) => {
      const c64 = machineWith(splitScreen(), standard)
      for (const { address, bytes } of [splitData.bitmap, splitData.screen, splitData.text])
        c64.space.ram.set(bytes, address)
      c64.colorRam.set(splitData.colours.bytes)
      run(c64, 4)
      const frame = frameOf(c64)
      expect(readFrame(frame).picture).toEqual(c64.picture())
      const { picture, bands } = readFrame({ ...frame, picture: null })
      const [again, drawn] = [picture, c64.picture()].map(({ pixels }) => unpackPixels(pixels))
      const splits = new Set(frame.changes.map(({ line }) => line))
      for (let y = 0; y < picture.height; y++) {
        if (splits.has((y + firstRasterLine(standard)) % rasterOf[standard].lines)) continue
        const row = [y * PICTURE_WIDTH, (y + 1) * PICTURE_WIDTH] as const
        expect(again?.subarray(...row), `row ${y}`).toEqual(drawn?.subarray(...row))
      }
      const inside = bands.filter(({ inBorder }) => !inBorder)
      expect(inside.map(({ video: { mode, bankStart, screen } }) => ({ mode, bankStart, screen }))).toEqual(
        expect.arrayContaining([
          { mode: 'multicolourBitmap', bankStart: 0x4000, screen: 0x5c00 },
          { mode: 'text', bankStart: 0, screen: 0x0400 },
        ]),
      )
    },
  )
})
