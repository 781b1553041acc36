import { Tooltip } from 'radix-ui'
import { createContext, useContext, type ReactElement, type ReactNode } from 'react'

/** The landmark that tooltips are put into: content outside of all landmarks is passed over by those who go from one to the next. */
export const TipLandmark = createContext<HTMLElement | null>(null)

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
  const landmark = useContext(TipLandmark)
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
      <Tooltip.Portal container={landmark}>
        <Tooltip.Content className="tooltip" side={side} sideOffset={4} collisionPadding={8}>
          {text}
          {shortcut === undefined ? null : <kbd>{shortcut}</kbd>}
          {why ? <span className="why">{why}</span> : null}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}
