import { defaultSettings } from '@shared/contract/settings'
import type { LoopsOptions } from '../../src-main/loops/loops'
import type { Database } from '../../src-main/storage/database'
import { HostStore } from '../../src-main/storage/hosts'
import { SidecarStore } from '../../src-main/storage/sidecar'
import { SpendingStore } from '../../src-main/storage/spending'

type Quiet = Omit<LoopsOptions, 'loops' | 'agents' | 'rootOf' | 'placeOf' | 'requireTrusted' | 'folder'>

/** Of loops that have all they ask for, that nobody listens to, and whose runs offer no action. */
export const loopsOptions = (database: Database): Quiet => ({
  commandOf: (agent) => agent,
  foldersOf: () => [],
  leftAtWork: () => Promise.resolve([]),
  hasProgram: () => true,
  hosts: new HostStore(database),
  uncommittedChanges: () => 'report',
  spending: new SpendingStore(database),
  limits: () => defaultSettings.agentLimits,
  sidecar: new SidecarStore(database),
  actionsOf: () => ({ offered: () => Promise.resolve([]), write: () => Promise.resolve({ outcome: 'nothing' }) }),
  agentAtWork: () => () => undefined,
  onChanged: () => undefined,
  log: () => undefined,
})
