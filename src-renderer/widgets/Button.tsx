import type { LucideIcon } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { Tip } from './Tip'

export interface ButtonProps {
  readonly label: string
  readonly onClick: () => void
  readonly icon?: LucideIcon
  readonly iconOnly?: boolean
  readonly shortcut?: string | undefined
  /** Why it is disabled; it stays reachable by keyboard so that the reason can be read. */
  readonly why?: string | null
  readonly pressed?: boolean
  readonly look?: 'plain' | 'primary'
  readonly tip?: ReactNode
  readonly ref?: Ref<HTMLButtonElement>
}

export function Button({
  label,
  onClick,
  icon: Icon,
  iconOnly = false,
  shortcut,
  why = null,
  pressed,
  look,
  tip,
  ref,
}: ButtonProps) {
  const classes = ['button', look ?? '', iconOnly ? 'icon' : ''].join(' ').trim()
  const button = (
    <button
      ref={ref}
      type="button"
      className={classes}
      aria-label={iconOnly ? label : undefined}
      aria-disabled={why === null ? undefined : true}
      aria-pressed={pressed}
      onClick={why === null ? onClick : undefined}
    >
      {Icon ? <Icon size={14} strokeWidth={1.75} aria-hidden /> : null}
      {iconOnly ? null : label}
    </button>
  )
  if (!iconOnly && shortcut === undefined && why === null && tip === undefined) return button
  return (
    <Tip text={tip ?? label} shortcut={shortcut} why={why}>
      {button}
    </Tip>
  )
}
