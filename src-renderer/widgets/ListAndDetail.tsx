import type { KeyboardEventHandler, PointerEventHandler, ReactNode } from 'react'
import './listAndDetail.css'

interface ListAndDetailProps {
  /** Its own class, whose `--columns` says how wide the two are. */
  readonly className: string
  readonly onKeyDown?: KeyboardEventHandler<HTMLDivElement>
  readonly onPointerEnter?: PointerEventHandler<HTMLDivElement>
  readonly onPointerLeave?: PointerEventHandler<HTMLDivElement>
  /** The list, then what is chosen in it. */
  readonly children: readonly [list: ReactNode, detail: ReactNode]
}

/** A list, and beside it what is chosen there; below it where the view is narrow. */
export function ListAndDetail({ className, children, ...handlers }: ListAndDetailProps) {
  return (
    <div className={`view-content list-and-detail ${className}`} {...handlers}>
      {children}
    </div>
  )
}
