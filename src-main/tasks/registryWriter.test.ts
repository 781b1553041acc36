import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { RegistryWriter } from './registryWriter'

const nothing = { rest: {}, entries: new Map(), others: [], notices: [] }

let home: string
/** When each rewrite started, and what it comes to. */
let starts: number[]
let rewriting: () => Promise<void>
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'bridgedeck-registry-'))
  starts = []
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(home, { recursive: true })
})

const writerOf = () =>
  new RegistryWriter({
    registry: {
      size: 0,
      rewrite: async () => {
        starts.push(performance.now())
        await rewriting()
        return { found: nothing, entries: nothing.entries }
      },
    },
    lockFile: join(home, 'lock'),
    entryOf: () => undefined,
    onWritten: () => undefined,
    onOutcome: () => undefined,
  })

const take = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

describe('what is scheduled', () => {
  it('is written twice as long after a rewrite as that took, at the earliest', async () => {
    rewriting = () => take(100)
    const writer = writerOf()
    const start = performance.now()
    writer.schedule('0001_a', 'state')
    await vi.advanceTimersByTimeAsync(151)
    writer.schedule('0002_b', 'state')
    await vi.advanceTimersByTimeAsync(1_000)
    expect(starts.map((time) => time - start)).toEqual([50, 350])
    await writer.close()
  })

  it('is flushed only when also a rewrite that is under way is done', async () => {
    rewriting = () => take(100)
    const writer = writerOf()
    writer.schedule('0001_a', 'state')
    await vi.advanceTimersByTimeAsync(60)
    const onFlushed = vi.fn()
    void writer.flush().then(onFlushed)
    await vi.advanceTimersByTimeAsync(50)
    expect(onFlushed).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(50)
    expect(onFlushed).toHaveBeenCalled()
    await writer.close()
  })

  it('is tried once more at the end when a rewrite that was under way fails', async () => {
    rewriting = () => take(100).then(() => Promise.reject(new Error('The disk is full.')))
    const writer = writerOf()
    writer.schedule('0001_a', 'state')
    await vi.advanceTimersByTimeAsync(60)
    const closed = writer.close()
    rewriting = () => Promise.resolve()
    await vi.advanceTimersByTimeAsync(200)
    await closed
    expect(starts).toHaveLength(2)
  })
})

describe('what is dropped', () => {
  it('stays where its entry became another one before the lock was had', async () => {
    const entries = new Map([
      ['0001_a', { id: '0001_a', status: 'stopped' }],
      ['0002_b', { id: '0002_b', status: 'running' }],
    ])
    let left: readonly string[] = []
    const writer = new RegistryWriter({
      registry: {
        size: 0,
        rewrite: (change) => {
          const changed = change({ ...nothing, entries })
          left = [...changed.keys()]
          return Promise.resolve({ found: nothing, entries: changed })
        },
      },
      lockFile: join(home, 'lock'),
      entryOf: () => undefined,
      onWritten: () => undefined,
      onOutcome: () => undefined,
    })
    await writer.write(new Set(), new Set(['0001_a', '0002_b']), (_, { status }) => status === 'stopped')
    expect(left).toEqual(['0002_b'])
    await writer.close()
  })
})
