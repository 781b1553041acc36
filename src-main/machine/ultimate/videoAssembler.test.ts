import { array, assert, integer, property, uint8Array } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unpackPixels } from '@shared/c64/picture'
import { VideoAssembler, type VideoFrame } from './videoAssembler'

let number = 0

/** The packet with these four lines, as the reference spells its bytes. */
function packet(frame: number, line: number, { last = false, fill = 0 } = {}): Uint8Array {
  const bytes = Buffer.alloc(780, fill)
  bytes.writeUInt16LE(number++ & 0xffff, 0)
  bytes.writeUInt16LE(frame, 2)
  bytes.writeUInt16LE(line | (last ? 0x8000 : 0), 4)
  bytes.writeUInt16LE(384, 6)
  bytes.writeUInt8(4, 8)
  bytes.writeUInt8(4, 9)
  bytes.writeUInt16LE(0, 10)
  return bytes
}

const frameOf = (frame: number, height = 272): Uint8Array[] =>
  Array.from({ length: height / 4 }, (_, index) =>
    packet(frame, index * 4, { last: index === height / 4 - 1, fill: index }),
  )

function assemble(packets: readonly Uint8Array[]): { frames: VideoFrame[]; assembler: VideoAssembler } {
  const frames: VideoFrame[] = []
  const assembler = new VideoAssembler((frame) => frames.push(frame))
  for (const one of packets) assembler.push(one)
  return { frames, assembler }
}

describe('the video stream', () => {
  it.each([
    [272, 68],
    [240, 60],
  ])('%i lines are %i packets and one picture', (height, count) => {
    const packets = frameOf(7, height)
    expect(packets).toHaveLength(count)
    const { frames } = assemble(packets)
    expect(frames.map(({ number, picture }) => [number, picture.width, picture.height, picture.pixels.length])).toEqual(
      [[7, 384, height, 192 * height]],
    )
    expect(frames[0]?.picture.pixels.buffer.byteLength).toBe(192 * height)
  })

  it('has the left pixel in the low nibble, as the contract’s pictures have', () => {
    const packets = frameOf(1)
    packets[1]?.set([0x21], 12)
    const picture = assemble(packets).frames[0]?.picture
    const pixels = picture ? unpackPixels(picture.pixels) : new Uint8Array(0)
    expect([...pixels.subarray(4 * 384, 4 * 384 + 2)]).toEqual([1, 2])
  })

  it('a frame is whole in whatever order its packets come, also mixed with the next', () => {
    const shuffled = array(integer({ min: 0, max: 1_000 }), { minLength: 136, maxLength: 136 })
    assert(
      property(shuffled, (keys) => {
        // No packet moves further than into the next frame.
        const packets = [...frameOf(0xffff), ...frameOf(0)]
        const order = packets
          .map((one, index) => ({ one, key: index * 20 + (keys[index] ?? 0) }))
          .sort((a, b) => a.key - b.key)
        const { frames, assembler } = assemble(order.map(({ one }) => one))
        expect(frames.map((frame) => frame.number).sort()).toEqual([0, 0xffff])
        expect(assembler.lost).toBe(0)
        for (const { picture } of frames) expect(picture.pixels[40 * 192]).toBe(10)
      }),
      { numRuns: 50 },
    )
  })

  it('a frame with a packet missing is left out, and the packet is counted', () => {
    const { frames, assembler } = assemble([
      ...frameOf(1),
      ...frameOf(2).toSpliced(10, 1),
      ...frameOf(3),
      ...frameOf(4),
    ])
    expect(frames.map((frame) => frame.number)).toEqual([1, 3, 4])
    expect(assembler.lost).toBe(1)
  })

  it('a packet from below the end of a frame does not stand in for one that is missing', () => {
    const { frames, assembler } = assemble([
      packet(1, 264),
      ...frameOf(1, 240).toSpliced(10, 1),
      ...frameOf(2, 240),
      ...frameOf(3, 240),
    ])
    expect(frames.map((frame) => frame.number)).toEqual([2, 3])
    expect(assembler.lost).toBe(1)
  })

  it('a packet that comes twice counts, and changes nothing', () => {
    const packets = frameOf(1).flatMap((one) => [one, one])
    const { frames, assembler } = assemble(packets)
    expect(frames).toHaveLength(1)
    expect(assembler.late).toBe(68)
  })

  it('the two bytes that the device sends first are no packet', () => {
    const { assembler } = assemble([new Uint8Array(2)])
    expect(assembler.malformed).toBe(0)
  })

  it('anything else is counted and dropped', () => {
    const tooLong = Buffer.concat([packet(1, 0), new Uint8Array(10)])
    const wrongLine = packet(1, 2)
    const pastEnd = packet(1, 272)
    const palette = packet(1, 0)
    palette[10] = 1
    const { frames, assembler } = assemble([tooLong, wrongLine, pastEnd, palette, packet(1, 0).subarray(0, 779)])
    expect(assembler.malformed).toBe(5)
    expect(frames).toEqual([])
  })

  it('whatever comes in, only pictures of 272 or 240 lines come out', () => {
    const anyPacket = uint8Array({ minLength: 0, maxLength: 800 })
    const nearly = array(integer({ min: 0, max: 300 }), { minLength: 3, maxLength: 3 }).map(
      ([frame = 0, line = 0, last = 0]) => packet(frame & 3, line, { last: last > 150 }),
    )
    assert(
      property(array(anyPacket), array(nearly), (garbage, packets) => {
        const { frames } = assemble([...garbage, ...packets, ...frameOf(9)])
        for (const { picture } of frames) expect(picture.pixels.length).toBe(picture.height * 192)
      }),
      { numRuns: 50 },
    )
  })
})
