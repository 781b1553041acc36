import { useId, useState } from 'react'
import { formatAddress } from '@shared/c64/address'
import { parseHeld, type NamedByte } from '@shared/c64/namedBytes'
import { toFailure, type Failure } from '@shared/contract/errors'
import type { Space } from '@shared/contract/memory'
import { useLack } from '../../../client/machines'
import { Problem } from '../../../widgets/Problem'
import { writeBytes } from '../edits'

interface HeldFieldProps {
  readonly first: string
  readonly row: NamedByte
  readonly place: { readonly machine: string; readonly space: Space }
  /** Top of its row in the list, CSS px. */
  readonly top: number
  readonly isLowest: boolean
  readonly onDone: () => void
  readonly onLeave: () => void
}

export function HeldField({ first, row, place, top, isLowest, onDone, onLeave }: HeldFieldProps) {
  const [text, setText] = useState(first)
  const [failure, setFailure] = useState<Failure | null>(null)
  const lack = useLack('writeMemory')
  const noteId = useId()

  const enter = () => {
    if (lack !== null) return
    try {
      void writeBytes({ ...place, address: row.address, after: parseHeld(text, row) })
      onDone()
    } catch (error) {
      setFailure(toFailure(error))
    }
  }
  return (
    <span className={isLowest ? 'row-field named-field lowest' : 'row-field named-field'} style={{ top }}>
      <input
        className="field data"
        autoFocus
        aria-label={`Value at ${formatAddress(row.address)}`}
        aria-invalid={failure !== null}
        aria-describedby={noteId}
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => {
          setText(target.value)
          setFailure(null)
        }}
        onBlur={onLeave}
        onKeyDown={(event) => {
          event.stopPropagation()
          if (event.key === 'Enter') enter()
          if (event.key === 'Escape') onDone()
        }}
      />
      {failure === null ? <output id={noteId}>{lack ?? ''}</output> : <Problem id={noteId} failure={failure} />}
    </span>
  )
}
