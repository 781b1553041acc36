/** On a disk that has no hard links, such as FAT and some network folders. */
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

/** What another program does right before a file is renamed. */
let meanwhile: () => void
let code: string
// Unit tests share their modules: this file has its own, and leaves none behind.
vi.resetModules()
vi.doMock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>()
  return {
    ...real,
    linkSync: () => {
      throw Object.assign(new Error(`${code}: link`), { code })
    },
    renameSync: (from: string, to: string) => {
      const act = meanwhile
      meanwhile = () => undefined
      act()
      real.renameSync(from, to)
    },
  }
})

vi.doMock('node:fs/promises', async (original) => ({
  ...(await original<typeof import('node:fs/promises')>()),
  link: () => Promise.reject(Object.assign(new Error(`${code}: link`), { code })),
}))

const { compareAndSwap, SwapConflict } = await import('./compareAndSwap')
afterAll(() => {
  vi.doUnmock('node:fs')
  vi.doUnmock('node:fs/promises')
  vi.resetModules()
})

let root: string
const ended = new AbortController()
ended.abort()
beforeEach(() => {
  meanwhile = () => undefined
  code = 'EPERM'
  root = realpathSync(mkdtempSync(join(tmpdir(), 'bridgedeck-unlinked-')))
})
afterEach(() => rmSync(root, { recursive: true }))

const path = () => join(root, 'state.md')
const text = () => readFileSync(path(), 'utf8')
const swap = (before: string | null, after: string | null) =>
  compareAndSwap({ file: 'state.md', before, after }, { root, signal: ended.signal })

describe('a text file on a disk without hard links', () => {
  it.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])(
    'is made once, replaced and deleted where a link fails with %s',
    async (why) => {
      code = why
      await swap(null, 'one')
      await expect(swap(null, 'other')).rejects.toThrow(SwapConflict)
      chmodSync(path(), 0o640)
      await swap('one', 'two')
      expect([text(), statSync(path()).mode & 0o777, readdirSync(root)]).toEqual(['two', 0o640, ['state.md']])
      await expect(swap('one', 'three')).rejects.toThrow(SwapConflict)
      await swap('two', null)
      expect(readdirSync(root)).toEqual([])
    },
  )

  it('keeps what another program writes into it in the very moment of being replaced', async () => {
    writeFileSync(path(), 'one', { mode: 0o640 })
    meanwhile = () => writeFileSync(path(), 'theirs')
    await expect(swap('one', 'two')).rejects.toThrow(SwapConflict)
    expect([text(), statSync(path()).mode & 0o777, readdirSync(root)]).toEqual(['theirs', 0o640, ['state.md']])
  })

  it('keeps the newest of what another program writes again and again', async () => {
    writeFileSync(path(), 'one')
    meanwhile = () => {
      writeFileSync(path(), 'theirs')
      meanwhile = () => writeFileSync(path(), 'newest')
    }
    await expect(swap('one', 'two')).rejects.toThrow(SwapConflict)
    expect(readdirSync(root)).toEqual(['state.md'])
  })

  it('keeps what another program writes in the very moment of being deleted', async () => {
    writeFileSync(path(), 'one')
    meanwhile = () => writeFileSync(path(), 'theirs')
    await expect(swap('one', null)).rejects.toThrow(SwapConflict)
    expect([text(), readdirSync(root)]).toEqual(['theirs', ['state.md']])
  })

  it('is not taken for one where a link fails for another reason', async () => {
    code = 'EIO'
    writeFileSync(path(), 'one')
    await expect(swap('one', 'two')).rejects.toThrow()
    expect([text(), readdirSync(root)]).toEqual(['one', ['state.md']])
  })
})
