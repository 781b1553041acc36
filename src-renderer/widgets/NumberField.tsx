import { useState } from 'react'

interface NumberFieldProps {
  readonly label: string
  /** Null is an empty field. */
  readonly value: number | null
  readonly min: number
  readonly max: number
  readonly isWhole?: boolean
  readonly mayBeEmpty?: boolean
  readonly onChange: (value: number | null) => void
}

/** A number that takes effect when the field is left or Enter is pressed. */
export function NumberField({
  label,
  value,
  min,
  max,
  isWhole = false,
  mayBeEmpty = false,
  onChange,
}: NumberFieldProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? (value === null ? '' : String(value))
  const number = text.trim() === '' ? null : Number(text)
  const isValid = number === null ? mayBeEmpty : number >= min && number <= max && !(isWhole && number % 1 !== 0)
  const commit = () => {
    if (!isValid || typed === null) return
    onChange(number)
    setTyped(null)
  }
  return (
    <label className="check">
      <input
        className="field data number-field"
        inputMode="decimal"
        aria-invalid={!isValid}
        value={text}
        placeholder={mayBeEmpty ? '–' : undefined}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={commit}
        onKeyDown={({ key }) => {
          if (key === 'Enter') commit()
        }}
      />
      {label}
      {isValid ? '' : `: ${min} to ${max}`}
    </label>
  )
}
