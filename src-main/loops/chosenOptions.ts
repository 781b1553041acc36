import { AppError } from '@shared/contract/errors'
import {
  chosenOptionsSchema,
  optionsBySystem,
  type ChangedOptions,
  type ChosenOptions,
} from '@shared/contract/loopOptions'
import type { LoopSystem } from '@shared/contract/loops'
import { storedJson } from '@shared/storedJson'

const CHOSEN = 'start options'

export const chosenOptions = (stored: (name: string) => string | undefined): ChosenOptions =>
  storedJson(stored(CHOSEN), chosenOptionsSchema) ?? {}

/** @throws AppError INVALID for an option that the format does not have */
export function chooseOptions(
  system: LoopSystem,
  chosen: ChosenOptions,
  changed: ChangedOptions,
): Readonly<Record<string, string | null>> {
  const kept = Object.entries({ ...chosen, ...changed }).filter(([, value]) => value !== null)
  const { success, data, error } = optionsBySystem[system].safeParse(Object.fromEntries(kept))
  if (!success)
    throw new AppError('INVALID', `Not an option of this run: ${error.issues[0]?.message ?? 'unknown'}.`, {
      hint: 'Choose among those that its page shows.',
    })
  const text = JSON.stringify(data)
  return { [CHOSEN]: text === '{}' ? null : text }
}
