import { AppError } from '@shared/contract/errors'
import { machineNamesHint, type HostAndPort, type LinkAddress } from '@shared/contract/machineName'
import type { ChildStore } from '../storage/children'
import type { NoteStore } from '../storage/notes'
import type { SettingsStore } from '../storage/settings'
import type { Machine } from './machine'

/** What drivers need of the bridge. */
export interface MachineDeps {
  readonly dataFolder: string
  readonly resources: string
  readonly workerPath: string
  readonly lifetime: 'window' | 'call'
  readonly settings: SettingsStore
  readonly children: ChildStore
  readonly notes: NoteStore
}

/** A board with a serial port, by what USB reports of it. */
interface Board {
  readonly title: string
  /** Vendor and product number in hex, as in 16c0:0489. */
  readonly ids: string
  /** What must stand in its texts, where other boards use the same numbers. */
  readonly says?: RegExp
}

export interface Driver {
  /** The machine of this name. Settings are read when it connects, not now. */
  create(name: string, link: LinkAddress | null, deps: MachineDeps): Machine
  readonly boards?: readonly Board[]
}

/** For a kind whose names all have an address. */
export function requireLink(link: LinkAddress | null): LinkAddress {
  if (link) return link
  throw new AppError('INVALID', 'This machine’s name needs an address.', { hint: machineNamesHint })
}

/** For a kind that is reached over the network only. */
export function requireTcp(link: LinkAddress | null): HostAndPort {
  if (link?.kind === 'tcp') return { host: link.host, port: link.port }
  throw new AppError('INVALID', 'This machine’s name needs a host.', { hint: machineNamesHint })
}
