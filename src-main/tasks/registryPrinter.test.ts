import { describe, expect, it } from 'vitest'
import type { JsonObject } from '@shared/json'
import { printRegistry, RegistryPrinter } from './registryPrinter'

const entry = (number: number, status = 'running'): JsonObject => ({ id: `${number}_read`, status })
const someEntries = (count: number) => Array.from({ length: count }, (_, index) => entry(index))
const textOf = (pieces: Uint8Array[]) => Buffer.concat(pieces).toString()

describe('a registry that is printed again', () => {
  it.each([
    ['with one entry more', (entries: JsonObject[]) => [...entries, entry(9_999)]],
    ['with one changed', (entries: JsonObject[]) => entries.with(300, entry(300, 'stopped'))],
    ['without its first', (entries: JsonObject[]) => entries.slice(1)],
    ['without any', () => []],
  ])('reads like one that is printed for the first time: %s', (_what, change) => {
    const printer = new RegistryPrinter()
    const before = { rest: { version: 1 }, entries: someEntries(1_000), others: [42] }
    printer.print(before)
    const after = { ...before, entries: change(before.entries) }
    expect(textOf(printer.print(after))).toBe(printRegistry(after))
    expect(JSON.parse(printRegistry(after))).toEqual({ tasks: [42, ...after.entries], version: 1 })
  })

  it('keeps the bytes of what did not change', () => {
    const printer = new RegistryPrinter()
    const entries = someEntries(1_000)
    const before = printer.print({ rest: {}, entries, others: [] })
    const after = printer.print({ rest: {}, entries: entries.with(999, entry(999, 'stopped')), others: [] })
    expect(after.filter((bytes) => !before.includes(bytes)).length).toBeLessThan(before.length)
    expect(before.filter((bytes) => after.includes(bytes))).toHaveLength(2)
  })
})
