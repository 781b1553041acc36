/** What had the keyboard last outside of dialogs; they come one after the other, as the command palette opens others. */
let outside: HTMLElement | null = null

/** Called once, before the first dialog. */
export function followFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement && target.closest('[role=dialog]') === null) outside = target
  })
}

/** For a dialog without a button that opens it, as it closes: the keyboard goes back, unless it was moved elsewhere. */
export function returnFocus(event: Event): void {
  event.preventDefault()
  if (document.activeElement === document.body) outside?.focus()
}
