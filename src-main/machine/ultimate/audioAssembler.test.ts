import { assert, integer, property, uniqueArray } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AudioBlock } from '../facets'
import { AudioAssembler } from './audioAssembler'

/** A packet whose left samples are its number and whose right samples are the negative of it. */
function packet(number: number): Uint8Array {
  const bytes = Buffer.alloc(770)
  bytes.writeUInt16LE(number & 0xffff, 0)
  for (let sample = 0; sample < 192; sample++) {
    bytes.writeInt16LE(number, 2 + sample * 4)
    bytes.writeInt16LE(-number, 4 + sample * 4)
  }
  return bytes
}

function assemble(packets: readonly Uint8Array[]): { blocks: AudioBlock[]; assembler: AudioAssembler } {
  const blocks: AudioBlock[] = []
  const assembler = new AudioAssembler((block) => blocks.push(block))
  for (const one of packets) assembler.push(one)
  return { blocks, assembler }
}

const numbers = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index)

describe('the audio stream', () => {
  it('five packets are a block of 20 ms, left and right by turns', () => {
    const { blocks } = assemble(numbers(100, 111).map(packet))
    expect(blocks.map(({ seq, samples }) => [seq, samples.length])).toEqual([
      [0, 1_920],
      [1, 1_920],
    ])
    const [first] = blocks
    expect([...(first?.samples.subarray(0, 4) ?? [])]).toEqual([100, -100, 100, -100])
    expect(first?.samples.at(-1)).toBe(-104)
  })

  it('has the rate of the machine’s own clock', () => {
    const { blocks, assembler } = assemble(numbers(0, 5).map(packet))
    expect(blocks[0]?.rate).toBeCloseTo(47_982.887)
    assembler.standard = 'ntsc'
    for (const one of numbers(5, 10)) assembler.push(packet(one))
    expect(blocks[1]?.rate).toBeCloseTo(47_940.341)
  })

  it('is silent for what is lost, so that the rest keeps its time', () => {
    const lost = uniqueArray(integer({ min: 3, max: 40 }), { maxLength: 5 })
    assert(
      property(lost, (missing) => {
        const { blocks, assembler } = assemble(
          numbers(1, 61)
            .filter((number) => !missing.includes(number))
            .map(packet),
        )
        expect(assembler.order.lost).toBe(missing.length)
        const played = blocks.flatMap(({ samples }) => [...samples].filter((_, index) => index % 384 === 0))
        expect(played).toEqual(numbers(1, 61).map((number) => (missing.includes(number) ? 0 : number)))
      }),
    )
  })

  it('drops what is no packet', () => {
    const { blocks, assembler } = assemble([new Uint8Array(2), new Uint8Array(769), new Uint8Array(771)])
    expect(assembler.order.malformed).toBe(2)
    expect(blocks).toEqual([])
  })
})
