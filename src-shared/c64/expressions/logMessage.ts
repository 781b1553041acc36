/** What a checkpoint logs: text with expressions in braces, `X is {X} at {@$d012, decimal}`. */
import { AppError } from '../../contract/errors'
import { builtInNames } from '../labels/names'
import { compileExpression, type ExpressionMachine } from './compileExpression'
import { banksOf, type Expression, type ExpressionBank } from './expression'
import { formatValue, valueFormats } from './formatValue'
import { requireExpression, type AddressNames } from './parseExpression'

export const MAX_LOG_MESSAGE_LENGTH = 200

type Part = (machine: ExpressionMachine) => string

export interface LogMessage {
  readonly text: Part
  readonly banks: ReadonlySet<ExpressionBank>
}

/** Values are hexadecimal unless a format follows. Throws INVALID. */
export function requireLogMessage(text: string, names: AddressNames = builtInNames): LogMessage {
  const banks = new Set<ExpressionBank>()
  const expressionIn = (part: string): Expression => {
    const expression = requireExpression(part, names)
    for (const bank of banksOf(expression)) banks.add(bank)
    return expression
  }
  const parts = text
    .split(/\{([^{}]*)\}/)
    .map((part, index) => (index % 2 === 1 ? valueIn(part, expressionIn) : literal(part)))
  return { text: (machine) => parts.map((part) => part(machine)).join(''), banks }
}

function valueIn(part: string, expressionIn: (text: string) => Expression): Part {
  const [expression = '', wanted = 'hex', ...others] = part.split(',')
  const format = valueFormats.find((known) => known === wanted.trim().toLowerCase())
  if (format === undefined || others.length > 0)
    throw new AppError('INVALID', `“{${part}}” has no known format.`, { hint: `Formats: ${valueFormats.join(', ')}.` })
  const valueOf = compileExpression(expressionIn(expression))
  return (machine) => formatValue(valueOf(machine), format)
}

function literal(text: string): Part {
  const brace = /[{}]/.exec(text)
  if (brace)
    throw new AppError('INVALID', `The message has a “${brace[0]}” without its counterpart.`, {
      hint: 'Write expressions in braces: X is {X}.',
    })
  return () => text
}
