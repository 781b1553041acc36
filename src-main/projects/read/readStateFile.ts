import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { toFailure } from '@shared/contract/errors'
import { placeOfOpened } from '../../files/agentFolders'
import { isInside } from '../../files/containedPath'
import { describeFileError } from '../../files/fileErrors'
import { fileFinding } from '../../formats/finding'
import { decodeStateFile, type StateFile } from '../../formats/text/stateFile'

/** Above any state file: 10,000 tasks with 20,000 edges are 1.5 MB. */
const MAX_FILE_BYTES = 4 * 1024 * 1024

/**
 * The project is untrusted: nothing outside its folder is read. Whatever is wrong with the file is among its findings.
 */
export async function readStateFile(root: string, path: string, decode = decodeStateFile): Promise<StateFile> {
  const refuse = (rule: string, found: string, expected: string): StateFile => ({
    path,
    text: null,
    modifiedAt: null,
    findings: [fileFinding(path, rule, 'error', found, expected)],
  })
  try {
    const target = await realpath(join(root, path))
    if (!isInside(root, target))
      return refuse('project/outside', 'a symbolic link out of the project', 'a file inside it')
    // Non-blocking, as the file may have become a pipe.
    const file = await open(target, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const place = await placeOfOpened(file)
      if (place !== undefined && !isInside(root, place))
        return refuse(
          'project/outside',
          'a link out of the project, put there while the file was opened',
          'a file inside it',
        )
      const found = await file.stat()
      const { size, mtimeMs } = found
      if (!found.isFile()) return refuse('file/kind', 'something else than a file', 'a file')
      if (size > MAX_FILE_BYTES)
        return {
          ...refuse('file/size', `${(size / 1024 / 1024).toFixed(1)} MB`, `at most ${MAX_FILE_BYTES / 1024 / 1024} MB`),
          modifiedAt: mtimeMs,
        }
      const bytes = new Uint8Array(size)
      let filled = 0
      while (filled < size) {
        const { bytesRead } = await file.read(bytes, filled, size - filled)
        if (bytesRead === 0) break
        filled += bytesRead
      }
      const read = bytes.subarray(0, filled)
      const decoded = decode(path, read, mtimeMs)
      return decoded.findings.length === 0 ? decoded : { ...decoded, bytes: Buffer.from(read).toString('base64') }
    } finally {
      await file.close()
    }
  } catch (error) {
    return refuse(
      'file/unreadable',
      toFailure(describeFileError(error, 'the file', 'read')).message.replace(/\.$/, ''),
      'a file that can be read',
    )
  }
}
