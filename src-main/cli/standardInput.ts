import { addAbortSignal } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { CommandContext } from './command'

/** Empty at a terminal, where nobody types a file. */
export const readStandardInput = async ({
  streams,
  signal,
}: Pick<CommandContext, 'streams' | 'signal'>): Promise<Buffer> =>
  streams.stdin.isTTY ? Buffer.alloc(0) : buffer(addAbortSignal(signal, streams.stdin))
