import { formatAddress } from '@shared/c64/address'
import { fullNameOf, type ProgramLabel } from '@shared/c64/labels/programLabel'
import type { LabelFileState, MachineLabels } from '@shared/contract/labels'
import { counted } from '@shared/countedText'
import { MACHINES_HEADING, type CommandGroup } from '../../command'
import type { Cell } from '../../printed'
import { toned } from '../../printed'

export const labelGroup: CommandGroup = {
  name: 'label',
  aliases: ['labels'],
  defaultVerb: 'list',
  heading: MACHINES_HEADING,
  summary: 'The names that a program gives to its addresses',
  details:
    'Read from what assemblers and compilers write: VICE labels, lists of 64tass and ACME, 64tass listings (--list with --line-numbers and a -D), ACME reports, KickAssembler .dbg and .sym, cc65 .dbg, Oscar64 .dbj, and llvm-mos ELF files with their DWARF lines. A file beside a program (game.lbl beside game.prg) is loaded when the program is run, and again when it is rebuilt. Wherever an address is asked for, a label will do.',
}

export const filesShape = '[{ path, origin, format, labels, lines, problem }]'

export const fileData = ({ name: _, ...file }: LabelFileState) => file

export const fileRow = ({ name, format, labels, lines, origin, problem }: LabelFileState): Cell[] => [
  name,
  format ?? 'not read',
  counted(labels, 'label'),
  lines === 0 ? '' : `${lines} source lines`,
  origin === 'program' ? 'beside the program' : '',
  ...(problem === null ? [] : [toned('notice', problem)]),
]

export const labelData = (label: ProgramLabel) => ({
  name: fullNameOf(label),
  address: formatAddress(label.address),
  size: label.size,
  kind: label.kind,
})

export const labelRow = (label: ProgramLabel): Cell[] => [
  formatAddress(label.address),
  fullNameOf(label),
  label.kind === 'label' ? '' : label.kind,
  label.size === null ? '' : label.size === 1 ? '1 byte' : `${label.size} bytes`,
]

export const filesText = ({ machine, files }: MachineLabels): string =>
  files.length === 0 ? `${machine} has no labels.` : ''
