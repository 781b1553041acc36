import { addAbortSignal } from 'node:stream'
import { buffer } from 'node:stream/consumers'

/** Whole; empty at a terminal, where nobody types a file. */
export const readStandardInput = async (signal: AbortSignal): Promise<Buffer> =>
  process.stdin.isTTY ? Buffer.alloc(0) : buffer(addAbortSignal(signal, process.stdin))
