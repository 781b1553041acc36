import { mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeFolderError, readVersion } from './projectDisk'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'bridgedeck-disk-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

describe('a version of a state file', () => {
  it('has the same hash for the same text, whenever it was written, and another stamp', async () => {
    await writeFile(join(root, 'state.json'), '{}')
    const first = await readVersion(root, 'state.json')
    await writeFile(join(root, 'next'), '{}')
    await rename(join(root, 'next'), join(root, 'state.json'))
    await utimes(join(root, 'state.json'), 1, 1)
    const second = await readVersion(root, 'state.json')
    expect(second?.hash).toBe(first?.hash)
    expect(second?.stamp).not.toBe(first?.stamp)
    await writeFile(join(root, 'state.json'), '{ }')
    expect((await readVersion(root, 'state.json'))?.hash).not.toBe(first?.hash)
  })

  it('is none where there is no file, and one without a text where the file is outside', async () => {
    expect(await readVersion(root, 'none')).toBeUndefined()
    await symlink('/etc/hostname', join(root, 'link'))
    expect((await readVersion(root, 'link'))?.file).toMatchObject({
      text: null,
      findings: [{ rule: 'project/outside' }],
    })
  })
})

describe('a folder that cannot be read', () => {
  it.each([
    ['ENOENT', 'NOT_FOUND', 'There is no folder /p.'],
    ['EACCES', 'FORBIDDEN', 'The folder /p may not be read.'],
    ['ENOTDIR', 'INVALID', '/p is not a folder.'],
    ['EIO', 'INVALID', 'The folder /p could not be read (EIO).'],
  ])('says so in words: %s', (code, expected, message) => {
    expect(describeFolderError(Object.assign(new Error(code), { code }), '/p')).toMatchObject({
      code: expected,
      message,
    })
  })
})
