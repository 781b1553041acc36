import type { KeyboardEvent } from 'react'

const steps = {
  column: { ArrowUp: -1, ArrowDown: 1 },
  row: { ArrowLeft: -1, ArrowRight: 1 },
} as const satisfies Record<string, Readonly<Record<string, number>>>

/**
 * Arrow keys move by one, Home and End to the ends. The caller gives the item focused last the only `tabIndex` of 0.
 * @param items a selector
 */
export function moveAlong(event: KeyboardEvent<HTMLElement>, items: string, direction: keyof typeof steps): void {
  if (event.altKey || event.ctrlKey || event.metaKey) return
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>(items)]
  const at = all.findIndex((item) => item === document.activeElement)
  const keys: Readonly<Record<string, number | undefined>> = steps[direction]
  const step = keys[event.key]
  const next = event.key === 'Home' ? 0 : event.key === 'End' ? all.length - 1 : step === undefined ? -1 : at + step
  if (at < 0 || (step === undefined && next < 0)) return
  event.preventDefault()
  all[next]?.focus()
}
