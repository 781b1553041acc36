import { formatRange, parseAddressRange, parseTypedAddress } from '@shared/c64/address'
import { requireLogMessage } from '@shared/c64/expressions/logMessage'
import { requireCondition } from '@shared/c64/expressions/parseExpression'
import { builtInNames, labelWritten, type Names } from '@shared/c64/labels/names'
import { stopOperations } from '@shared/checkpointStop'
import { AppError, describeFailure, toFailure } from '@shared/contract/errors'
import { MAX_FROM_HIT, type Checkpoint, type CheckpointChanges, type NewCheckpoint } from '@shared/contract/checkpoints'

type Operation = Checkpoint['operations'][number]

export interface CheckpointForm {
  /** `c000`, a label or another name, or a range `c000-c0ff`. */
  readonly where: string
  readonly operations: readonly Operation[]
  /** `A == $05`; empty for none. */
  readonly condition: string
  /** The first hit that counts; empty for each. */
  readonly hits: string
  /** What it logs in place of stopping, `X is {X}`; empty to stop. */
  readonly log: string
  readonly temporary: boolean
}

/** @throws AppError INVALID with one sentence */
export function parseCheckpoint(form: CheckpointForm, names: Names = builtInNames): NewCheckpoint {
  const { start, end } = parseAddressRange(form.where, parseTypedAddress, names)
  if (form.operations.length === 0)
    throw new AppError('INVALID', 'No access is chosen that stops the machine.', {
      hint: 'Choose runs, is read or is written.',
    })
  const { condition, fromHit, log } = parseChanges(form, names)
  return {
    start,
    end: end - 1,
    operations: [...form.operations],
    stop: log === null,
    enabled: true,
    temporary: form.temporary,
    condition,
    fromHit,
    log,
    label: labelWritten(form.where, start, names),
    line: null,
  }
}

export type CheckpointFields = Pick<CheckpointForm, 'condition' | 'hits' | 'log'>
export type CheckpointField = keyof CheckpointFields

export const fieldsOf = ({ condition, fromHit, log }: CheckpointChanges): CheckpointFields => ({
  condition: condition ?? '',
  hits: fromHit === 1 ? '' : String(fromHit),
  log: log ?? '',
})

/** @throws AppError INVALID with one sentence */
export function parseChanges(fields: CheckpointFields, names: Names = builtInNames): CheckpointChanges {
  const [condition, log] = [filled(fields.condition), filled(fields.log)]
  if (condition !== null) requireCondition(condition, names)
  if (log !== null) requireLogMessage(log, names)
  return { condition, fromHit: hitOf(fields.hits), log }
}

export function fieldProblems(
  fields: CheckpointFields,
  names: Names = builtInNames,
): Partial<Record<CheckpointField, string>> {
  const alone = { condition: '', hits: '', log: '' }
  const found = (['condition', 'hits', 'log'] as const).flatMap((field) => {
    try {
      parseChanges({ ...alone, [field]: fields[field] }, names)
      return []
    } catch (error) {
      return [[field, describeFailure(toFailure(error))] as const]
    }
  })
  return Object.fromEntries(found)
}

const filled = (text: string): string | null => (text.trim() === '' ? null : text.trim())

function hitOf(text: string): number {
  const hit = text.trim() === '' ? 1 : Number(text)
  if (Number.isInteger(hit) && hit >= 1 && hit <= MAX_FROM_HIT) return hit
  throw new AppError('INVALID', `“${text.trim()}” is no number of hits.`, { hint: `Write 1 to ${MAX_FROM_HIT}.` })
}

export const rangeText = ({ start, end }: Pick<Checkpoint, 'start' | 'end'>): string =>
  formatRange({ start, end: end + 1 })

export const operationsText = (of: readonly Operation[]): string =>
  stopOperations
    .filter(({ operation }) => of.includes(operation))
    .map(({ label }) => label)
    .join(', ')
