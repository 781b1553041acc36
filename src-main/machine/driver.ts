import { AppError } from '@shared/contract/errors'
import type { BridgeLifetime } from '@shared/contract/bridge'
import { machineNamesHint, type HostAndPort, type LinkAddress } from '@shared/contract/machineName'
import type { ChildStore } from '../storage/children'
import type { NoteStore } from '../storage/notes'
import type { SettingsStore } from '../storage/settings'
import type { Machine } from './machine'

/** What drivers need from the bridge. */
export interface MachineDeps {
  readonly dataFolder: string
  readonly resources: string
  readonly workerPath: string
  readonly lifetime: BridgeLifetime
  readonly settings: SettingsStore
  readonly children: ChildStore
  readonly notes: NoteStore
}

/** A board with a serial port, as USB reports it. */
interface Board {
  readonly title: string
  /** Vendor and product number in hex, as in 16c0:0489. */
  readonly ids: string
  /** What its USB texts must match, where other boards use the same numbers. */
  readonly description?: RegExp
}

/** What a machine says of itself before it is connected. */
export interface ProbeAnswer {
  /** Its own name; null where it has none. */
  readonly title: string | null
  /** Product and version. */
  readonly about: string
  readonly asksForPassword?: boolean
  /** Why it cannot be connected, with what to do. */
  readonly limit?: string
}

export interface Driver {
  /** Creates the machine with this name. Settings are read when it connects, not now. */
  create(name: string, link: LinkAddress | null, deps: MachineDeps): Machine
  /** Asks who is at an address, and changes nothing there. @throws AppError where no machine of this kind answers */
  probe?(address: HostAndPort, signal: AbortSignal): Promise<ProbeAnswer>
  readonly boards?: readonly Board[]
}

/** @throws AppError INVALID where a machine's name has no address */
export function requireLink(link: LinkAddress | null): LinkAddress {
  if (link) return link
  throw new AppError('INVALID', 'This machine’s name needs an address.', { hint: machineNamesHint })
}

/** @throws AppError INVALID where a machine's name has no host, for kinds reached over the network only */
export function requireTcp(link: LinkAddress | null): HostAndPort {
  if (link?.kind === 'tcp') return { host: link.host, port: link.port }
  throw new AppError('INVALID', 'This machine’s name needs a host.', { hint: machineNamesHint })
}
