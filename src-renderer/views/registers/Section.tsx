import type { ReactNode } from 'react'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useViewState } from '../../client/viewState'

interface SectionProps {
  readonly name: string
  readonly title: string
  /** Said beside the title, also while the section is closed. */
  readonly aside?: ReactNode
  readonly children: ReactNode
}

const isOpen = (stored: unknown): boolean => stored !== false

/** A part of the view that can be folded away; its state is kept. */
export function Section({ name, title, aside, children }: SectionProps) {
  const [open, setOpen] = useViewState(`registers.${name}`, isOpen)
  const Chevron = open ? ChevronDown : ChevronRight
  return (
    <section className="register-section" aria-label={title}>
      <h2>
        <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
          <Chevron size={14} aria-hidden />
          {title}
        </button>
        {aside}
      </h2>
      {open ? children : null}
    </section>
  )
}
