import { fileRun } from '../../commands/file/run'
import { machineCheck } from '../../commands/machine/check'
import { machineLoad } from '../../commands/machine/load'
import { machineRun } from '../../commands/machine/run'
import { change, followedBy, type Operation, type Tool } from '../tool'

const seen: Pick<Operation, 'isForeign' | 'next'> = {
  isForeign: true,
  next: (given) => (given['screen'] === true || given['wait_for'] !== undefined ? null : 'see screen or see picture'),
}

export const runTool: Tool = {
  name: 'run',
  title: 'Run programs',
  about: 'Loads and starts a program. With screen or wait_for, the answer has the screen.',
  operations: {
    assembly: change(machineRun, 'assembler source: labels, .byte, .word, .text, *=', { source: '.asm', ...seen }),
    basic: change(machineRun, 'BASIC text with line numbers', { source: '.bas', ...seen }),
    file: change(machineRun, 'PRG, CRT, D64, SID, .asm, .bas', seen),
    check: change(machineCheck, 'YAML files of checks: programs and what is expected of them', { isForeign: true }),
    on_device: change(fileRun, 'a file on the machine’s own storage'),
    load: change(
      machineLoad,
      'a program or source into memory, not run',
      followedBy('type text “run”, or debug set PC'),
    ),
  },
}
