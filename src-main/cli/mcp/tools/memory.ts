import { machineCopy } from '../../commands/machine/copy'
import { machineCoverage } from '../../commands/machine/coverage'
import { machineRead } from '../../commands/machine/read'
import { machineSearch } from '../../commands/machine/search'
import { machineWatch } from '../../commands/machine/watch'
import { machineWhy } from '../../commands/machine/why'
import { machineWrite } from '../../commands/machine/write'
import { snapshotDiff } from '../../commands/snapshot/diff'
import { valueFreeze } from '../../commands/value/freeze'
import { valueKeep } from '../../commands/value/keep'
import { valueList } from '../../commands/value/list'
import { valueRelease } from '../../commands/value/release'
import { valueStart } from '../../commands/value/start'
import { valueUndo } from '../../commands/value/undo'
import { change, look, followedBy, type Tool } from '../tool'

export const memoryTool: Tool = {
  name: 'memory',
  title: 'Memory',
  about: 'Addresses: $d020, 53280, a label, main+3, VIC.BORDER. Ranges: $c000-$c0ff, SID.',
  operations: {
    read: look(machineRead, 'bytes, or as names, assembler, basic, c'),
    write: change(machineWrite, 'hex bytes; verify reads back'),
    copy: change(machineCopy, 'to another place'),
    search: look(machineSearch, 'bytes with ??, text, words, pointers, instructions'),
    why: look(machineWhy, 'what a byte is for, and who wrote it'),
    diff: look(snapshotDiff, 'a snapshot against another, or @MACHINE'),
    watch: look(machineWatch, 'values over time, until a condition'),
    coverage: look(machineCoverage, 'what ran, was read, was written'),
    find_value: change(valueStart, 'begin to look for a value', followedBy('let it change, then memory keep')),
    keep: change(valueKeep, 'keep what changed as said'),
    undo: change(valueUndo, 'take a keep back'),
    found: look(valueList, 'the addresses that are left'),
    freeze: change(valueFreeze, 'hold a byte at a value'),
    release: change(valueRelease, 'end that'),
  },
}
