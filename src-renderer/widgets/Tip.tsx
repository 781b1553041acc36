import { Tooltip } from 'radix-ui'
import { createContext, useContext, type ReactElement, type ReactNode } from 'react'

/**
 * The landmark that holds the tooltips: people who move from landmark to landmark pass over content outside of them.
 */
export const TipLandmark = createContext<HTMLElement | null>(null)

interface TipProps {
  readonly text: ReactNode
  readonly shortcut?: string | undefined
  readonly why?: string | null | undefined
  readonly side?: 'top' | 'right'
  readonly children: ReactElement
}

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
