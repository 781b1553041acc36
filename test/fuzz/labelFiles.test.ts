import { constantFrom, oneof } from 'fast-check'
import { readFileSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { readLabelFile } from '../../src-main/labels/read/readLabelFile'
import { answerOf, anyBytes, fuzz, mutated } from './fuzz'

const fixture = (name: string) => new Uint8Array(readFileSync(`test/fixtures/labels/${name}`))
const good = constantFrom(
  ...[
    'border64tass.vs',
    'borderAcme.sym',
    'borderCa65.dbg',
    'lines/tass.lst',
    'lines/acme.rep',
    ...[2, 4, 5].map((version) => `elf/dwarf${version}.elf`),
  ].map(fixture),
)

describe('A file of labels', () => {
  fuzz(
    'whatever is in it, is read within bounds or refused with the reason',
    oneof({ weight: 4, arbitrary: mutated(good) }, { weight: 1, arbitrary: anyBytes(2_000) }),
    (bytes) => {
      const file = answerOf(() => readLabelFile(bytes))
      for (const { start, end, line, file: name } of file?.lines ?? []) {
        expect(start).toBeGreaterThanOrEqual(0)
        expect(end).toBeGreaterThan(start)
        expect(end).toBeLessThanOrEqual(0x10000)
        expect(line).toBeGreaterThan(0)
        expect(name).not.toBe('')
      }
      for (const { address, name } of file?.labels ?? []) {
        expect(address).toBeLessThanOrEqual(0xffff)
        expect(name).not.toBe('')
      }
    },
  )
})
