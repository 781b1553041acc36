import { ToggleGroup } from 'radix-ui'
import { Tip } from './Tip'

interface Option<Value extends string> {
  readonly value: Value
  readonly label: string
  readonly tip?: string
  /** Shown in the tooltip; the owner of the row handles the key. */
  readonly shortcut?: string
  readonly why?: string | null
}

interface SegmentsProps<Value extends string> {
  readonly label: string
  readonly value: Value | null
  readonly options: readonly Option<Value>[]
  readonly onChange: (value: Value) => void
  readonly why?: string | null
}

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
        if (option && !option.why) onChange(option.value)
      }}
    >
      {options.map((option) => {
        const item = (
          <ToggleGroup.Item
            key={option.value}
            value={option.value}
            className="button"
            aria-disabled={why || option.why ? true : undefined}
          >
            {option.label}
          </ToggleGroup.Item>
        )
        if (option.tip === undefined) return item
        return (
          <Tip key={option.value} text={option.tip} shortcut={option.shortcut} why={option.why}>
            {item}
          </Tip>
        )
      })}
    </ToggleGroup.Root>
  )
}
