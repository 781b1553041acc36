import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ProcessLock } from '../../src-main/files/processLock'
import { runTypescript } from '../support/runTypescript'

let folder: string
let path: string
const locks: ProcessLock[] = []
const lock = (waitMs?: number) => {
  const made = new ProcessLock(path, waitMs)
  locks.push(made)
  return made
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-lock-'))
  path = join(folder, 'x.lock')
})

afterEach(async () => {
  await Promise.all(locks.splice(0).map((made) => made.close()))
  rmSync(folder, { recursive: true, force: true })
})

describe('a lock between processes', () => {
  it('says that a folder is in its place, and takes the place of what is no lock', async () => {
    mkdirSync(path)
    await expect(lock().hold(async () => undefined)).rejects.toMatchObject({
      code: 'INVALID',
      message: `A folder is in the place of the file ${path}.`,
    })
    rmdirSync(path)
    writeFileSync(path, 'no lock at all'.repeat(100))
    expect(await lock().hold(async () => 'held')).toBe('held')
  })

  it('is held by another process until that one is killed, and is free at once then', async () => {
    const holder = runTypescript(resolve(import.meta.dirname, '../peers/lockHolder.ts'), [path])
    await once(holder.stdout, 'data')
    const order: string[] = []
    const waiting = lock().hold(async () => order.push('ours'))
    await expect(lock(100).hold(async () => undefined)).rejects.toMatchObject({ code: 'BUSY' })
    order.push('killed')
    holder.kill('SIGKILL')
    await waiting
    expect(order).toEqual(['killed', 'ours'])
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).size).toBe(0)
  })

  it('lets one after the other do its work, also within one process and after one that failed', async () => {
    const [one, two] = [lock(), lock()]
    let inside = 0
    const work = async () => {
      expect(++inside).toBe(1)
      // The others try meanwhile.
      await new Promise((resolve) => setTimeout(resolve, 2))
      inside--
    }
    const failing = one.hold(() => Promise.reject(new Error('failed')))
    const all = Array.from({ length: 10 }, (_, index) => (index % 2 ? one : two).hold(work))
    await expect(failing).rejects.toThrow('failed')
    await Promise.all(all)
  })

  it('comes to each in turn, however often another process wants it again at once', async () => {
    const turns = join(folder, 'turns')
    const greedy = runTypescript(resolve(import.meta.dirname, '../peers/greedyLockHolder.ts'), [path, turns])
    await once(greedy.stdout, 'data')
    const ours = lock()
    const waited: number[] = []
    for (let round = 0; round < 10; round++) {
      const before = statSync(turns).size
      waited.push(await ours.hold(() => Promise.resolve(statSync(turns).size - before)))
      const after = statSync(turns).size
      await expect.poll(() => statSync(turns).size, { interval: 5 }).toBeGreaterThan(after)
    }
    greedy.kill('SIGKILL')
    await once(greedy, 'close')
    // One is under way, and on a busy computer some come before ours has the place in front. Without that place, the lock would
    // hardly ever be free when ours looks.
    expect(Math.max(...waited)).toBeLessThan(20)
  })

  it('is waited for as long as it moves, however many come first, and given up where one holder keeps it', async () => {
    const WAIT_MS = 1_000
    const done = Array.from({ length: 16 }, () =>
      lock(WAIT_MS).hold(() => new Promise((resolve) => setTimeout(resolve, WAIT_MS / 8))),
    )
    await Promise.all(done)

    const holder = runTypescript(resolve(import.meta.dirname, '../peers/lockHolder.ts'), [path])
    await once(holder.stdout, 'data')
    await expect(lock(WAIT_MS).hold(async () => undefined)).rejects.toMatchObject({ code: 'BUSY' })
    holder.kill('SIGKILL')
    await lock(WAIT_MS).hold(async () => undefined)
  })

  it('is found again when somebody deleted its file', async () => {
    const one = lock()
    await one.hold(async () => undefined)
    rmSync(path)
    await one.hold(async () => {
      expect(readdirSync(folder)).toContain('x.lock')
    })
  })
})
