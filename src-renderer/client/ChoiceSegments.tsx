import { Segments } from '../widgets/Segments'
import { useChosen } from './chosen'
import { valuesOf, viewChoice, type ChosenOf, type ViewChoiceKey } from './viewChoices'

interface ChoiceSegmentsProps<Key extends ViewChoiceKey> {
  readonly choice: Key
  readonly shown?: ChosenOf<Key>
  readonly why?: (value: ChosenOf<Key>) => string | null
  readonly keys?: string
}

export function ChoiceSegments<Key extends ViewChoiceKey>({ choice, shown, why, keys }: ChoiceSegmentsProps<Key>) {
  const [chosen, choose] = useChosen(choice)
  const { label, options, tips } = viewChoice(choice)
  return (
    <Segments
      label={label}
      value={shown ?? chosen}
      options={valuesOf(choice).map((value, at) => ({
        value,
        label: options[value] ?? value,
        ...(tips?.[value] === undefined ? {} : { tip: tips[value] }),
        ...(keys === undefined ? {} : { shortcut: `${keys}${at + 1}` }),
        why: why?.(value) ?? null,
      }))}
      onChange={choose}
    />
  )
}
