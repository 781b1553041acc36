import { closeSync, openSync, writeSync } from 'node:fs'
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compareAndSwap, mergeAndSwap, SwapConflict } from './compareAndSwap'

let root: string
let outside: string
const ended = new AbortController()
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'bridgedeck-swap-')))
  outside = await realpath(await mkdtemp(join(tmpdir(), 'bridgedeck-outside-')))
})
afterEach(async () => {
  await rm(root, { recursive: true })
  await rm(outside, { recursive: true })
})

const put = (file: string, text: string | Uint8Array) => writeFile(join(root, file), text)
const text = (file: string) => readFile(join(root, file), 'utf8')
const swap = (file: string, before: string | null, after: string | null, isStrict = false) =>
  compareAndSwap({ file, before, after }, { root, isStrict, signal: ended.signal })

const modeOf = async (file: string) => (await stat(join(root, file))).mode & 0o777

describe('a new file', () => {
  const long = new Date('2026-01-02T03:04:05Z')
  const make = (file: string, after: string, of: { from?: string; like?: string; mode?: number }) =>
    compareAndSwap({ file, before: null, after, ...of }, { root, isStrict: true, signal: ended.signal })

  it('that is a moved one has its mode, and its times where the text is the same', async () => {
    await put('a.md', 'one')
    await chmod(join(root, 'a.md'), 0o754)
    await utimes(join(root, 'a.md'), long, long)
    await make('same.md', 'one', { from: 'a.md' })
    await make('other.md', 'two', { from: 'a.md' })
    expect([await modeOf('same.md'), await modeOf('other.md')]).toEqual([0o754, 0o754])
    expect((await stat(join(root, 'same.md'))).mtime).toEqual(long)
    expect((await stat(join(root, 'other.md'))).mtime).not.toEqual(long)
  })

  it('that is a copy has its mode alone; one that is there again the mode that is told; others are their owner’s', async () => {
    await put('a.sh', 'one')
    await chmod(join(root, 'a.sh'), 0o755)
    await utimes(join(root, 'a.sh'), long, long)
    await make('copy.sh', 'one', { like: 'a.sh' })
    expect((await stat(join(root, 'copy.sh'))).mtime).not.toEqual(long)
    const { mode } = await swap('a.sh', 'one', null)
    await make('a.sh', 'one', { mode: mode ?? 0 })
    await make('new.md', 'one', {})
    expect([await modeOf('copy.sh'), await modeOf('a.sh'), await modeOf('new.md')]).toEqual([0o755, 0o755, 0o600])
  })
})

it('a new file is not made where a folder is, and that is said', async () => {
  await mkdir(join(root, 'there'))
  await expect(swap('there', null, 'x')).rejects.toMatchObject({ code: 'INVALID', message: 'there is a folder.' })
})

describe('a file that is merged and swapped', () => {
  it('is read, merged and replaced in one go, with the mode that it had', async () => {
    await put('a.md', 'one')
    await chmod(join(root, 'a.md'), 0o640)
    const done = await mergeAndSwap('a.md', (now) => `${now} and two`, { root, signal: ended.signal })
    expect(done).toMatchObject({ before: 'one', after: 'one and two' })
    expect([await text('a.md'), await modeOf('a.md')]).toEqual(['one and two', 0o640])
    expect(await readdir(root)).toEqual(['a.md'])
  })

  it('is left as it is when there is nothing to merge, no file, or no text', async () => {
    await put('a.md', 'one')
    await put('b.md', Uint8Array.of(0xff, 0xfe))
    expect(await mergeAndSwap('a.md', () => undefined, { root })).toBeUndefined()
    await expect(mergeAndSwap('none.md', () => 'two', { root })).rejects.toThrow(SwapConflict)
    await expect(mergeAndSwap('b.md', () => 'two', { root })).rejects.toMatchObject({ code: 'INVALID' })
    await expect(mergeAndSwap('../b.md', () => 'two', { root })).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(await readdir(root)).toEqual(['a.md', 'b.md'])
  })
})

