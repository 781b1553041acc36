import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyPatch } from 'diff'
import { diffLines, diffTexts, mergeTexts } from './lineDiff'

const text = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n'), { maxLength: 12 }).map((lines) => lines.join(''))
const numbered = (count: number, sign: string) => Array.from({ length: count }, (_, index) => `${sign}${index}`)

describe('the difference of two texts', () => {
  it('makes the one of the other, whatever they are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b', 'c')),
        fc.array(fc.constantFrom('a', 'b', 'c')),
        (before, after) => {
          const result: string[] = []
          let at = 0
          for (const { start, end, lines } of diffLines(before, after).edits) {
            result.push(...before.slice(at, start), ...lines)
            at = end
          }
          expect([...result, ...before.slice(at)]).toEqual(after)
        },
      ),
    )
  })

  it('is one edit where too much differs to tell it line by line, and fine where all of it is new', () => {
    const [before, after] = [numbered(20_000, 'a'), numbered(20_000, 'b')]
    expect(diffLines(['same', ...before], ['same', ...after])).toEqual({
      edits: [{ start: 1, end: 20_001, lines: after }],
      isFine: false,
    })
    expect(diffLines([], after).isFine).toBe(true)
  })
})

describe('hunks', () => {
  it('make the one text of the other, by another program’s reading of them', () => {
    const ended = fc.tuple(text, fc.constantFrom('', 'x')).map((parts) => parts.join(''))
    fc.assert(
      fc.property(ended, ended, fc.nat(20), (before, after, lines) => {
        const common = 'same\n'.repeat(lines)
        const [old, now] = [`${before}${common}${after}`, `${after}${common}${before}`]
        const { hunks } = diffTexts(old, now)
        const patch = {
          hunks: hunks.map(
            ({ before: oldStart, beforeLines: oldLines, after: newStart, afterLines: newLines, ...rest }) => ({
              oldStart: oldStart + (oldLines === 0 ? 1 : 0),
              newStart: newStart + (newLines === 0 ? 1 : 0),
              oldLines,
              newLines,
              lines: [...rest.lines],
            }),
          ),
          oldFileName: 'a',
          newFileName: 'a',
          oldHeader: undefined,
          newHeader: undefined,
        }
        expect(applyPatch(old, patch, { autoConvertLineEndings: false })).toBe(now)
      }),
    )
  })
})

describe('two changes of a text', () => {
  it('are both in the merged one, also in lines beside each other', () => {
    expect(mergeTexts('a\nb\nc\n', 'a\nB\nc\n', 'a\nb\nC\nd\n')).toBe('a\nB\nC\nd\n')
    expect(mergeTexts('a\nb\n', 'new\na\nb\n', 'A\nb\n')).toBe('new\nA\nb\n')
  })

  it('are not merged where they change the same lines, or put lines in at one place', () => {
    expect(mergeTexts('a\nb\n', 'A\nb\n', 'x\nb\n')).toBeUndefined()
    expect(mergeTexts('a\nb\n', 'a\none\nb\n', 'a\nother\nb\n')).toBeUndefined()
  })

  it('come to the same in either order, and to one of them where the other changes nothing', () => {
    fc.assert(
      fc.property(text, text, text, (base, ours, theirs) => {
        expect(mergeTexts(base, ours, theirs)).toBe(mergeTexts(base, theirs, ours))
        expect(mergeTexts(base, ours, base)).toBe(ours)
      }),
    )
  })
})
