import type { Readable, Writable } from 'node:stream'

/** Where a call reads and prints. */
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
  /** Of a terminal. */
  readonly columns?: number
}
