import log from 'electron-log/main'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { inspect } from 'node:util'
import { redact } from '../files/redact'

/** bytes; a file that grew past it becomes `<name>.old.log` */
const LARGEST_FILE = 5 * 1024 * 1024

export interface Log {
  info(message: string): void
  warn(message: string, cause?: unknown): void
  error(message: string, cause?: unknown): void
}

/** A log of its own file in `folder`, rotated and redacted; warnings also go to the terminal. */
export function openLog(folder: string, name: 'main' | 'bridge-output' | 'page'): Log {
  const logger = log.create({ logId: name })
  configure(logger, join(folder, `${name}.log`))
  const write = (level: 'info' | 'warn' | 'error') => (message: string, cause?: unknown) =>
    logger[level](redact(cause === undefined ? message : `${message}: ${inspect(cause)}`))
  return { info: write('info'), warn: write('warn'), error: write('error') }
}

function configure(logger: ReturnType<typeof log.create>, path: string): void {
  logger.transports.file.resolvePathFn = () => path
  logger.transports.file.maxSize = LARGEST_FILE
  logger.transports.file.format = '[{y}-{m}-{d} {h}:{i}:{s}.{ms}] [{level}] {text}'
  logger.transports.console.level = 'warn'
  logger.transports.console.format = '{text}'
  logger.transports.ipc.level = false
}

/** Passes on line by line what a process prints. */
export function logLines(log: Log, stream: NodeJS.ReadableStream): void {
  createInterface({ input: stream }).on('line', (line) => log.info(line))
}
