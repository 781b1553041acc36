import { valuesOf, viewChoice, type ChosenOf, type ViewChoiceKey } from './viewChoices'
import { oneOf, setViewValue, useViewState, viewValue } from './viewState'

function reader<Key extends ViewChoiceKey>(key: Key): (stored: unknown) => ChosenOf<Key> {
  const [first, ...others] = valuesOf(key)
  if (first === undefined) throw new Error(`${key} has no options.`)
  return oneOf(first, ...others)
}

export const useChosen = <Key extends ViewChoiceKey>(key: Key) => useViewState(key, reader(key))

export const chosenNow = <Key extends ViewChoiceKey>(key: Key): ChosenOf<Key> => viewValue(key, reader(key))

export const choose = <Key extends ViewChoiceKey>(key: Key, value: ChosenOf<Key>): void => setViewValue(key, value)

export function chooseSeen(key: ViewChoiceKey, value: string): void {
  for (const [outer, chosen] of Object.entries(viewChoice(key).within ?? {})) setViewValue(outer, chosen)
  setViewValue(key, value)
}
