import {
  array,
  boolean,
  constantFrom,
  integer,
  nat,
  oneof,
  record,
  shuffledSubarray,
  tuple,
  uint8Array,
} from 'fast-check'
import { describe, expect } from 'vitest'
import { AUDIO_PACKET_BYTES, AudioAssembler } from '../../src-main/machine/ultimate/audioAssembler'
import { DEBUG_PACKET_BYTES, DebugReplay } from '../../src-main/machine/ultimate/debugReplay'
import { PacketOrder } from '../../src-main/machine/ultimate/packetOrder'
import { VIDEO_PACKET_BYTES, VideoAssembler } from '../../src-main/machine/ultimate/videoAssembler'
import { anyBytes, fuzz, noise, randomNumbers } from './fuzz'

/** What a network does to packets: each of them is lost, doubled or sent behind its successors with so many in 64. */
const anyFaults = record({
  seed: integer(),
  lost: constantFrom(0, 0, 2, 20),
  doubled: constantFrom(0, 4),
  late: constantFrom(0, 0, 4, 20),
})
type Faults = typeof anyFaults extends { generate: (...args: never[]) => { value: infer Value } } ? Value : never

/** `most` is how many places a packet may fall behind. */
function overNetwork<Packet>(packets: readonly Packet[], { seed, lost, doubled, late }: Faults, most = 6): Packet[] {
  const next = randomNumbers(seed)
  const chance = (share: number): boolean => next() % 64 < share
  return packets
    .flatMap((packet, index) => {
      if (chance(lost)) return []
      const place = index + (chance(late) ? (next() % most) + 0.5 : 0)
      return chance(doubled)
        ? [
            { packet, place },
            { packet, place: place + (next() % most) },
          ]
        : [{ packet, place }]
    })
    .sort((a, b) => a.place - b.place)
    .map(({ packet }) => packet)
}

const numbered = (number: number, size: number): Uint8Array => {
  const bytes = Buffer.alloc(size)
  bytes.writeUInt16LE(number & 0xffff, 0)
  return bytes
}

/** A short order of packets, and what came out of it. */
function ordered(numbers: readonly number[]): { delivered: number[]; told: number; order: PacketOrder } {
  const delivered: number[] = []
  let told = 0
  const order = new PacketOrder({
    size: 4,
    onPacket: (packet) => void delivered.push((packet[0] ?? 0) | ((packet[1] ?? 0) << 8)),
    onLost: (count) => (told += count),
  })
  for (const number of numbers) order.push(numbered(number, 4))
  order.flush()
  return { delivered, told, order }
}

describe('Ultimate packet order', () => {
  fuzz(
    'every packet comes out once, in order, and the rest is counted',
    tuple(nat(0xffff), nat(60), anyFaults),
    ([start, count, faults]) => {
      const sent = Array.from({ length: count }, (_, index) => start + index)
      const received = overNetwork(sent, faults)
      const { delivered, told, order } = ordered(received)
      const places = delivered.map((number) => (number - start) & 0xffff)
      expect(places).toEqual([...new Set(places)].sort((a, b) => a - b))
      expect(delivered.length + order.late).toBe(received.length)
      expect(told).toBe(order.lost)
      const [first, last] = [places[0] ?? 0, places.at(-1) ?? -1]
      expect(delivered.length + order.lost).toBe(last + 1 - first)
    },
  )

  fuzz(
    'of any numbers each packet is delivered or late',
    array(oneof(nat(0xffff), nat(12)), { maxLength: 60 }),
    (numbers) => {
      const { delivered, told, order } = ordered(numbers)
      expect(delivered.length + order.late).toBe(numbers.length)
      expect(told).toBe(order.lost)
    },
  )
})

/** The lines of a frame's packets hold its number and their own, so that no other picture looks like it. */
function videoPackets(frame: number, height: number, number: number): Uint8Array[] {
  return Array.from({ length: height / 4 }, (_, index) => {
    const packet = Buffer.alloc(VIDEO_PACKET_BYTES, (frame * 68 + index) & 0xff)
    packet.writeUInt16LE((number + index) & 0xffff, 0)
    packet.writeUInt16LE(frame & 0xffff, 2)
    packet.writeUInt16LE((index * 4) | (index * 4 + 4 === height ? 0x8000 : 0), 4)
    packet.writeUInt16LE(384, 6)
    packet.set([4, 4, 0, 0], 8)
    return packet
  })
}

