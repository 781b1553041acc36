import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

interface EmptyStateProps {
  readonly icon: LucideIcon
  /** What there is not. */
  readonly title: ReactNode
  /** What would be here, or what to do. */
  readonly children?: ReactNode
  /** The one button that leads on. */
  readonly action?: ReactNode
}

/** In place of a view that has nothing to show yet. */
export const EmptyState = ({ icon: Icon, title, children, action }: EmptyStateProps) => (
  <div className="empty">
    <Icon className="empty-picture" size={64} strokeWidth={1} aria-hidden />
    <h2>{title}</h2>
    {children}
    {action}
  </div>
)
