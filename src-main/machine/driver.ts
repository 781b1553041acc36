import { AppError } from '@shared/contract/errors'
import type { BridgeLifetime } from '@shared/contract/bridge'
import { machineNamesHint, type HostAndPort, type LinkAddress } from '@shared/contract/machineName'
import type { ChildStore } from '../storage/children'
import type { NoteStore } from '../storage/notes'
import type { SettingsStore } from '../storage/settings'
import type { Machine } from './machine'

export interface MachineDeps {
  readonly dataFolder: string
  readonly resources: string
  readonly workerPath: string
  readonly lifetime: BridgeLifetime
  readonly settings: SettingsStore
  readonly children: ChildStore
  readonly notes: NoteStore
}

interface Board {
  readonly title: string
  /** Vendor and product number in hex, as in 16c0:0489. */
  readonly ids: string
  readonly description?: RegExp
}

export interface ProbeAnswer {
  readonly title: string | null
  readonly about: string
  readonly asksForPassword?: boolean
  readonly limit?: string
}

export interface Driver {
  /** Settings are read when the machine connects, not now. */
  create(name: string, link: LinkAddress | null, deps: MachineDeps): Machine
  /**
   * Asks who is at an address; changes nothing there.
   * @throws AppError where no machine of this kind answers
   */
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
