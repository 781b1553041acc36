import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { withLock } from './lock'

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-lock-'))
  path = join(folder, 'run.lock')
})
afterEach(() => rmSync(folder, { recursive: true }))

const hold = <T>(work: () => Promise<T>, waitMs = 0) => withLock(path, { subject: 'The run', waitMs }, work)
const nothing = () => Promise.resolve()
const ended = { program: 'Bridgedeck', pid: 2 ** 30, host: hostname(), startedAt: 1 }

describe('a lock', () => {
  it('names its holder while the work is done, and is gone afterwards', async () => {
    await hold(() => {
      expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid, host: hostname() })
      return nothing()
    })
    await expect(hold(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
    expect(readdirSync(folder)).toEqual([])
  })

  it('is refused while somebody holds it, and says who', async () => {
    await hold(async () => {
      await expect(hold(nothing)).rejects.toMatchObject({
        code: 'CONFLICT',
        message: expect.stringMatching(new RegExp(`^The run .*process ${process.pid} on .* since \\d{4}-`)) as string,
      })
    })
  })

  it('is refused after the computer slept, which the uptime of its holder leaves out', async () => {
    const uptime = process.uptime()
    vi.spyOn(process, 'uptime').mockReturnValue(uptime - 3_600)
    try {
      await hold(() => expect(hold(nothing)).rejects.toMatchObject({ code: 'CONFLICT' }))
    } finally {
      vi.restoreAllMocks()
    }
  })

  it('is waited for, each holder alone', async () => {
    let holders = 0
    let most = 0
    const work = async () => {
      most = Math.max(most, ++holders)
      await new Promise((resolve) => setImmediate(resolve))
      holders--
    }
    await Promise.all(Array.from({ length: 5 }, () => hold(work, 20_000)))
    expect(most).toBe(1)
  })

  it.each([ended, { ...ended, startedAt: '2026-01-01T00:00:00.000Z', since: '2026-01-01T00:00:01.000Z' }])(
    'of a process that has ended is taken over',
    async (holder) => {
      writeFileSync(path, JSON.stringify(holder))
      const left = await withLock(path, { subject: 'The run' }, (found) => Promise.resolve(found))
      expect(left?.pid).toBe(holder.pid)
      expect(readdirSync(folder)).toEqual([])
    },
  )

  it.each(['', 'somebody', '{"pid":1073741824}', JSON.stringify({ ...ended, host: 'another-computer' })])(
    'of a holder that may still run is left alone: %s',
    async (text) => {
      writeFileSync(path, text)
      await expect(hold(nothing)).rejects.toMatchObject({ code: 'CONFLICT' })
      expect(readFileSync(path, 'utf8')).toBe(text)
    },
  )

  it('that somebody else took meanwhile is not removed', async () => {
    await hold(() => {
      writeFileSync(path, 'theirs')
      return nothing()
    })
    expect(readFileSync(path, 'utf8')).toBe('theirs')
  })
})
