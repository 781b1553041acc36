import { writeFile } from 'atomically'
import { basename } from 'node:path'
import { describeFileError } from '../../files/fileErrors'

/** @param path undefined when the user cancelled the dialog */
export async function saveTo(path: string | undefined, bytes: Uint8Array): Promise<{ name: string | null }> {
  if (path === undefined) return { name: null }
  try {
    await writeFile(path, Buffer.from(bytes))
  } catch (error) {
    throw describeFileError(error, basename(path), 'written')
  }
  return { name: basename(path) }
}
