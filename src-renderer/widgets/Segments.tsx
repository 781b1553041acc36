import { ToggleGroup } from 'radix-ui'

interface SegmentsProps<Value extends string> {
  readonly label: string
  readonly value: Value | null
  readonly options: readonly { readonly value: Value; readonly label: string }[]
  readonly onChange: (value: Value) => void
  /** Why nothing can be chosen now. */
  readonly why?: string | null
}

/** A row of two or three choices of which one is down. Arrow keys move among them. */
export function Segments<Value extends string>({ label, value, options, onChange, why = null }: SegmentsProps<Value>) {
  return (
    <ToggleGroup.Root
      type="single"
      className="segments"
      aria-label={label}
      value={value ?? ''}
      disabled={why !== null}
      title={why ?? undefined}
      onValueChange={(chosen) => {
        const option = options.find((candidate) => candidate.value === chosen)
        if (option) onChange(option.value)
      }}
    >
      {options.map((option) => (
        <ToggleGroup.Item key={option.value} value={option.value} className="button" aria-disabled={why === null ? undefined : true}>
          {option.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  )
}
