import type { LinkAddress } from '@shared/contract/machineName'
import type { ByteStream } from './byteStream'
import { openSerial } from './serial'
import { openTcp } from './tcp'

/** Opens a device's line. Throws an AppError that says in one sentence why not, and what to do. */
export const open = (link: LinkAddress, signal: AbortSignal): Promise<ByteStream> =>
  link.kind === 'tcp' ? openTcp(link, signal) : openSerial(link.device, link.baud, signal)

/** Where a line leads, to end a sentence with. */
export function describeLink(link: LinkAddress): string {
  if (link.kind === 'serial') return link.device
  return `${link.host.includes(':') ? `[${link.host}]` : link.host}:${link.port}`
}
