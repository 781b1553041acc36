import { chmod, cp, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '@shared/contract/errors'
import { describeFileError } from '../files/fileErrors'

/**
 * An existing copy is left as it is.
 * @param from perhaps read-only
 * @param to in an existing folder
 * @returns `to`
 * @throws AppError NOT_FOUND when the app was built without it, or what the disk says
 */
export async function provideSample(from: string, to: string): Promise<string> {
  const isThere = async (path: string): Promise<boolean> =>
    (await stat(path).catch(() => undefined))?.isDirectory() === true
  if (await isThere(to)) return to
  if (!(await isThere(from)))
    throw new AppError('NOT_FOUND', 'This build of Bridgedeck has no sample project.', {
      hint: 'Build it again with npm run build.',
    })
  // Complete or not there at all, even when the app ends meanwhile.
  const draft = await mkdtemp(`${to}.`).catch((error: unknown) => {
    throw describeFileError(error, 'sample-project', 'written')
  })
  try {
    await cp(from, draft, { recursive: true })
    await chmod(draft, 0o700)
    for (const entry of await readdir(draft, { recursive: true, withFileTypes: true }))
      await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600)
    await rename(draft, to)
  } catch (error) {
    await rm(draft, { recursive: true, force: true }).catch(() => undefined)
    if (await isThere(to)) return to
    throw describeFileError(error, 'sample-project', 'written')
  }
  return to
}
