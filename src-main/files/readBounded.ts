import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { AppError } from '@shared/contract/errors'
import { describeFileError } from './fileErrors'

/**
 * Reads a file that a person chose.
 * @throws AppError NOT_FOUND, FORBIDDEN, or INVALID for what is no file (a pipe would never end) or has more bytes
 */
export async function readBounded(path: string, maxBytes: number): Promise<Uint8Array> {
  const name = basename(path)
  try {
    const found = await stat(path)
    if (!found.isFile() && !found.isDirectory()) throw new AppError('INVALID', `${name} is no file.`)
    if (found.size > maxBytes)
      throw new AppError('INVALID', `${name} is too large: ${found.size} bytes, and ${maxBytes} at most.`)
    return new Uint8Array(await readFile(path))
  } catch (error) {
    throw describeFileError(error, name, 'read')
  }
}
