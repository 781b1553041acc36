import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readAcmeReport } from './acmeReport'

const report = readFileSync('test/fixtures/labels/lines/acme.rep', 'utf8')
const brief = (text: string) =>
  readAcmeReport(text).lines.map(
    ({ file, line, start, end }) => `${file}:${line} ${start.toString(16)}-${end.toString(16)}`,
  )

describe('a report of ACME', () => {
  it('has the lines of each file; macros where they are called, loops at their end', () => {
    expect(brief(report)).toEqual([
      'acme.asm:8 801-805',
      'acme.asm:9 805-80b',
      'acme.asm:10 80b-80d',
      'acme.asm:12 80d-80f',
      'acme.asm:14 80f-813',
      'acme.asm:17 813-819',
      'acme.asm:18 819-81c',
      'acme.asm:19 81c-81f',
      'acme.asm:20 81f-822',
      'parts/drawAcme.asm:1 822-824',
      'parts/drawAcme.asm:2 824-827',
      'parts/drawAcme.asm:3 827-82b',
      'parts/drawAcme.asm:4 82b-82c',
      'parts/drawAcme.asm:5 82c-82e',
      'parts/drawAcme.asm:6 82e-82f',
      // Longer than the eight bytes that are shown: up to the next line, or a little more where the counter is set.
      'acme.asm:22 82f-86b',
      'acme.asm:23 86b-874',
      'acme.asm:26 a00-a04',
      'acme.asm:28 a04-a06',
      'acme.asm:29 a06-a07',
    ])
    expect(readAcmeReport(report)).toMatchObject({ labels: [], problem: null })
  })

  it('is not led astray by what a source says', () => {
    const text = report.replace('; Assembled with', '; ******** Source: other.asm')
    expect(brief(text)).toEqual(brief(report))
  })

  it('leaves out what cannot be, and what it does not know', () => {
    expect(readAcmeReport(`${report}    30  12345678 a9                x\n`).problem).toMatch(
      /^1 entry was left out, the first at line \d+: expected a source line with addresses from \$0000 to \$FFFF\.$/,
    )
    expect(readAcmeReport(`${report}what\n`).problem).toMatch(
      /the first at line \d+: expected “ {4}15 {2}080d a200”\.$/,
    )
    expect(readAcmeReport(report.slice(0, 800)).lines.length).toBeGreaterThan(2)
  })

  it('may end at the last address', () => {
    expect(brief(`; ******** Source: a\n     1  fff8 0102030405060708...!fill 20\n`)).toEqual(['a:1 fff8-10000'])
  })
})
