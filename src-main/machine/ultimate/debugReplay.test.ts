import { array, assert, boolean, integer, property, record, uint8Array } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DebugReplay } from './debugReplay'

interface Cycle {
  readonly address: number
  readonly data: number
  readonly write?: boolean
  readonly phi2?: boolean
  readonly ba?: boolean
}

const entry = ({ address, data, write = false, phi2 = true, ba = true }: Cycle): number =>
  ((phi2 ? 0x8000_0000 : 0) |
    (ba ? 0x1000_0000 : 0) |
    0x6e00_0000 |
    (write ? 0 : 0x0100_0000) |
    (data << 16) |
    address) >>>
  0

const idle: Cycle = { address: 0xffff, data: 0, phi2: false }

/** A packet of these cycles; the rest of its 360 are none of the CPU's. */
function packet(number: number, cycles: readonly Cycle[]): Uint8Array {
  const bytes = Buffer.alloc(1_444)
  bytes.writeUInt16LE(number & 0xffff, 0)
  for (let index = 0; index < 360; index++) bytes.writeUInt32LE(entry(cycles[index] ?? idle), 4 + index * 4)
  return bytes
}

function replayed(...packets: readonly Uint8Array[]): DebugReplay {
  const replay = new DebugReplay()
  for (const one of packets) replay.push(one)
  return replay
}

const isSet = (map: Uint8Array, address: number): boolean => (((map[address >> 3] ?? 0) >> (address & 7)) & 1) === 1
const addressesIn = (map: Uint8Array): number[] =>
  Array.from({ length: 0x10000 }, (_, address) => address).filter((address) => isSet(map, address))

