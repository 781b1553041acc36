import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState, type KeyboardEvent } from 'react'
import { formatAddress, parseTypedAddress } from '@shared/c64/address'
import { toFailure } from '@shared/contract/errors'
import { IconButton } from '../widgets/IconButton'
import { notify } from './messages'
import { namesNow } from './labels'
import './addressField.css'

interface AddressFieldProps {
  readonly label: string
  /** Null is an empty field. */
  readonly value: number | null
  /** Without it, the field may not be empty. */
  readonly placeholder?: string
  readonly step: number
  readonly from: () => number
  readonly onChange: (value: number | null) => void
}

const MEMORY_BYTES = 0x10000

export function AddressField({ label, value, placeholder, step, from, onChange }: AddressFieldProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const move = (steps: number) => {
    setTyped(null)
    const next = Math.floor((value ?? from()) / step + steps) * step
    onChange((next + MEMORY_BYTES) % MEMORY_BYTES)
  }
  const commit = () => {
    if (typed === null) return
    if (typed.trim() === '' && placeholder !== undefined) onChange(null)
    else {
      try {
        onChange(parseTypedAddress(typed, namesNow()))
      } catch (error) {
        notify(toFailure(error).message, null, null, `address ${label}`)
      }
    }
    setTyped(null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') commit()
    else if (event.key === 'Escape') setTyped(null)
    else if (event.key === 'ArrowUp') move(1)
    else if (event.key === 'ArrowDown') move(-1)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <span className="address-field" role="group" aria-label={label}>
      <IconButton icon={ChevronLeft} label={`${label}: back by ${formatAddress(step)}`} onClick={() => move(-1)} />
      <input
        className="field data"
        aria-label={label}
        title={`${label}: an address as d020 or +53280, or a label. Arrow keys go ${formatAddress(step)} on or back.`}
        spellCheck={false}
        value={typed ?? (value === null ? '' : formatAddress(value))}
        placeholder={placeholder}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={commit}
        onKeyDown={onKeyDown}
      />
      <IconButton icon={ChevronRight} label={`${label}: on by ${formatAddress(step)}`} onClick={() => move(1)} />
    </span>
  )
}
