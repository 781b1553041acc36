import type { KeyboardEventHandler, ReactNode } from 'react'
import './listAndDetail.css'

interface ListAndDetailProps {
  /** Its own class, whose `--columns` says how wide the two are. */
  readonly className: string
  readonly onKeyDown?: KeyboardEventHandler<HTMLDivElement>
  /** The list, then what is chosen in it. */
  readonly children: readonly [list: ReactNode, detail: ReactNode]
}

/** A list, and beside it what is chosen there; below it where the view is narrow. */
export function ListAndDetail({ className, onKeyDown, children }: ListAndDetailProps) {
  return (
    <div className={`view-content list-and-detail ${className}`} onKeyDown={onKeyDown}>
      {children}
    </div>
  )
}
