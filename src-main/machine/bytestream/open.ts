import type { LinkAddress } from '@shared/contract/machineName'
import type { ByteStream } from './byteStream'
import { openSerial } from './serial'
import { openTcp } from './tcp'

/** Opens a device's line. @throws AppError */
export const open = (link: LinkAddress, signal: AbortSignal): Promise<ByteStream> =>
  link.kind === 'tcp' ? openTcp(link, signal) : openSerial(link.device, link.baud, signal)

/** The line's device or address for messages. */
export function describeLink(link: LinkAddress): string {
  if (link.kind === 'serial') return link.device
  return `${link.host.includes(':') ? `[${link.host}]` : link.host}:${link.port}`
}
