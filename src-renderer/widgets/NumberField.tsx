import { LineField } from './LineField'

interface NumberFieldProps {
  readonly label: string
  readonly value: number | null
  readonly min: number
  readonly max: number
  readonly isWhole?: boolean
  readonly mayBeEmpty?: boolean
  readonly placeholder?: string | undefined
  readonly onChange: (value: number | null) => void
}

export function NumberField({
  label,
  value,
  min,
  max,
  isWhole = false,
  mayBeEmpty = false,
  placeholder = '–',
  onChange,
}: NumberFieldProps) {
  const isValid = (number: number | null) =>
    number === null ? mayBeEmpty : number >= min && number <= max && !(isWhole && number % 1 !== 0)
  return (
    <LineField
      label={label}
      className="number-field"
      inputMode="decimal"
      value={value === null ? '' : String(value)}
      placeholder={mayBeEmpty ? placeholder : undefined}
      problemOf={(text) => (isValid(numberOf(text)) ? null : `${min} to ${max}`)}
      onChange={(text) => onChange(numberOf(text))}
    />
  )
}

const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text))
