import { constants } from 'node:fs'
import { open, stat, type FileHandle } from 'node:fs/promises'
import { basename } from 'node:path'
import { AppError } from '@shared/contract/errors'
import { requireOpenedInside } from './agentFolders'
import { describeFileError } from './fileErrors'

/**
 * Never reads more than `maxBytes`: a file may grow meanwhile, and files under /proc report size 0.
 * @param name its name in messages
 * @throws AppError NOT_FOUND, FORBIDDEN, or INVALID for what is no file (a pipe would never end) or has more bytes
 */
export async function readBounded(path: string, maxBytes: number, name = basename(path)): Promise<Uint8Array> {
  try {
    const found = await stat(path)
    if (!found.isFile() && !found.isDirectory()) throw new AppError('INVALID', `${name} is no file.`)
    if (found.size > maxBytes)
      throw new AppError('INVALID', `${name} is too large: ${found.size} bytes, and ${maxBytes} at most.`)
    // O_NONBLOCK: must not wait for a pipe that has taken the file's place.
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      await requireOpenedInside(path, handle)
      const bytes = await readUpTo(handle, maxBytes, found.size)
      if (bytes === null) throw new AppError('INVALID', `${name} is too large: it has more than ${maxBytes} bytes.`)
      return bytes
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw describeFileError(error, name, 'read')
  }
}

const FIRST_READ_BYTES = 4096

async function readUpTo(handle: FileHandle, maxBytes: number, expectedBytes: number): Promise<Uint8Array | null> {
  let buffer = new Uint8Array(Math.max(FIRST_READ_BYTES, expectedBytes + 1))
  for (let length = 0; ;) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length)
    length += bytesRead
    if (length > maxBytes) return null
    if (bytesRead === 0) return buffer.slice(0, length)
    if (length === buffer.length) {
      const larger = new Uint8Array(2 * length)
      larger.set(buffer)
      buffer = larger
    }
  }
}
