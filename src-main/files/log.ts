import type { MainTransports, NodeLogger } from 'electron-log'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { inspect } from 'node:util'
import { describeFailure, toFailure } from '@shared/contract/errors'
import { makePrivateFolder } from './privateFiles'
import { redact } from './redact'

/** A larger file becomes `<name>.old.log`. */
const MAX_FILE_BYTES = 5 * 1024 * 1024

export interface Log {
  info(message: string): void
  warn(message: string, cause?: unknown): void
  error(message: string, cause?: unknown): void
}

export const terminalLog: Log = {
  info: () => undefined,
  warn: (message) => void process.stderr.write(`${message}\n`),
  error: (message, cause) =>
    void process.stderr.write(
      `${cause === undefined ? message : `${message}: ${describeFailure(toFailure(cause))}`}\n`,
    ),
}

export function openLog(logger: NodeLogger, folder: string, name: 'main' | 'page' | 'bridge' | 'bridge-output'): Log {
  makeLogFolder(logger, folder)
  configure(logger.transports, join(folder, `${name}.log`))
  const write = (level: 'info' | 'warn' | 'error') => (message: string, cause?: unknown) =>
    logger[level](redact(cause === undefined ? message : `${message}: ${inspect(cause)}`))
  return { info: write('info'), warn: write('warn'), error: write('error') }
}

/** Where the folder cannot be made, what is logged goes to the terminal only; whoever writes there next says why. */
function makeLogFolder({ transports }: NodeLogger, folder: string): void {
  try {
    makePrivateFolder(folder)
  } catch (error) {
    transports.file.level = false
    process.stderr.write(`${describeFailure(toFailure(error))}\n`)
  }
}

type Transports = Pick<MainTransports, 'file' | 'console'> & Partial<Pick<MainTransports, 'ipc'>>

function configure({ file, console, ipc }: Transports, path: string): void {
  file.resolvePathFn = () => path
  file.writeOptions = { flag: 'a', mode: 0o600, encoding: 'utf8' }
  file.maxSize = MAX_FILE_BYTES
  file.format = '[{y}-{m}-{d} {h}:{i}:{s}.{ms}] [{level}] {text}'
  console.level = 'warn'
  console.format = '{text}'
  if (ipc) ipc.level = false
}

export function logLines(log: Log, stream: NodeJS.ReadableStream): void {
  createInterface({ input: stream }).on('line', (line) => log.info(line))
}
