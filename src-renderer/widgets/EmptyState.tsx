import type { ReactNode } from 'react'

/** Of what the view shows once it has something, in both themes; made by `npm run pictures -- empty`. */
interface EmptyPicture {
  readonly light: string
  readonly dark: string
}

/** CSS px: its room before it is loaded. */
const pictureSize = { width: 384, height: 192 }

interface EmptyStateProps {
  /** Left out where there is never anything to be seen, or where it could be taken for the real thing. */
  readonly picture?: EmptyPicture
  /** What there is not. */
  readonly title: ReactNode
  /** What would be here, or what to do. */
  readonly children?: ReactNode
  /** The one button that leads on. */
  readonly action?: ReactNode
}

/** In place of a view that has nothing to show yet. */
export const EmptyState = ({ picture, title, children, action }: EmptyStateProps) => (
  <div className="empty">
    {picture === undefined ? null : (
      <div className="empty-picture" aria-hidden>
        <img className="in-light" src={picture.light} {...pictureSize} alt="" />
        <img className="in-dark" src={picture.dark} {...pictureSize} alt="" />
      </div>
    )}
    <h2>{title}</h2>
    {children}
    {action}
  </div>
)
