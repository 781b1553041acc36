import { useEffect, useEffectEvent, useRef, useState } from 'react'

interface LineFieldProps {
  readonly label: string
  readonly value: string
  readonly placeholder?: string | undefined
  readonly className?: string
  readonly inputMode?: 'decimal'
  readonly problemOf: (text: string) => string | null
  readonly onChange: (text: string) => void
}

export function LineField({ label, value, className = '', problemOf, onChange, ...input }: LineFieldProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? value
  const problem = problemOf(text)
  const pending = useRef<string | null>(null)
  const type = (next: string | null) => {
    pending.current = next
    setTyped(next)
  }
  const commit = () => {
    const taken = pending.current
    if (taken === null || problemOf(taken) !== null) return
    type(null)
    onChange(taken)
  }
  // A field that is removed with the keyboard in it gets no blur event.
  const commitAtEnd = useEffectEvent(commit)
  useEffect(() => () => commitAtEnd(), [])
  return (
    <label className="check">
      <input
        {...input}
        className={`field data ${className}`}
        aria-invalid={problem !== null}
        value={text}
        onChange={({ target }) => type(target.value)}
        onBlur={commit}
        onKeyDown={({ key }) => {
          if (key === 'Enter') commit()
        }}
      />
      {label}
      {problem === null ? '' : `: ${problem}`}
    </label>
  )
}
