import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { AppError } from '@shared/contract/errors'
import { describeFileError } from './fileErrors'

const caught = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work
    return undefined
  } catch (error) {
    return error
  }
}

describe('a file system’s error', () => {
  it('names a file that is not there', async () => {
    const error = await caught(readFile(join(tmpdir(), 'bridgedeck-no-such-file')))
    expect(describeFileError(error, 'demo.prg', 'read')).toMatchObject({
      code: 'NOT_FOUND',
      message: 'There is no file demo.prg.',
    })
  })
  it('names a folder that is not there', async () => {
    const error = await caught(writeFile(join(tmpdir(), 'bridgedeck-no-such-folder', 'x'), ''))
    expect(describeFileError(error, 'x', 'written')).toMatchObject({
      code: 'NOT_FOUND',
      message: 'The folder for x does not exist.',
    })
  })
  it('tells a folder from a file', async () => {
    expect(describeFileError(await caught(readFile(tmpdir())), 'tmp', 'read')).toMatchObject({
      code: 'INVALID',
      message: 'tmp is a folder, not a file.',
    })
  })
  it('leaves other errors as they are', () => {
    const own = new AppError('INVALID', 'It is empty.')
    const bug = new TypeError('undefined is not a function')
    expect(describeFileError(own, 'x', 'read')).toBe(own)
    expect(describeFileError(bug, 'x', 'read')).toBe(bug)
  })
})