describe('Ultimate video', () => {
  const run = record({
    first: nat(0xffff),
    frames: integer({ min: 1, max: 3 }),
    height: constantFrom(240, 272),
    faults: anyFaults,
  })
  fuzz('every picture is a whole frame as it was sent', run, ({ first, frames, height, faults }) => {
    const packets = Array.from({ length: frames }, (_, frame) => videoPackets(first + frame, height, frame * 68)).flat()
    const numbers: number[] = []
    const assembler = new VideoAssembler(({ number, picture }) => {
      numbers.push(number)
      expect([picture.width, picture.height, picture.pixels.buffer.byteLength]).toEqual([384, height, 192 * height])
      // The frame's own count has 16 bits, so that it stands for frames above them, too.
      const frame = number < first ? number + 0x1_0000 : number
      for (let at = 0; at < picture.pixels.length; at += 96) {
        if (picture.pixels[at] !== ((frame * 68 + Math.floor(at / 768)) & 0xff))
          throw new Error(`wrong byte at ${at} of frame ${number}`)
      }
    })
    const received = overNetwork(packets, faults, 30)
    for (const packet of received) assembler.push(packet)
    expect(new Set(numbers).size).toBe(numbers.length)
    expect(assembler.packets + assembler.late).toBe(received.length)
    if (received.length === packets.length && faults.late === 0 && faults.doubled === 0)
      expect(numbers).toHaveLength(frames)
  })

  const header = record({
    frame: oneof(nat(3), nat(0xffff)),
    line: oneof(
      nat(75).map((index) => index * 4),
      nat(0x7fff),
    ),
    last: boolean(),
    size: oneof({ weight: 8, arbitrary: constantFrom(VIDEO_PACKET_BYTES) }, { weight: 1, arbitrary: nat(900) }),
    other: oneof({ weight: 8, arbitrary: constantFrom(null) }, { weight: 1, arbitrary: tuple(nat(11), nat(0xff)) }),
  })
  fuzz('of packets with any headers only whole pictures come', array(header, { maxLength: 150 }), (headers) => {
    let latest: Map<number, Set<number>> = new Map()
    const assembler = new VideoAssembler(({ number, picture }) => {
      expect([240, 272]).toContain(picture.height)
      expect(picture.pixels.length).toBe(picture.height * 192)
      // Each of its lines came in a packet of this frame.
      const lines = latest.get(number) ?? new Set()
      for (let line = 0; line < picture.height; line += 4)
        if (!lines.has(line)) throw new Error(`line ${line} never came`)
      latest = new Map()
    })
    for (const { frame, line, last, size, other } of headers) {
      const packet = Buffer.alloc(Math.max(12, size))
      packet.writeUInt16LE(frame, 2)
      packet.writeUInt16LE(line | (last ? 0x8000 : 0), 4)
      packet.writeUInt16LE(384, 6)
      packet.set([4, 4], 8)
      if (other) packet[other[0]] = other[1]
      latest.set(
        packet.readUInt16LE(2),
        (latest.get(packet.readUInt16LE(2)) ?? new Set()).add(packet.readUInt16LE(4) & 0x7fff),
      )
      assembler.push(packet.subarray(0, size))
    }
    expect(assembler.packets + assembler.late + assembler.malformed).toBeLessThanOrEqual(2 * headers.length)
  })

  const lines = shuffledSubarray(
    Array.from({ length: 68 }, (_, index) => index),
    { minLength: 55 },
  )
  const [before, frame] = [videoPackets(1, 272, 0), videoPackets(2, 272, 0)]
  fuzz(
    'a frame that says its end too early or twice shows nothing that it did not bring',
    tuple(lines, array(nat(67), { maxLength: 3 })),
    ([order, ends]) => {
      const here = new Set<number>()
      const assembler = new VideoAssembler(({ number, picture }) => {
        if (number === 2)
          for (let line = 0; line < picture.height; line += 4)
            if (!here.has(line / 4)) throw new Error(`line ${line} never came`)
      })
      // Before it, a frame of which everything could be left over.
      for (const packet of before) assembler.push(packet)
      order.forEach((index, at) => {
        const packet = Buffer.from(frame[index] ?? [])
        packet.writeUInt16LE((index * 4) | (ends.includes(at) || index === 59 ? 0x8000 : 0), 4)
        here.add(index)
        assembler.push(packet)
      })
    },
  )
})

