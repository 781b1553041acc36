import type { Readable, Writable } from 'node:stream'

export interface StandardStreams {
  readonly stdin: InputStream
  readonly stdout: OutputStream
  readonly stderr: OutputStream
}

export interface InputStream extends Readable {
  readonly isTTY?: boolean
  readonly setRawMode?: (isRaw: boolean) => unknown
}

export interface OutputStream extends Writable {
  readonly isTTY?: boolean
  readonly columns?: number
}
