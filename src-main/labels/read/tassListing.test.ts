import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readTassListing } from './tassListing'

const fixture = (name: string) => readFileSync(`test/fixtures/labels/lines/${name}`, 'utf8')
const listing = fixture('tass.lst')
const brief = (text: string) =>
  readTassListing(text).lines.map(
    ({ file, line, start, end }) => `${file}:${line} ${start.toString(16)}-${end.toString(16)}`,
  )
const withLine = (line: string) => listing.replace('\n11\t', `\n${line}\n11\t`)

describe('a listing of 64tass', () => {
  it('has the lines of each file, of macros where these are written, and data however long', () => {
    expect(brief(listing)).toEqual([
      'tass.asm:8 801-805',
      'tass.asm:9 805-80b',
      'tass.asm:10 80b-80d',
      'tass.asm:11 80d-80f',
      'tass.asm:4 80f-812',
      'tass.asm:5 812-813',
      'tass.asm:14 813-816',
      'tass.asm:14 816-819',
      'tass.asm:16 819-81c',
      'tass.asm:17 81c-81f',
      'tass.asm:18 81f-822',
      'parts/draw.asm:1 822-824',
      'parts/draw.asm:2 824-827',
      'tass.asm:4 827-82a',
      'tass.asm:5 82a-82b',
      'parts/draw.asm:4 82b-82c',
      'parts/draw.asm:5 82c-82e',
      'parts/draw.asm:6 82e-82f',
      'tass.asm:20 82f-86b',
      'tass.asm:21 86b-87c',
      'tass.asm:24 a00-a03',
      'tass.asm:25 a03-a04',
      'tass.asm:27 2000-2002',
      'tass.asm:28 2002-2003',
    ])
    expect(readTassListing(listing)).toMatchObject({ labels: [], problem: null })
  })

  it('may have tabs of any size, other columns, and line ends of Windows', () => {
    const expand = (line: string) => {
      let out = ''
      for (const char of line) out += char === '\t' ? ' '.repeat(8 - (out.length % 8)) : char
      return out
    }
    const spaces = listing.split('\n').map(expand).join('\n')
    expect(brief(spaces)).toEqual(brief(listing))
    expect(brief(listing.replaceAll('\n', '\r\n'))).toEqual(brief(listing))
  })

  it.each([1, 2, 4])('may have tabs of size %i', (size) => {
    const retab = (line: string) => {
      let out = ''
      let column = 0
      for (const char of line) {
        const to = column + (char === '\t' ? 8 - (column % 8) : 1)
        if (char !== '\t') out += char
        else for (let at = column; at < to; at += size - (at % size)) out += '\t'
        column = to
      }
      return out
    }
    expect(brief(listing.split('\n').map(retab).join('\n'))).toEqual(brief(listing))
  })

  it('is refused where its columns are elsewhere, as with tabs wider than 8', () => {
    expect(() => readTassListing(listing.replace(';Line\t;Offset', ';Line        ;Offset    '))).toThrow(
      'Unknown column layout in this 64tass listing.',
    )
  })

  it('does not take a label for bytes where a line has none', () => {
    expect(brief(withLine('7\t.080d\t\t\t\t\tad  be'))).toEqual(brief(listing))
  })

  it('has files whose names are in quotation marks', () => {
    const text = listing.replaceAll('parts/draw.asm', '"my \\"parts\\"/draw it.asm"')
    expect(brief(text)[11]).toBe('my "parts"/draw it.asm:1 822-824')
  })

  it('has numbers that are wider than their column on a line of their own', () => {
    expect(brief(withLine('123456:1\n\t.c000\t\ta9 00\t\t\tnop'))).toContain('tass.asm:123456 c000-c002')
  })

  it('says which options are missing', () => {
    const { lines, problem } = readTassListing(fixture('tassNoNumbers.lst'))
    expect(lines.map(({ file }) => file)).toEqual(Array.from({ length: 5 }, () => 'parts/draw.asm'))
    expect(problem).toContain('at tass.asm: its lines have no numbers. Give 64tass --line-numbers --list=game.lst, and')
    expect(() => readTassListing(listing.replace(';Line\t', ''))).toThrow('This 64tass listing has no line numbers.')
  })

  it('keeps what stands before a sudden end, and says so', () => {
    const { lines, problem } = readTassListing(listing.slice(0, listing.indexOf('\n20\t')))
    expect(lines).toHaveLength(18)
    expect(problem).toBe('1 entry was left out, the first at its end: it ends before “;******  End of listing”.')
  })

  it.each([
    ['11\t.12345678\ta9 00\t\t\tnop', 'expected a source line with addresses from $0000 to $FFFF'],
    ['11\t.ffff\t\ta9 00\t\t\tnop', 'expected a source line with addresses from $0000 to $FFFF'],
    ['11:77\t.c000\t\ta9 00\t\t\tnop', 'expected a file that was named before, not number 77'],
  ])('leaves out what cannot be: %s', (line, why) => {
    const { lines, problem } = readTassListing(withLine(line))
    expect(lines.length).toBeGreaterThan(15)
    expect(problem).toContain(why)
  })

  it('counts no more repeated bytes than fit', () => {
    const { problem } = readTassListing(listing.replace('repeated 2 times', 'repeated 999999999 times'))
    expect(problem).toMatch(/^1 entry was left out, the first at line \d+: expected a source line with addresses/)
  })
})
