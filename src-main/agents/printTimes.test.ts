import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PrintClock, PrintTimes, timesFileOf } from './printTimes'

let folder: string
let log: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-times-'))
  log = join(folder, 'output.log')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function timesAt(...offsets: number[]): Promise<(number | null)[]> {
  const times = new PrintTimes(log)
  await times.load()
  await times.close()
  return offsets.map((offset) => times.at(offset))
}

describe('the times of a log', () => {
  it('are those of the look that first saw each byte', async () => {
    const clock = new PrintClock(log)
    clock.note(10, 1_000)
    clock.note(10, 2_000)
    clock.note(15, 3_000)
    expect(await timesAt(0, 9, 10, 14, 15)).toEqual([1_000, 1_000, 3_000, 3_000, null])
    expect(readFileSync(timesFileOf(log), 'utf8')).toBe('[0,10,1000]\n[10,15,3000]\n')
  })

  it('are unknown of a log that has none', async () => {
    expect(await timesAt(0, 100)).toEqual([null, null])
  })

  it('are unknown of what was printed while nobody looked', async () => {
    new PrintClock(log).note(10, 1_000)
    const adopted = new PrintClock(log, 50)
    adopted.note(60, 9_000)
    expect(await timesAt(9, 10, 49, 50, 60)).toEqual([1_000, null, null, 9_000, null])
  })

  it('leave out a line that was cut or damaged, and one that goes back', async () => {
    new PrintClock(log).note(10, 1_000)
    appendFileSync(timesFileOf(log), '[10,2\n[5,8,7000]\n["x"]\n')
    new PrintClock(log, 20).note(30, 2_000)
    expect(await timesAt(5, 15, 25)).toEqual([1_000, null, 2_000])
  })

  it('are read on while the agent prints', async () => {
    const clock = new PrintClock(log)
    const times = new PrintTimes(log)
    await times.load()
    clock.note(10, 1_000)
    expect(times.at(0)).toBeNull()
    await times.load()
    expect(times.at(0)).toBe(1_000)
    await times.close()
  })
})
