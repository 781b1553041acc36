import { Popover } from 'radix-ui'
import { useId, useRef, useState } from 'react'
import { formatRange, parseHexBytes, parseTypedAddress, type AddressRange } from '@shared/c64/address'
import { toFailure, type Failure } from '@shared/contract/errors'
import type { Space } from '@shared/contract/memory'
import { counted } from '@shared/countedText'
import { call } from '../../client/call'
import { namesNow, useNames } from '../../client/labels'
import { Button } from '../../widgets/Button'
import { Problem } from '../../widgets/Problem'
import { understoodAddress } from '../../widgets/typedAddress'
import { Understood } from '../../widgets/Understood'
import { copy, fill, move, type Write } from './blockEdits'
import { writeStep } from './edits'

export type BlockEdit = 'fill' | 'copy' | 'move'

export const blockTitles: Readonly<Record<BlockEdit, string>> = {
  fill: 'Fill',
  copy: 'Copy to an address',
  move: 'Move to an address',
}

export interface AskedBlock {
  readonly edit: BlockEdit
  readonly range: AddressRange
  readonly place: { readonly x: number; readonly y: number }
}

interface Memory {
  readonly machine: string
  readonly space: Space
  readonly range: AddressRange
}

interface BlockFormProps {
  readonly asked: AskedBlock
  readonly memory: Memory
  readonly onClose: () => void
  readonly onReturn: () => void
}

export function BlockForm({ asked: { edit, range, place }, memory, onClose, onReturn }: BlockFormProps) {
  const [text, setText] = useState('')
  const [failure, setFailure] = useState<Failure | null>(null)
  const names = useNames()
  const [titleId, fieldId, noteId] = [useId(), useId(), useId()]
  const anchor = useRef({ getBoundingClientRect: () => DOMRect.fromRect(place) })
  const isFill = edit === 'fill'

  const carryOut = async () => {
    try {
      const writes = await planned(edit, range, text, memory)
      onClose()
      await writeStep(writes.map((write) => ({ machine: memory.machine, space: memory.space, ...write })))
    } catch (error) {
      setFailure(toFailure(error))
    }
  }
  return (
    <Popover.Root open onOpenChange={onClose}>
      <Popover.Anchor virtualRef={anchor} />
      <Popover.Portal>
        <Popover.Content
          className="popover block-form"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-labelledby={titleId}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            onReturn()
          }}
        >
          <form
            onSubmit={(event) => {
              event.preventDefault()
              void carryOut()
            }}
          >
            <h2 id={titleId}>
              {blockTitles[edit]} <span className="data">{formatRange(range)}</span>
            </h2>
            <p className="muted">
              {counted(range.end - range.start, 'byte')}
              {edit === 'move' ? '; zeros stay behind' : ''}
            </p>
            <label htmlFor={fieldId}>{isFill ? 'Bytes, over and over' : 'Address'}</label>
            <input
              id={fieldId}
              className="field data"
              value={text}
              placeholder={isFill ? '00, or a9 00 8d' : '$c000'}
              autoComplete="off"
              spellCheck={false}
              aria-invalid={failure !== null}
              aria-describedby={noteId}
              onChange={({ target }) => {
                setText(target.value)
                setFailure(null)
              }}
            />
            {failure === null ? (
              <Understood id={noteId} text={isFill ? '' : understoodAddress(text, names)} />
            ) : (
              <Problem id={noteId} failure={failure} />
            )}
            <Button
              label={isFill ? 'Fill' : edit === 'copy' ? 'Copy' : 'Move'}
              look="primary"
              shortcut="Enter"
              onClick={() => void carryOut()}
            />
          </form>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

/** @throws AppError INVALID for what cannot be read, or does not fit */
async function planned(
  edit: BlockEdit,
  range: AddressRange,
  text: string,
  { machine, space, range: memory }: Memory,
): Promise<readonly Write[]> {
  if (edit === 'fill') return [fill(range, parseHexBytes(text))]
  const to = parseTypedAddress(text, namesNow())
  const length = range.end - range.start
  const { bytes } = await call('memory.read', { machine, space, address: range.start, length })
  return edit === 'copy' ? [copy(bytes, to, memory)] : move(bytes, range.start, to, memory)
}
