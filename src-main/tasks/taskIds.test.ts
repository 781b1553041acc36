import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TaskIds } from './taskIds'

let home: string
let ids: TaskIds
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'bridgedeck-ids-'))
  ids = new TaskIds(home)
})
afterEach(async () => {
  await ids.close()
  rmSync(home, { recursive: true, force: true })
})

describe('ids of tasks', () => {
  it('count on from the highest that is known or was given', async () => {
    expect(await ids.reserve('read', 7)).toBe('0008_read')
    expect(await ids.reserve('read', 0)).toBe('0009_read')
    expect(await ids.reserve('fill', 41)).toBe('0042_fill')
  })

  it('are given once, also to two processes at the same time', async () => {
    const other = new TaskIds(home)
    const given = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? ids : other).reserve('read', 0)),
    )
    expect(new Set(given).size).toBe(20)
    await other.close()
  })

  it('stay used when their task is deleted', async () => {
    await ids.retire('0012_read')
    expect(Number(readFileSync(join(home, '.bridgedeck.last-id'), 'utf8'))).toBe(12)
    await ids.retire('0003_read')
    expect(await ids.reserve('read', 0)).toBe('0013_read')
  })

  it('go by the tasks there are when the counter’s file cannot be read', async () => {
    writeFileSync(join(home, '.bridgedeck.last-id'), 'not a number')
    expect(await ids.reserve('read', 4)).toBe('0005_read')
  })
})
