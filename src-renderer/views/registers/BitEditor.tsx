import { useCallback, useId, useRef, type RefObject } from 'react'
import { Popover } from 'radix-ui'
import { formatAddress, formatByte } from '@shared/c64/address'
import { chips, type ChipId } from '@shared/c64/chips'
import { bitsLimit, registerBits, withBitChanged } from '@shared/c64/registerBits'
import { call } from '../../client/call'
import { useFrontName, useLack } from '../../client/machines'
import { attempt } from '../../client/messages'
import { frames, useDraw } from '../../frames/frames'
import { setText } from '../../widgets/setText'

interface BitEditorProps {
  readonly chip: ChipId
  readonly address: number
  readonly anchor: RefObject<HTMLElement | null>
  readonly onClose: () => void
}

export function BitEditor({ chip, address, anchor, onClose }: BitEditorProps) {
  const machine = useFrontName()
  const cannotWrite = useLack('writeMemory')
  const titleId = useId()
  const { start, registers } = chips[chip]
  const { name = '', description = '' } = registers[address - start] ?? {}
  const limit = bitsLimit(chip, name) ?? cannotWrite
  const list = useRef<HTMLUListElement>(null)
  const shown = useRef<HTMLSpanElement>(null)
  useDraw(
    true,
    useCallback(() => {
      const value = frames.image('io')[address] ?? 0
      if (shown.current) setText(shown.current, formatByte(value))
      list.current?.querySelectorAll('button').forEach((button, index) => {
        const isSet = ((value >> (7 - index)) & 1) === 1
        button.setAttribute('aria-checked', String(isSet))
      })
    }, [address]),
  )
  const change = (bit: number) =>
    attempt(() =>
      call('memory.write', {
        machine,
        space: 'io',
        address,
        bytes: Uint8Array.of(withBitChanged(name, frames.image('io')[address] ?? 0, bit)),
      }),
    )
  return (
    <Popover.Root open onOpenChange={onClose}>
      <Popover.Anchor virtualRef={anchor} />
      <Popover.Portal>
        <Popover.Content
          className="popover bit-editor"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-labelledby={titleId}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            anchor.current?.closest('tr')?.querySelector('button')?.focus()
          }}
        >
          <h2 id={titleId}>
            <span className="data">{formatAddress(address)}</span> {name} <span ref={shown} className="data" />
          </h2>
          <p className="muted">{limit ?? description}</p>
          <ul ref={list}>
            {registerBits(chip, name).map(({ bit, title }) => (
              <li key={bit}>
                <button
                  type="button"
                  role="switch"
                  aria-checked={false}
                  disabled={limit !== null}
                  onClick={() => change(bit)}
                >
                  <span className="data muted">{bit}</span>
                  <i aria-hidden />
                  {title}
                </button>
              </li>
            ))}
          </ul>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
