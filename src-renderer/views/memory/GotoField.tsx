import { useId, useImperativeHandle, useRef, useState, type KeyboardEvent, type Ref } from 'react'
import { parseTypedAddress } from '@shared/c64/address'
import { toFailure, type Failure } from '@shared/contract/errors'
import { useNames } from '../../client/labels'
import { shortcutOf } from '../../client/shortcuts'
import { Tip } from '../../widgets/Tip'
import { understoodAddress } from '../../widgets/typedAddress'
import { Problem } from '../../widgets/Problem'
import { Understood } from '../../widgets/Understood'

export interface GotoHandle {
  focus(): void
  go(text: string): void
}

interface GotoFieldProps {
  readonly ref: Ref<GotoHandle>
  /** Where the cursor stands: once anything else moves it, the field is empty. */
  readonly cursor: number
  readonly onGo: (address: number) => void
  readonly onLeave: () => void
}

interface Typed {
  readonly text: string
  readonly cursor: number
  readonly failure: Failure | null
}

const nothingTyped: Typed = { text: '', cursor: 0, failure: null }

export function GotoField({ ref, cursor, onGo, onLeave }: GotoFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState<Typed>(nothingTyped)
  const { text, failure } = typed.cursor === cursor ? typed : nothingTyped
  const noteId = useId()
  const names = useNames()

  const go = (text: string) => {
    try {
      const address = parseTypedAddress(text, names)
      onGo(address)
      setTyped({ text, cursor: address, failure: null })
      onLeave()
    } catch (error) {
      setTyped({ text, cursor, failure: toFailure(error) })
      input.current?.focus()
    }
  }

  useImperativeHandle(ref, () => ({ focus: () => input.current?.select(), go }))

  const handleKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter') go(text)
    else if (event.key === 'Escape') {
      setTyped({ text, cursor, failure: null })
      onLeave()
    }
  }

  return (
    <div className="goto with-note">
      <Tip
        text="An address as d020 or $d020, +53280 in decimal, %1101… in binary, a label of the program, or a name such as BORDER or CHROUT"
        shortcut={shortcutOf('memory.goto')}
      >
        <input
          ref={input}
          className="field data goto-field"
          value={text}
          placeholder="Go to $d020"
          aria-label="Go to address"
          spellCheck={false}
          aria-invalid={failure !== null}
          aria-describedby={noteId}
          onChange={({ target }) => setTyped({ text: target.value, cursor, failure: null })}
          onKeyDown={handleKey}
        />
      </Tip>
      {failure === null ? (
        <Understood id={noteId} text={understoodAddress(text, names)} />
      ) : (
        <Problem id={noteId} className="goto-problem" failure={failure} />
      )}
    </div>
  )
}
