import type { LinkAddress } from '@shared/contract/machineName'
import type { ByteStream } from './byteStream'
import { openSerial } from './serial'
import { openTcp } from './tcp'

/** Opens a device's line. Throws an AppError that says in one sentence why not, and what to do. */
export const open = (link: LinkAddress, signal: AbortSignal): Promise<ByteStream> =>
  link.kind === 'tcp' ? openTcp(link, signal) : openSerial(link.device, link.baud, signal)
