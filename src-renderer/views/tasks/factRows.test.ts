import { describe, expect, it } from 'vitest'
import { factsOf, factsOfResult } from './factRows'

const told = (value: unknown) => factsOf(value).rows.map(({ label, text }) => `${label}: ${text}`)

describe('values of tasks in words', () => {
  it('have units', () => {
    expect(told({ durationMs: 2_500, intervalMs: 40, rate: 50, bytes: 1, length: 4096, samples: 1234 })).toEqual([
      'Duration: 2.5 s',
      'Interval: 40 ms',
      'Rate: 50 a second',
      'Bytes: 1 byte',
      'Length: 4,096 bytes',
      'Samples: 1,234',
    ])
  })

  it('are written as in the window: addresses, bytes, yes and no', () => {
    expect(
      told({ address: '0x0400', ranges: ['0xD020', '0x00a2+2'], bytes: 'ff0a', verify: true, note: null }),
    ).toEqual(['Address: $0400', 'Ranges: $D020, $00A2+2', 'Bytes: FF 0A (2 bytes)', 'Verify: yes', 'Note: –'])
  })

  it('name their groups and the items of a list', () => {
    expect(told({ values: { '0x00A2': '07' }, charsets: [{ address: '0x2000' }, { address: '0x3000' }] })).toEqual([
      'Values › $00A2: 07 (1 byte)',
      'Charsets 1 › Address: $2000',
      'Charsets 2 › Address: $3000',
    ])
  })

  it('keep lines of text apart', () => {
    expect(told({ rows: ['    **** COMMODORE 64 BASIC V2 ****', 'READY.'] })).toEqual([
      'Rows:     **** COMMODORE 64 BASIC V2 ****\nREADY.',
    ])
    expect(told({ found: [] })).toEqual(['Found: none'])
  })

  it('are cut where they are too many, and the rest is counted', () => {
    const facts = factsOf(Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`n${index}`, index])))
    expect([facts.rows.length, facts.more]).toEqual([200, 50])
  })

  it('leave out of a result what stands elsewhere', () => {
    const result = {
      id: '0001_read',
      type: 'task',
      status: 'completed',
      summary: { length: 4 },
      artifacts: { raw: 'artifacts/ram.bin' },
    }
    expect(factsOfResult(result).rows.map(({ label, text }) => `${label}: ${text}`)).toEqual([
      'Length: 4 bytes',
      'Artifacts › Raw: artifacts/ram.bin',
    ])
    expect(factsOfResult({ other: 1 }).rows).toEqual([{ label: 'Other', text: '1' }])
  })
})
