/** What an agent prints, in a place of the one who asked for it as well. */
import { copyFile, link, rename, rm } from 'node:fs/promises'
import { AppError, diskError } from '@shared/contract/errors'
import type { AgentCopies } from './agent'

/**
 * Gives the files of a run a second name. Where the file system cannot, their content is copied at the end.
 * @returns to be called at the end. Both throw AppError when the place cannot be written
 */
export async function shareOutput(files: AgentCopies, copies: AgentCopies, run: string): Promise<() => Promise<void>> {
  const left = (['output', 'errors'] as const).map(async (name) => {
    const beside = `${copies[name]}.${run}.tmp`
    // Of a bridge that ended in the middle of this.
    await rm(beside, { force: true })
    if (await writing(copies[name], () => isLinked(files[name], beside))) {
      await writing(copies[name], () => rename(beside, copies[name]))
      // Where both were one file already, it is still there.
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

/** Another file system, or one without links. */
const noLinks = ['EXDEV', 'EPERM', 'ENOSYS', 'ENOTSUP', 'EMLINK', 'EOPNOTSUPP']

async function isLinked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && noLinks.includes(String(error.code))) return false
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
