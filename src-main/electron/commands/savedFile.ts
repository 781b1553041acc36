import { writeFile } from 'atomically'
import { basename } from 'node:path'
import { MAX_PATH_CHARACTERS, type SavedFile } from '@shared/contract/savedFile'
import { describeFileError } from '../../files/fileErrors'
import type { Grants } from '../grants'

export const savedFile = (grants: Grants, path: string): SavedFile => ({
  ...grants.issue(path),
  path: path.slice(0, MAX_PATH_CHARACTERS),
})

export async function saveTo(
  grants: Grants,
  path: string | undefined,
  bytes: Uint8Array,
): Promise<{ saved: SavedFile | null }> {
  if (path === undefined) return { saved: null }
  try {
    await writeFile(path, Buffer.from(bytes))
  } catch (error) {
    throw describeFileError(error, basename(path), 'written')
  }
  return { saved: savedFile(grants, path) }
}
