import { copyFile, link, rename, rm } from 'node:fs/promises'
import { AppError, diskError } from '@shared/contract/errors'
import type { AgentCopies } from './agent'
import { isCode } from '../files/fileErrors'
import { isWithoutLinks } from '../files/stagedWrite'

/**
 * Gives the files a second name. Where the file system cannot, their content is copied at the end.
 * @returns a function to call at the end. Both throw AppError when the place cannot be written
 */
export async function shareOutput(files: AgentCopies, copies: AgentCopies, run: string): Promise<() => Promise<void>> {
  const left = (['output', 'errors'] as const).map(async (name) => {
    const beside = `${copies[name]}.${run}.tmp`
    // Left by a bridge that ended in the middle of this.
    await rm(beside, { force: true })
    if (await writing(copies[name], () => isLinked(files[name], beside))) {
      await writing(copies[name], () => rename(beside, copies[name]))
      await rm(beside, { force: true })
      return () => Promise.resolve()
    }
    return async () => {
      await writing(copies[name], async () => {
        try {
          await copyFile(files[name], beside)
          await rename(beside, copies[name])
        } finally {
          await rm(beside, { force: true })
        }
      })
    }
  })
  const ends = await Promise.all(left)
  return async () => {
    for (const end of ends) await end()
  }
}

async function isLinked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (isCode(error, 'EXDEV') || isWithoutLinks(error)) return false
    throw error
  }
}

async function writing<Result>(path: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    throw (
      diskError(error, path, 'written') ??
      new AppError('INVALID', `${path} could not be written${code}.`, {
        hint: 'Check that its folder is there and may be written.',
        cause: error,
      })
    )
  }
}
