import { Tooltip } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'

interface TipProps {
  readonly text: ReactNode
  readonly shortcut?: string | undefined
  /** Why the control is out of use now. */
  readonly why?: string | null | undefined
  readonly side?: 'top' | 'right'
  readonly children: ReactElement
}

/** A tooltip for mouse and keyboard around one control. */
export function Tip({ text, shortcut, why, side = 'top', children }: TipProps) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content className="tooltip" side={side} sideOffset={4} collisionPadding={8}>
          {text}
          {shortcut === undefined ? null : <kbd>{shortcut}</kbd>}
          {why ? <span className="why">{why}</span> : null}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}
