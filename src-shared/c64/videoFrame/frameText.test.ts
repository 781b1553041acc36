import { describe, expect, it } from 'vitest'
import { decodeVideo } from '../video'
import type { FrameBand } from './frameBands'
import { bandText, changedText, frameNotes, groupBands, spriteChangesText } from './frameText'

const io = new Uint8Array(0x1000)
io.set([0x1b], 0x11)
io.set([0x08, 0, 0x15], 0x16)
io[0xd00] = 3

const band = (firstLine: number, lastLine: number, others: Partial<FrameBand> = {}): FrameBand => ({
  firstLine,
  lastLine,
  video: decodeVideo(io),
  border: 14,
  backgrounds: [6, 0, 0, 0],
  inBorder: false,
  changed: [0xd021],
  ...others,
})

describe('bands in words', () => {
  it('say what they show, and which registers changed', () => {
    const [group] = groupBands([band(51, 250, { changed: [0xd021, 0xd018] })])
    if (!group) throw new Error('There is none.')
    expect(bandText(group)).toBe('text, screen $0400, characters $1000 (ROM), background blue, border light blue')
    expect(changedText(group)).toBe('$D018, $D021')
  })

  it('are one where many low ones follow each other', () => {
    const low = Array.from({ length: 30 }, (_, at) => band(100 + at, 100 + at, { changed: [0xd011, 0xd018] }))
    const groups = groupBands([band(51, 99), ...low, band(130, 250)])
    expect(groups.map(({ firstLine, lastLine, bands }) => [firstLine, lastLine, bands.length])).toEqual([
      [51, 99, 1],
      [100, 129, 30],
      [130, 250, 1],
    ])
    expect(groups.slice(1, 2).map((group) => [bandText(group), changedText(group)])).toEqual([
      ['30 bands of 1 or 2 lines', '$D011, $D018'],
    ])
    expect(groupBands(low.slice(0, 3))).toHaveLength(3)
  })
})

describe('a frame in words', () => {
  it('says what it cost, and that it is not whole', () => {
    expect(frameNotes({ isCut: true, cost: { stops: 1, ms: 3 }, changes: [] })).toHaveLength(3)
    expect(
      frameNotes({ isCut: false, cost: null, changes: [{ line: 0, cycle: 0, kind: 'bank', at: 0, value: 1 }] }),
    ).toEqual([])
  })

  it('tells the changes of a sprite, and counts many', () => {
    const change = { line: 90, part: 'colour', to: 2 } as const
    expect(spriteChangesText({ changes: [change, { line: 91, part: 'behind', to: true }] })).toBe(
      'colour red from line 90, behind the foreground on from line 91',
    )
    expect(spriteChangesText({ changes: Array(9).fill(change) })).toBe('9 changes while it is shown: colour')
  })
})
