import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { isPrivateFolder } from '../files/privateFiles'

/** A Unix socket's path has at most 107 bytes on Linux and 103 on macOS. */
const MAX_SOCKET_PATH_BYTES = 100

/**
 * Where the path in the data folder is too long, the socket is in the user's runtime folder, else in the temporary one.
 * Windows has a named pipe.
 */
export function socketPath(
  dataFolder: string,
  platform: NodeJS.Platform = process.platform,
  environment: NodeJS.ProcessEnv = process.env,
): string {
  const digest = createHash('sha256').update(dataFolder).digest('hex').slice(0, 16)
  if (platform === 'win32') return `\\\\.\\pipe\\bridgedeck-${digest}`
  const path = join(dataFolder, 'bridge.sock')
  if (isShort(path)) return path
  const user = process.getuid?.() ?? 0
  // A command line that was not started from the desktop may lack the variable.
  for (const runtime of [environment.XDG_RUNTIME_DIR, `/run/user/${user}`]) {
    const inRuntime = join(runtime ?? '', `bridgedeck-${digest}`, 'bridge.sock')
    if (runtime !== undefined && isAbsolute(runtime) && isShort(inRuntime) && isPrivateFolder(runtime)) return inRuntime
  }
  return join(tmpdir(), `bridgedeck-${user}-${digest}`, 'bridge.sock')
}

const isShort = (path: string): boolean => Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES
