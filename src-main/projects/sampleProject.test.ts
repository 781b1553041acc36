import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { provideSample } from './sampleProject'

describe('the copy of the sample project', () => {
  let folder: string
  let from: string
  let to: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bridgedeck-sample-'))
    from = join(folder, 'built')
    to = join(folder, 'data', 'sample-project')
    await mkdir(join(from, '.meta'), { recursive: true })
    await mkdir(join(folder, 'data'))
    await writeFile(join(from, '.meta', 'session.json'), '{}', { mode: 0o444 })
    await chmod(join(from, '.meta'), 0o555)
  })
  afterEach(async () => {
    await chmod(join(from, '.meta'), 0o755).catch(() => undefined)
    await rm(folder, { recursive: true, force: true })
  })

  it('has all files, hidden ones too, and may be written', async () => {
    expect(await provideSample(from, to)).toBe(to)
    expect(await readFile(join(to, '.meta', 'session.json'), 'utf8')).toBe('{}')
    expect((await stat(join(to, '.meta', 'session.json'))).mode & 0o200).toBe(0o200)
    expect((await stat(join(to, '.meta'))).mode & 0o200).toBe(0o200)
    expect(await readdir(join(folder, 'data'))).toEqual(['sample-project'])
  })

  it('stays as the person left it', async () => {
    await provideSample(from, to)
    await writeFile(join(to, '.meta', 'session.json'), '{"mine": true}')
    await provideSample(from, to)
    expect(await readFile(join(to, '.meta', 'session.json'), 'utf8')).toBe('{"mine": true}')
  })

  it('is one, however many ask for it at once', async () => {
    expect(await Promise.all([provideSample(from, to), provideSample(from, to)])).toEqual([to, to])
    expect(await readdir(join(to, '.meta'))).toEqual(['session.json'])
  })

  it('that was not built is said to be missing', async () => {
    await expect(provideSample(join(folder, 'nowhere'), to)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await readdir(join(folder, 'data'))).toEqual([])
  })
})
