/** What a checkpoint logs: text with expressions in braces, `X is {X} at {@$d012, decimal}`. */
import { AppError } from '../../contract/errors'
import { builtInNames } from '../labels/names'
import { compileExpression, type ExpressionMachine } from './compileExpression'
import { formatValue, valueFormats } from './formatValue'
import { requireExpression, type AddressNames } from './parseExpression'

export const MAX_LOG_MESSAGE_LENGTH = 200

export type LogMessage = (machine: ExpressionMachine) => string

/** Values are hexadecimal unless a format follows. Throws INVALID. */
export function requireLogMessage(text: string, names: AddressNames = builtInNames): LogMessage {
  // Every other part is an expression.
  const parts = text
    .split(/\{([^{}]*)\}/)
    .map((part, index) => (index % 2 === 1 ? valueIn(part, names) : literal(part)))
  return (machine) => parts.map((part) => part(machine)).join('')
}

function valueIn(part: string, names: AddressNames): LogMessage {
  const [expression = '', wanted = 'hex', ...others] = part.split(',')
  const format = valueFormats.find((known) => known === wanted.trim().toLowerCase())
  if (format === undefined || others.length > 0)
    throw new AppError('INVALID', `“{${part}}” has no known format.`, { hint: `Formats: ${valueFormats.join(', ')}.` })
  const valueOf = compileExpression(requireExpression(expression, names))
  return (machine) => formatValue(valueOf(machine), format)
}

function literal(text: string): LogMessage {
  const brace = /[{}]/.exec(text)
  if (brace)
    throw new AppError('INVALID', `The message has a “${brace[0]}” without its counterpart.`, {
      hint: 'Write expressions in braces: X is {X}.',
    })
  return () => text
}
