import { fileRun } from '../../commands/file/run'
import { machineCheck } from '../../commands/machine/check'
import { machineRun } from '../../commands/machine/run'
import { change, files, type Tool } from '../tool'

export const runTool: Tool = {
  name: 'run',
  title: 'Run programs',
  about: 'Loads and starts a program. With screen or wait_for, the answer has the screen.',
  operations: {
    assembly: change(machineRun, 'assembler source: labels, .byte, .word, .text, *=', {
      source: '.asm',
      isForeign: true,
    }),
    basic: change(machineRun, 'BASIC text with line numbers', { source: '.bas', isForeign: true }),
    file: files(machineRun, 'PRG, CRT, D64, SID, .asm, .bas', { isForeign: true }),
    check: files(machineCheck, 'YAML files of checks: programs and what is expected of them', { isForeign: true }),
    on_device: change(fileRun, 'a file on the machine’s own storage'),
  },
}