describe('a file that is swapped', () => {
  it('has the new text, the mode that it had, and nothing left beside it', async () => {
    await put('state.md', 'one')
    await chmod(join(root, 'state.md'), 0o640)
    await swap('state.md', 'one', 'two')
    expect(await text('state.md')).toBe('two')
    expect((await stat(join(root, 'state.md'))).mode & 0o777).toBe(0o640)
    expect(await readdir(root)).toEqual(['state.md'])
  })

  it('keeps its byte order mark and line ends, as they are part of the text', async () => {
    await put('state.md', '\uFEFFone\r\n')
    await swap('state.md', '\uFEFFone\r\n', '\uFEFFtwo\r\n')
    expect(await text('state.md')).toBe('\uFEFFtwo\r\n')
  })

  it('stays as it is when it is no longer what it was, or no UTF-8', async () => {
    await put('state.md', 'changed')
    await expect(swap('state.md', 'one', 'two')).rejects.toThrow(SwapConflict)
    await expect(swap('gone.md', 'one', 'two')).rejects.toThrow(SwapConflict)
    await put('bytes.md', Uint8Array.of(0x41, 0xff, 0x42))
    await expect(swap('bytes.md', 'A\uFFFDB', 'two')).rejects.toMatchObject({
      code: 'INVALID',
      message: expect.stringContaining('UTF-8') as string,
    })
    expect(await text('state.md')).toBe('changed')
    expect(await readdir(root)).toEqual(['bytes.md', 'state.md'])
  })

  it('is made with its folders, once, and for its owner alone where that is asked for', async () => {
    await swap('a/b/new.md', null, 'new', true)
    expect(await text('a/b/new.md')).toBe('new')
    expect((await stat(join(root, 'a/b/new.md'))).mode & 0o777).toBe(0o600)
    await expect(swap('a/b/new.md', null, 'other')).rejects.toThrow(SwapConflict)
    expect(await readdir(join(root, 'a/b'))).toEqual(['new.md'])
  })

  it('is deleted only if it is what it was', async () => {
    await put('state.md', 'one')
    await expect(swap('state.md', 'two', null)).rejects.toThrow(SwapConflict)
    expect(await text('state.md')).toBe('one')
    await swap('state.md', 'one', null)
    expect(await readdir(root)).toEqual([])
  })
})

describe('a place that a file names', () => {
  it('is in the project, in no folder of git, and behind no link out of it', async () => {
    await put('real.md', 'one')
    await symlink(outside, join(root, 'out'))
    await symlink(join(outside, 'missing.md'), join(root, 'dangling.md'))
    await mkdir(join(root, '.git'))
    for (const file of [
      '../x.md',
      '/etc/x',
      'a/../../x',
      'out/x.md',
      'out/deep/x.md',
      '.git/hooks/post-commit',
      'a//b',
      '',
      'a\\b',
    ]) {
      await expect(swap(file, null, 'x'), file).rejects.toMatchObject({ code: 'FORBIDDEN' })
    }
    await expect(swap('dangling.md', null, 'x')).rejects.toThrow()
    expect(await readdir(outside)).toEqual([])
  })

  it('may be a link to another file of the project, which then is what changes; but not where links are refused', async () => {
    await put('real.md', 'one')
    await symlink('real.md', join(root, 'link.md'))
    await expect(swap('link.md', 'one', 'two', true)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await swap('link.md', 'one', 'two')
    expect(await text('real.md')).toBe('two')
  })
})

describe('another program that writes at the same moment', () => {
  it('is heard of when it goes on writing into the file that was replaced', async () => {
    await put('state.md', 'one')
    const open = openSync(join(root, 'state.md'), 'r+')
    const { aftermath } = await compareAndSwap({ file: 'state.md', before: 'one', after: 'two' }, { root })
    writeSync(open, 'theirs', 0)
    closeSync(open)
    expect(await aftermath).toEqual({ kind: 'written', theirs: 'theirs' })
    expect(await text('state.md')).toBe('two')
  })

  it('is not taken for one when it writes afterwards', async () => {
    await put('state.md', 'one')
    const { aftermath } = await compareAndSwap({ file: 'state.md', before: 'one', after: 'two' }, { root })
    await put('.other', 'three')
    await rename(join(root, '.other'), join(root, 'state.md'))
    expect(await aftermath).toBeUndefined()
    expect(await text('state.md')).toBe('three')
  })
})
