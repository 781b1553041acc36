import { snapshotDelete } from '../../commands/snapshot/delete'
import { snapshotList } from '../../commands/snapshot/list'
import { snapshotRestore } from '../../commands/snapshot/restore'
import { snapshotSave } from '../../commands/snapshot/save'
import { stateLoad } from '../../commands/state/load'
import { stateSave } from '../../commands/state/save'
import { change, look, followedBy, type Tool } from '../tool'

export const snapshotTool: Tool = {
  name: 'snapshot',
  title: 'Snapshots and states',
  about: 'Memory under a name, to compare later; whole states in files. Take one before a risky step.',
  operations: {
    save: change(snapshotSave, 'memory under a name', followedBy('memory diff shows what changed since')),
    restore: change(snapshotRestore, 'RAM and colour RAM back'),
    list: look(snapshotList, 'all of them'),
    delete: change(snapshotDelete, 'one'),
    save_state: look(stateSave, 'the machine into a file'),
    load_state: change(stateLoad, 'a file into the machine'),
  },
}
