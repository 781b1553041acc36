import { SlidersHorizontal } from 'lucide-react'
import { Popover } from 'radix-ui'
import type { ReactNode } from 'react'
import { Tip } from './Tip'

export const MorePopover = ({
  tip,
  className,
  children,
}: {
  readonly tip: string
  readonly className: string
  readonly children: ReactNode
}) => (
  <Popover.Root>
    <Tip text={tip}>
      <Popover.Trigger asChild>
        <button type="button" className="button plain icon" aria-label="More">
          <SlidersHorizontal size={14} strokeWidth={1.75} aria-hidden />
        </button>
      </Popover.Trigger>
    </Tip>
    <Popover.Portal>
      <Popover.Content
        className={`popover ${className}`}
        align="end"
        sideOffset={4}
        collisionPadding={8}
        aria-label="More"
      >
        {children}
      </Popover.Content>
    </Popover.Portal>
  </Popover.Root>
)