describe('Ultimate audio', () => {
  fuzz(
    'what comes out is what was sent, or silence where it was lost',
    tuple(nat(0xffff), nat(24), anyFaults),
    ([start, count, faults]) => {
      const packets = Array.from({ length: count }, (_, index) => {
        const packet = Buffer.from(numbered(start + index, AUDIO_PACKET_BYTES))
        for (let at = 2; at < AUDIO_PACKET_BYTES; at += 2) packet.writeInt16LE(index + 1, at)
        return packet
      })
      const heard: number[] = []
      const assembler = new AudioAssembler(({ seq, samples }) => {
        expect([seq, samples.length]).toEqual([heard.length / 5, 1_920])
        for (let packet = 0; packet < 5; packet++) {
          const part = samples.subarray(packet * 384, (packet + 1) * 384)
          expect(part.every((sample) => sample === part[0])).toBe(true)
          heard.push(part[0] ?? -1)
        }
      })
      for (const packet of overNetwork(packets, faults)) assembler.push(packet)
      const first = heard.find((value) => value > 0) ?? 1
      heard.forEach((value, index) => expect([0, first + index]).toContain(value))
    },
  )

  fuzz(
    'any datagrams are taken or counted',
    array(
      oneof(
        anyBytes(1_000),
        integer().map((seed) => noise(seed, AUDIO_PACKET_BYTES)),
      ),
      { maxLength: 12 },
    ),
    (packets) => {
      let blocks = 0
      const assembler = new AudioAssembler(() => blocks++)
      for (const packet of packets) assembler.push(packet)
      const short = packets.filter(({ length }) => length === 2).length
      expect(assembler.order.received + assembler.order.malformed + short).toBe(packets.length)
      // Silence is made for the lost ones, but not without end.
      expect(blocks).toBeLessThanOrEqual(packets.length * 51)
    },
  )
})

/** Which bytes may be under ROM or chips, so that a write tells nothing about what the CPU reads there. */
const readsOtherwise = (address: number): boolean => (address >= 0xa000 && address < 0xc000) || address >= 0xd000

/** Bus cycles of a program that reads and writes some addresses at random, and what the CPU would read at each in the end. */
function busCycles(seed: number, packets: number): { stream: Uint8Array[]; truth: Map<number, number> } {
  const next = randomNumbers(seed)
  const truth = new Map<number, number>()
  const stream = Array.from({ length: packets }, (_, index) => {
    const packet = Buffer.from(numbered(0xfff0 + index, DEBUG_PACKET_BYTES))
    for (let at = 4; at < DEBUG_PACKET_BYTES; at += 4) {
      const number = next()
      // 64 addresses in pages of every kind, so that they come again and again.
      const address = ((number & 7) << 13) | ((number >> 3) & 7)
      const isRead = (number & 0x40) !== 0
      const known = truth.get(address)
      const data = isRead ? (known ?? (number >> 8) & 0xff) : (number >> 16) & 0xff
      if (isRead || !readsOtherwise(address)) truth.set(address, data)
      else truth.delete(address)
      packet.writeUInt32LE(((isRead ? 0xff000000 : 0xfe000000) | (data << 16) | address) >>> 0, at)
    }
    return packet
  })
  return { stream, truth }
}

describe('Ultimate debug stream', () => {
  fuzz(
    'no byte that is told as certain is wrong, whatever was lost on the way',
    tuple(integer(), nat(8), anyFaults),
    ([seed, count, faults]) => {
      // The last ones all arrive, so that nothing is held back at the end.
      const { stream, truth } = busCycles(seed, count + 10)
      const replay = new DebugReplay()
      for (const packet of [...overNetwork(stream.slice(0, count), faults), ...stream.slice(count)]) replay.push(packet)
      for (let page = 0; page < 0x10000; page += 0x2000) {
        for (let address = page; address < page + 8; address++) {
          const certain = replay.certain(address, 1)?.[0]
          if (certain !== undefined && address >= 2 && certain !== truth.get(address)) {
            throw new Error(
              `$${address.toString(16)} is told as ${certain} and is ${truth.get(address) ?? 'not known'}`,
            )
          }
        }
      }
      if (faults.lost === 0 && faults.late === 0) expect(replay.order.lost).toBe(0)
    },
  )

  const datagrams = oneof(
    anyBytes(64),
    uint8Array({ minLength: 2, maxLength: 2 }),
    tuple(integer(), nat(20)).map(([seed, number]) => noisyPacket(seed, number)),
  )
  fuzz(
    'any datagrams are taken or counted, and what they tell stays within memory',
    array(datagrams, { maxLength: 5 }),
    (packets) => {
      const replay = new DebugReplay()
      for (const packet of packets) replay.push(packet)
      const short = packets.filter(({ length }) => length === 2).length
      expect(replay.order.received + replay.order.malformed + short).toBe(packets.length)
      const { segments, accesses } = replay.take()
      for (const map of [accesses.reads, accesses.writes, accesses.stale]) expect(map.length).toBe(8_192)
      let end = -1
      for (const { address, bytes } of segments) {
        expect(address).toBeGreaterThan(end)
        end = address + bytes.length
      }
      expect(end).toBeLessThanOrEqual(0x10000)
    },
  )
})

function noisyPacket(seed: number, number: number): Uint8Array {
  const packet = Buffer.from(noise(seed, DEBUG_PACKET_BYTES))
  packet.writeUInt16LE(number, 0)
  return packet
}
