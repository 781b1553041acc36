import type { ReactNode } from 'react'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useViewState } from '../../client/viewState'

interface SectionProps {
  readonly name: string
  readonly title: string
  readonly aside?: ReactNode
  readonly children: ReactNode
}

const isOpen = (stored: unknown): boolean => stored !== false

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
