import { useChosen } from './chosen'
import { valuesOf, viewChoice, type ViewChoiceKey } from './viewChoices'

interface ChoiceSelectProps<Key extends ViewChoiceKey> {
  readonly choice: Key
  readonly className?: string
  readonly why?: (value: string) => string | null
}

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
