import { formatAddress } from '../address'
import { nameOperand, type Instruction } from '../disassembler'
import { builtInNames, type Names } from './names'

export function nameTarget(
  instruction: Pick<Instruction, 'text' | 'target'>,
  names: Names,
): { readonly text: string; readonly comment: string } {
  const { text, target } = instruction
  if (target === null) return { text, comment: '' }
  const name = names.at(target)?.name
  const named = name !== undefined && name !== builtInNames.at(target)?.name
  return named
    ? { text: nameOperand(instruction, name), comment: formatAddress(target) }
    : { text, comment: name ?? '' }
}
