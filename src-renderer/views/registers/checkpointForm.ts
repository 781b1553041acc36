import { formatRange, parseAddressRange, parseTypedAddress } from '@shared/c64/address'
import { stopOperations } from '@shared/checkpointStop'
import { AppError } from '@shared/contract/errors'
import type { Checkpoint, LabelledCheckpoint } from '@shared/contract/machine'

type Operation = Checkpoint['operations'][number]

export interface CheckpointForm {
  /** `c000`, a name, or a range `c000-c0ff`. */
  readonly where: string
  readonly operations: readonly Operation[]
  /** An expression of the machine's monitor, such as `A == $05`; empty for none. */
  readonly condition: string
  readonly temporary: boolean
}

/** What the form asks for. Throws INVALID with one sentence. */
export function parseCheckpoint({
  where,
  operations: chosen,
  condition,
  temporary,
}: CheckpointForm): Omit<LabelledCheckpoint, 'number' | 'hits'> {
  const { start, end } = parseAddressRange(where, parseTypedAddress)
  if (chosen.length === 0)
    throw new AppError('INVALID', 'No access is chosen that stops the machine.', {
      hint: 'Choose runs, is read or is written.',
    })
  const wanted = condition.trim()
  if (wanted.length > 255)
    throw new AppError('INVALID', 'The condition is longer than 255 characters.', { hint: 'Shorten it.' })
  return {
    start,
    end: end - 1,
    operations: [...chosen],
    stop: true,
    enabled: true,
    temporary,
    condition: wanted === '' ? null : wanted,
    label: null,
  }
}

/** `$C000`, or `$C000-$C0FF`. */
export const rangeText = ({ start, end }: Pick<Checkpoint, 'start' | 'end'>): string =>
  formatRange({ start, end: end + 1 })

export const operationsText = (of: readonly Operation[]): string =>
  stopOperations
    .filter(({ operation }) => of.includes(operation))
    .map(({ label }) => label)
    .join(', ')
