import type { AreaHandlers } from '../rpc/commands'
import type { MemorySnapshots } from './memorySnapshots'

export interface MemorySnapshotParts {
  readonly snapshots: MemorySnapshots
}

export const createMemorySnapshotHandlers = ({ snapshots }: MemorySnapshotParts): AreaHandlers<'snapshots'> => ({
  'snapshots.list': () => ({ snapshots: snapshots.all }),
  'snapshots.save': (input, signal) => snapshots.save(input, signal),
  'snapshots.import': (input) => snapshots.import(input),
  'snapshots.delete': ({ name }) => {
    snapshots.delete(name)
    return {}
  },
  'snapshots.restore': async (input, signal) => ({ written: await snapshots.restore(input, signal) }),
  'snapshots.compare': (input, signal) => snapshots.compare(input, signal),
})
