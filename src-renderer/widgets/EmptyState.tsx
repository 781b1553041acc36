import type { ReactNode } from 'react'

/** Made by `npm run pictures -- empty`, in both themes. */
interface EmptyPicture {
  readonly light: string
  readonly dark: string
}

/** CSS px, reserved before the picture is loaded. */
const pictureSize = { width: 384, height: 192 }

interface EmptyStateProps {
  /** Left out where there is never anything to be seen, or where it could be taken for the real thing. */
  readonly picture?: EmptyPicture
  readonly title: ReactNode
  readonly children?: ReactNode
  readonly action?: ReactNode
}

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
