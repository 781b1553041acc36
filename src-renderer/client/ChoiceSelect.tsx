import { useChosen } from './chosen'
import { valuesOf, viewChoice, type ViewChoiceKey } from './viewChoices'

interface ChoiceSelectProps<Key extends ViewChoiceKey> {
  readonly choice: Key
  readonly className?: string
  /** Why one of them cannot be chosen now. */
  readonly why?: (value: string) => string | null
}

/** A choice of the table as the system's own list. */
export function ChoiceSelect<Key extends ViewChoiceKey>({ choice, className = 'field', why }: ChoiceSelectProps<Key>) {
  const [chosen, choose] = useChosen(choice)
  const { label, options } = viewChoice(choice)
  return (
    <select
      className={className}
      aria-label={label}
      value={chosen}
      onChange={({ target }) => {
        const value = valuesOf(choice).find((each) => each === target.value)
        if (value !== undefined) choose(value)
      }}
    >
      {valuesOf(choice).map((value) => {
        const limit = why?.(value) ?? null
        return (
          <option key={value} value={value} disabled={limit !== null} title={limit ?? undefined}>
            {options[value]}
          </option>
        )
      })}
    </select>
  )
}
