/** The element that had the keyboard last outside of dialogs, as one dialog may open another. */
let outside: HTMLElement | null = null

export function followFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement && target.closest('[role=dialog]') === null) outside = target
  })
}

/** For a dialog that no button opened. The keyboard goes back, unless it was moved elsewhere. */
export function returnFocus(event: Event): void {
  event.preventDefault()
  if (document.activeElement === document.body) outside?.focus()
}
