import { writeFile } from 'atomically'
import { describeFileError } from '../files/fileErrors'
import type { FilePath } from './parameters'

export async function saveFile({ path, written }: FilePath, bytes: Uint8Array): Promise<void> {
  try {
    await writeFile(path, Buffer.from(bytes))
  } catch (error) {
    throw describeFileError(error, written, 'written')
  }
}
