import { AppError } from '../../contract/errors'
import { formatAddress, parseAddress } from '../address'
import { disassemble, type Instruction } from '../disassembler'
import { builtInNames, type Names } from '../labels/names'

export type InstructionPattern = readonly RegExp[]

const MAX_INSTRUCTIONS = 8
const MAX_LENGTH = 80

const hint =
  'Write instructions as the disassembler shows them, ? for any digit and * for anything: sta $d0??, lda #* : sta $d020.'

/**
 * `sta $d0??`, `ld? #$00 : * vic.border`, `jsr draw+3`: consecutive instructions, separated by colons; `?` stands for
 * one character, `*` for any number. A mnemonic alone fits with every operand. Throws INVALID.
 */
export function parseInstructionPattern(text: string, names: Names = builtInNames): InstructionPattern {
  const instructions = text.split(':').map((part) => part.trim())
  if (instructions.some((instruction) => instruction === '' || instruction.length > MAX_LENGTH))
    throw new AppError('INVALID', 'There is no instruction to search for, or it is too long.', { hint })
  if (instructions.length > MAX_INSTRUCTIONS)
    throw new AppError('INVALID', `More than ${MAX_INSTRUCTIONS} instructions in a row.`, { hint })
  return instructions.map((instruction) => expressionOf(instruction, names))
}

function expressionOf(instruction: string, names: Names): RegExp {
  const [typed = '', ...rest] = instruction.split(/\s+/)
  const mnemonic = typed.toUpperCase()
  if (!/^[A-Z?*]{1,3}$/.test(mnemonic)) throw new AppError('INVALID', `“${mnemonic}” is no mnemonic.`, { hint })
  const operand = withoutNames(rest.join(''), names).toUpperCase()
  if (!/^[#()$,0-9A-FXY?*]*$/.test(operand)) throw new AppError('INVALID', `“${operand}” is no operand.`, { hint })
  return new RegExp(`^${globOf(mnemonic)}${operand === '' ? '( .*)?' : ` ${globOf(operand)}`}$`)
}

const globOf = (text: string): string =>
  text.replaceAll(/\*+|[^A-Z0-9*]/g, (sign) => (sign === '?' ? '.' : sign.startsWith('*') ? '.*' : `\\${sign}`))

/** `VIC.BORDER,X` becomes `$D020,X`. Numbers and the registers stay. Throws INVALID for an unknown name. */
const withoutNames = (operand: string, names: Names): string =>
  operand.replaceAll(/(?<![$?*@\p{L}\p{N}_])[\p{L}_@][\p{L}\p{N}_.@]+(?:[+-](?:\d+|\$[0-9a-f]+))?/giu, (name) =>
    formatAddress(parseAddress(name, names)),
  )

/**
 * Null where the instructions at `address` do not fit.
 * @param read wraps at $FFFF
 */
export function fittingInstructions(
  read: (address: number) => number,
  address: number,
  pattern: InstructionPattern,
): readonly Instruction[] | null {
  const found: Instruction[] = []
  let at = address
  for (const expression of pattern) {
    const instruction = disassemble(read, at)
    if (!expression.test(instruction.text)) return null
    found.push(instruction)
    at += instruction.length
  }
  return found
}
