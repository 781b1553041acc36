import type { LinkAddress } from '@shared/contract/machineName'
import type { ByteStream } from './byteStream'
import { openSerial } from './serial'
import { openTcp } from './tcp'

export const open = (link: LinkAddress, signal: AbortSignal): Promise<ByteStream> =>
  link.kind === 'tcp' ? openTcp(link, signal) : openSerial(link.device, link.baud, signal)

export function describeLink(link: LinkAddress): string {
  if (link.kind === 'serial') return link.device
  return `${link.host.includes(':') ? `[${link.host}]` : link.host}:${link.port}`
}
