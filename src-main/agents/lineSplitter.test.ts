import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LineSplitter, MAX_LINE_BYTES } from './lineSplitter'

function split(pieces: readonly Buffer[]): string[] {
  const lines: string[] = []
  const splitter = new LineSplitter((line) => lines.push(line))
  for (const piece of pieces) {
    splitter.add(piece)
    // As a buffer that is read into again.
    piece.fill(0)
  }
  splitter.end()
  return lines
}

describe('lines of bytes that come in pieces', () => {
  it('are the same wherever the pieces are cut, also within a character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\r', '')),
        fc.array(fc.nat(200), { maxLength: 20 }),
        (text, cuts) => {
          const bytes = Buffer.from(text)
          const at = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length]
          const pieces = at.slice(1).map((end, index) => Buffer.from(bytes.subarray(at[index], end)))
          const expected = bytes.toString().split('\n')
          if (expected.at(-1) === '') expected.pop()
          expect(split(pieces)).toEqual(expected)
        },
      ),
      { numRuns: 50 },
    )
  })

  it('are told with where they start, also a long one that is cut', () => {
    const starts: number[] = []
    const splitter = new LineSplitter((_line, start) => starts.push(start))
    const bytes = Buffer.from(`one\r\n\n${'x'.repeat(MAX_LINE_BYTES + 10)}\nlast`)
    for (let at = 0; at < bytes.length; at += 1_000_003) splitter.add(bytes.subarray(at, at + 1_000_003))
    splitter.end()
    expect(starts).toEqual([0, 5, 6, 6 + MAX_LINE_BYTES + 11])
  })

  it('lose the carriage return of their ends', () => {
    expect(split([Buffer.from('a\r\nb\r'), Buffer.from('\nc')])).toEqual(['a', 'b', 'c'])
  })

  it('are cut where they are longer than a line may be', () => {
    const lines = split([
      ...Array.from({ length: 10 }, () => Buffer.alloc(MAX_LINE_BYTES / 4, 'x')),
      Buffer.from('\nnext\n'),
    ])
    expect(lines.map(({ length }) => length)).toEqual([MAX_LINE_BYTES, 4])
  })
})
