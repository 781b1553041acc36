import type { KeyboardEvent } from 'react'

export function isKeyOfCall({
  key,
  ctrlKey,
  metaKey,
  altKey,
  target,
  currentTarget,
}: KeyboardEvent<HTMLElement>): boolean {
  if (ctrlKey || metaKey || altKey || (target instanceof HTMLElement && target.matches('input, select'))) return false
  const button = currentTarget.querySelector<HTMLElement>(`[data-key="${CSS.escape(key.toLowerCase())}"] button`)
  button?.click()
  return button !== null
}
