import type { KeyboardEventHandler, ReactNode } from 'react'
import './listAndDetail.css'

interface ListAndDetailProps {
  readonly className: string
  readonly onKeyDown?: KeyboardEventHandler<HTMLDivElement>
  readonly children: readonly [list: ReactNode, detail: ReactNode]
}

export function ListAndDetail({ className, onKeyDown, children }: ListAndDetailProps) {
  return (
    <div className={`view-content list-and-detail ${className}`} onKeyDown={onKeyDown}>
      {children}
    </div>
  )
}
