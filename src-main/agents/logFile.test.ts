import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LogFile, MAX_SHOWN_LINE_BYTES } from './logFile'

let folder: string
let path: string
let log: LogFile
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-log-'))
  path = join(folder, 'output.log')
  log = new LogFile(path)
})
afterEach(async () => {
  await log.close()
  rmSync(folder, { recursive: true, force: true })
})

const countAll = () => log.catchUp(Infinity)
const texts = async (from: number, count: number) => (await log.read(from, count)).map(({ text }) => text)

describe('a log', () => {
  it('is empty while it is not there, and is read once it is', async () => {
    expect(await countAll()).toBe(true)
    expect([await log.tail(10), await log.read(0, 10), log.lines, await log.size()]).toEqual([[], [], 0, 0])
    writeFileSync(path, 'first\n')
    await countAll()
    expect([await texts(0, 10), log.lines]).toEqual([['first'], 1])
  })

  it('gives its lines by number however they lie over its blocks', async () => {
    // Around 64 KiB, where a block ends, and with lines longer than that.
    const lengths = fc.array(
      fc.oneof(fc.nat(20), fc.integer({ min: 65_500, max: 65_600 }), fc.constantFrom(0, 200_000)),
      { maxLength: 30 },
    )
    await fc.assert(
      fc.asyncProperty(
        lengths,
        fc.boolean(),
        fc.nat(30),
        fc.integer({ min: 1, max: 10 }),
        async (sizes, isEnded, from, count) => {
          const lines = sizes.map((size, index) => `${index} `.padEnd(size, String.fromCharCode(97 + (index % 26))))
          writeFileSync(path, lines.join('\n') + (isEnded && lines.length > 0 ? '\n' : ''))
          const fresh = new LogFile(path)
          await fresh.catchUp(Infinity)
          const starts = lines.map((_, index) => lines.slice(0, index).reduce((sum, { length }) => sum + length + 1, 0))
          const expected = lines.map((line, index) => ({
            text: line.slice(0, MAX_SHOWN_LINE_BYTES),
            bytes: line.length,
            start: starts[index] ?? 0,
          }))
          expect(fresh.lines).toBe(lines.length)
          expect(await fresh.read(from, count)).toEqual(expected.slice(from, from + count))
          const placeOf = ({ bytes, start }: { readonly bytes: number; readonly start: number }) => start + bytes
          const tail = (await fresh.tail(count)).map(placeOf)
          const last = expected.slice(-count).map(placeOf)
          expect(tail).toEqual(last.slice(last.length - tail.length))
          expect(tail.length).toBeGreaterThanOrEqual(Math.min(last.length, 5))
          await fresh.close()
        },
      ),
      { numRuns: 60, examples: [[[65_500, 200_000, 200_000, 200_000, 200_000, 200_000], false, 0, 6]] },
    )
  })

  it('is counted as far as it is asked to, and goes on from there as it grows', async () => {
    writeFileSync(path, 'a\nb\nc')
    const seen: string[] = []
    expect(await log.catchUp(3, (bytes) => seen.push(bytes.toString()))).toBe(false)
    expect([log.lines, log.counted]).toEqual([2, 3])
    expect(await countAll()).toBe(true)
    expect(log.lines).toBe(3)
    appendFileSync(path, 'c\nd\n')
    await log.catchUp(Infinity, (bytes) => seen.push(bytes.toString()))
    expect([log.lines, await texts(2, 5), seen.join('|')]).toEqual([4, ['cc', 'd'], 'a\nb|c\nd\n'])
  })

  it('starts again when its file was emptied', async () => {
    writeFileSync(path, 'one\ntwo\nthree\n')
    await countAll()
    writeFileSync(path, 'new\n')
    await countAll()
    expect([log.lines, await texts(0, 5)]).toEqual([1, ['new']])
  })

  it('tells the line that a byte is in', async () => {
    const line = 'x'.repeat(999)
    writeFileSync(path, `${line}\n`.repeat(200))
    await countAll()
    for (const number of [0, 1, 65, 66, 131, 199]) {
      expect(await log.lineOf(number * 1000)).toBe(number)
      expect(await log.lineOf(number * 1000 + 999)).toBe(number)
    }
  })

  it('is read as text without what a terminal obeys', async () => {
    writeFileSync(path, '\u001b[31mred\u001b[0m\u001b]0;title\u0007 \u001b[2Jend\r\nnext\n')
    await countAll()
    expect(await texts(0, 2)).toEqual(['red end', 'next'])
  })
})
