import { useId, useState } from 'react'
import { formatAddress } from '@shared/c64/address'
import { assemble } from '@shared/c64/assembler'
import { disassemble, type Instruction } from '@shared/c64/disassembler'
import type { Names } from '@shared/c64/labels/names'
import { toFailure, type Failure } from '@shared/contract/errors'
import type { Space } from '@shared/contract/memory'
import { useLack } from '../../../client/machines'
import { Problem } from '../../../widgets/Problem'
import { writeBytes } from '../edits'

export interface AssemblePlace {
  readonly machine: string
  readonly space: Space
  readonly read: (address: number) => number
}

interface AssembleFieldProps {
  readonly first: string
  readonly line: Instruction
  readonly names: Names
  readonly place: AssemblePlace
  readonly onDone: (next: number | null) => void
}

export function AssembleField({ first, line, names, place, onDone }: AssembleFieldProps) {
  const [text, setText] = useState(first === '' ? line.text.replace(/^\..*$/, '') : first)
  const [wasEntered, setWasEntered] = useState(false)
  const noteId = useId()
  const lack = useLack('writeMemory')
  const read = readInstruction(text, line.address, names)
  const note = lack ?? ('bytes' in read ? previewOf(read.bytes, line, place.read) : null)

  const enter = () => {
    setWasEntered(true)
    if (lack !== null || !('bytes' in read)) return
    const { machine, space } = place
    void writeBytes({ machine, space, address: line.address, after: read.bytes })
    onDone(Math.min(0xffff, line.address + read.bytes.length))
  }
  return (
    <span className="row-field assemble">
      <input
        className="field data"
        autoFocus
        aria-label={`Instruction at ${formatAddress(line.address)}`}
        aria-invalid={wasEntered && !('bytes' in read)}
        aria-describedby={noteId}
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => {
          setText(target.value)
          setWasEntered(false)
        }}
        onBlur={() => onDone(null)}
        onKeyDown={(event) => {
          event.stopPropagation()
          if (event.key === 'Enter') enter()
          if (event.key === 'Escape') onDone(null)
        }}
      />
      {wasEntered && 'failure' in read ? (
        <Problem id={noteId} failure={read.failure} />
      ) : (
        <output id={noteId}>{note ?? ''}</output>
      )}
    </span>
  )
}

function readInstruction(
  text: string,
  address: number,
  names: Names,
): { readonly bytes: Uint8Array } | { readonly failure: Failure } {
  try {
    return { bytes: assemble(text, address, names) }
  } catch (error) {
    return { failure: toFailure(error) }
  }
}

function previewOf(bytes: Uint8Array, line: Instruction, read: (address: number) => number): string {
  const hex = [...bytes].map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(' ')
  if (bytes.length <= line.length) return hex
  const next = disassemble(read, line.address + line.length)
  return `${hex}: ${bytes.length - line.length} longer, overwrites ${next.text}`
}