describe('the debug stream', () => {
  it('a golden entry: STA $0400 of $01, PHI2, R/W# low', () => {
    const bytes = packet(0, [])
    // bits 31 PHI2, 30 GAME#, 29 EXROM#, 28 BA, 27 IRQ#, 26 ROM#, 25 NMI#: $FE; data $01; address $0400; little-endian
    bytes.set([0x00, 0x04, 0x01, 0xfe], 4)
    const replay = replayed(bytes)
    expect(replay.byte(0x0400)).toBe(1)
    expect(addressesIn(replay.take().accesses.writes)).toEqual([0x0400])
  })

  it('tells reads and writes since it was asked last', () => {
    const replay = replayed(
      packet(0, [
        { address: 0x1000, data: 0xa9 },
        { address: 0x1001, data: 5 },
        { address: 0x0400, data: 7, write: true },
      ]),
    )
    const { segments, accesses } = replay.take()
    expect(addressesIn(accesses.reads)).toEqual([0x1000, 0x1001])
    expect(addressesIn(accesses.writes)).toEqual([0x0400])
    expect(segments.map(({ address, bytes }) => [address, ...bytes])).toEqual([
      [0x0400, 7],
      [0x1000, 0xa9, 5],
    ])
    const next = replay.take()
    expect(addressesIn(next.accesses.reads)).toEqual([])
    expect(next.segments).toEqual(segments)
  })

  it('all that was ever known is in each sample, and nothing else', () => {
    const known = array(
      record({ address: integer({ min: 2, max: 0xffff }), length: integer({ min: 1, max: 3_000 }) }),
      { maxLength: 6 },
    )
    assert(
      property(known, (ranges) => {
        const replay = new DebugReplay()
        const expected = new Set<number>()
        for (const { address, length } of ranges) {
          const bytes = new Uint8Array(Math.min(length, 0x10000 - address)).fill(length & 0xff)
          replay.refresh(address, bytes)
          for (let at = address; at < address + bytes.length; at++) expected.add(at)
        }
        const told = replay
          .take()
          .segments.flatMap(({ address, bytes }) => Array.from(bytes, (_, index) => address + index))
        expect(told).toEqual([...expected].sort((a, b) => a - b))
      }),
      { numRuns: 30 },
    )
  })

  it('what was known before it began is told, but is not certain', () => {
    const replay = replayed(packet(0, [{ address: 0x1000, data: 1, write: true }]))
    replay.seed([{ space: 'cpu', address: 0x0fff, bytes: Uint8Array.of(7, 8) }])
    expect([replay.byte(0x0fff), replay.byte(0x1000)]).toEqual([7, 1])
    expect(replay.certain(0x0fff, 1)).toBeUndefined()
  })

  it('leaves out what the VIC-II and the 1541 do, and reads that the CPU makes again', () => {
    const replay = replayed(
      packet(0, [
        { address: 0x3fff, data: 1, phi2: false },
        { address: 0x2000, data: 2, ba: false },
        { address: 0x2001, data: 3, ba: false, write: true },
      ]),
    )
    const { accesses } = replay.take()
    expect(addressesIn(accesses.reads)).toEqual([])
    expect(addressesIn(accesses.writes)).toEqual([0x2001])
    expect(replay.byte(0x2000)).toBeUndefined()
  })

  it('does not take the bus for the CPU’s own port', () => {
    const replay = replayed(
      packet(0, [
        { address: 1, data: 0x55 },
        { address: 1, data: 0x35, write: true },
      ]),
    )
    expect(replay.byte(1)).toBeUndefined()
    expect(isSet(replay.take().accesses.writes, 1)).toBe(true)
  })

  it('what is written under ROM or to a chip is not what would be read there', () => {
    const replay = replayed(
      packet(0, [
        { address: 0xe000, data: 1 },
        { address: 0xe000, data: 2, write: true },
        { address: 0xd020, data: 3, write: true },
      ]),
    )
    expect(replay.byte(0xe000)).toBe(1)
    expect(replay.certain(0xe000, 1)).toBeUndefined()
    expect(replay.byte(0xd020)).toBeUndefined()
    replay.push(packet(1, [{ address: 0xe000, data: 2 }]))
    expect(replay.certain(0xe000, 1)).toEqual(Uint8Array.of(2))
  })

  it('a lost packet makes all stale until it is seen or read again', () => {
    const replay = replayed(packet(0, [{ address: 0x1000, data: 1, write: true }]))
    expect(replay.certain(0x1000, 1)).toEqual(Uint8Array.of(1))
    for (let number = 2; number < 10; number++) replay.push(packet(number, [{ address: 0x2000, data: 9, write: true }]))
    expect(replay.order.lost).toBe(1)
    expect(replay.certain(0x1000, 1)).toBeUndefined()
    expect(replay.byte(0x1000)).toBe(1)
    expect(isSet(replay.take().accesses.stale, 0x1000)).toBe(true)
    expect(replay.certain(0x2000, 1)).toEqual(Uint8Array.of(9))
    replay.beginRefresh()
    replay.refresh(0x1000, Uint8Array.of(4))
    expect(replay.certain(0x1000, 1)).toEqual(Uint8Array.of(4))
  })

  it('a read of the machine does not put back what the bus told meanwhile', () => {
    const replay = replayed(packet(0, [{ address: 0x1000, data: 1, write: true }]))
    replay.beginRefresh()
    replay.push(packet(1, [{ address: 0x1000, data: 2, write: true }]))
    replay.refresh(0x0fff, Uint8Array.of(8, 1, 8))
    expect(replay.certain(0x0fff, 3)).toEqual(Uint8Array.of(8, 2, 8))
  })

  it('a read during which packets were lost makes nothing certain', () => {
    const replay = replayed(packet(0, []))
    replay.beginRefresh()
    for (let number = 2; number < 10; number++) replay.push(packet(number, []))
    replay.refresh(0x1000, Uint8Array.of(8))
    expect(replay.byte(0x1000)).toBe(8)
    expect(replay.certain(0x1000, 1)).toBeUndefined()
  })

  it('what is expired is not certain any more, and a read that was under way does not make it so', () => {
    const replay = replayed(packet(0, [{ address: 0x1000, data: 1, write: true }]))
    replay.beginRefresh()
    replay.expire(0x1000, 1)
    replay.refresh(0x1000, Uint8Array.of(1))
    expect(replay.certain(0x1000, 1)).toBeUndefined()
  })

  it('datagrams of other sizes are counted, the two bytes at the start are not', () => {
    const replay = replayed(new Uint8Array(2), new Uint8Array(1_443), new Uint8Array(1_500))
    expect([replay.order.malformed, replay.order.received, replay.order.lost]).toEqual([2, 0, 0])
  })

  it('any RAM accesses leave the memory that a C64 would hold, wherever the packets are cut', () => {
    const cycle = record({
      address: integer({ min: 2, max: 0x9fff }),
      data: integer({ min: 0, max: 255 }),
      write: boolean(),
    })
    assert(
      property(array(cycle, { maxLength: 700 }), integer({ min: 1, max: 360 }), (cycles, size) => {
        const memory = new Map<number, number>()
        for (const { address, data, write } of cycles) if (write) memory.set(address, data)
        const writes = cycles.filter(({ write }) => write)
        const replay = new DebugReplay()
        for (let at = 0, number = 0xfffe; at < writes.length; at += size, number++)
          replay.push(packet(number, writes.slice(at, at + size)))
        for (const [address, data] of memory) expect(replay.byte(address)).toBe(data)
        expect(addressesIn(replay.take().accesses.writes)).toEqual([...memory.keys()].sort((a, b) => a - b))
      }),
      { numRuns: 30 },
    )
  })

  it('takes any bytes without failing', () => {
    assert(
      property(
        array(uint8Array({ minLength: 1_444, maxLength: 1_444 }), { maxLength: 5 }),
        (packets) => void replayed(...packets).take(),
      ),
      { numRuns: 50 },
    )
  })
})
