import { array, assert, boolean, integer, property, shuffledSubarray } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PacketOrder } from './packetOrder'

const packet = (number: number): Uint8Array => Uint8Array.of(number & 0xff, (number >> 8) & 0xff, 0, 0)
const numberOf = (bytes: Uint8Array): number => (bytes[0] ?? 0) | ((bytes[1] ?? 0) << 8)

/** What comes out for numbers that come in: a number for a packet, `-n` for n that are lost. */
function through(numbers: readonly number[], flush = false): { out: number[]; order: PacketOrder } {
  const out: number[] = []
  const order = new PacketOrder({
    size: 4,
    onPacket: (bytes) => out.push(numberOf(bytes)),
    onLost: (count) => out.push(-count),
  })
  for (const number of numbers) order.push(packet(number))
  if (flush) order.flush()
  return { out, order }
}

describe('numbered packets', () => {
  it('in order go through', () => {
    expect(through([5, 6, 7]).out).toEqual([5, 6, 7])
  })

  it('that changed places are put back', () => {
    expect(through([1, 3, 2, 4]).out).toEqual([1, 2, 3, 4])
    expect(through([1, 4, 3, 2, 5]).out).toEqual([1, 2, 3, 4, 5])
  })

  it('count on after 65,535', () => {
    expect(through([0xfffe, 0, 0xffff, 1]).out).toEqual([0xfffe, 0xffff, 0, 1])
  })

  it('that come twice go through once', () => {
    const { out, order } = through([1, 1, 2, 4, 4, 3, 2])
    expect(out).toEqual([1, 2, 3, 4])
    expect(order.late).toBe(3)
  })

  it('are waited for while eight later ones come in, then they are lost', () => {
    const { out, order } = through([1, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(out).toEqual([1, -1, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(order.lost).toBe(1)
  })

  it('that are all missing for a while count as one loss of so many', () => {
    expect(through([1, 100]).out).toEqual([1, -91])
    expect(through([1, 100], true).out).toEqual([1, -91, -7, 100])
  })

  it('that start afresh far away go on from there', () => {
    expect(through([1, 2, 30_000, 30_001]).out).toEqual([1, 2, -1, 30_000, 30_001])
  })

  it('come out in order and once, whatever is lost, doubled and moved a little', () => {
    assert(
      property(
        integer({ min: 0, max: 0xffff }),
        array(boolean(), { minLength: 1, maxLength: 100 }),
        array(integer({ min: 0, max: 5 }), { minLength: 1 }),
        (start, kept, moves) => {
          const sent = kept.flatMap((isKept, index) => (isKept ? [start + index] : []))
          const arriving = sent
            .map((number, index) => ({ number, at: index + (moves[index % moves.length] ?? 0) }))
            .sort((a, b) => a.at - b.at)
            .flatMap(({ number }, index) => (index % 7 === 0 ? [number, number] : [number]))
          const { out, order } = through(arriving, true)
          const first = arriving[0]
          if (first === undefined) return
          const packets = out.filter((number) => number >= 0).map((number) => (number - first) & 0xffff)
          expect(packets).toEqual([...packets].sort((a, b) => a - b))
          expect(new Set(packets).size).toBe(packets.length)
          // Each number up to the last one is either there or counted as lost.
          const lost = out.filter((number) => number < 0).reduce((sum, count) => sum - count, 0)
          expect(lost).toBe(order.lost)
          expect(packets.length + lost).toBe((packets.at(-1) ?? -1) + 1)
        },
      ),
    )
  })

  it('within the window come out whole in any order', () => {
    const numbers = [0, 1, 2, 3, 4, 5, 6, 7]
    assert(
      property(shuffledSubarray(numbers, { minLength: 8 }), (shuffled) => {
        expect(through([0xffff, ...shuffled]).out).toEqual([0xffff, ...numbers])
      }),
    )
  })
})
