/** Writes text only where it changed: an unchanged text node costs no layout. */
export function setText(node: Text | HTMLElement, text: string): void {
  if (node.textContent !== text) node.textContent = text
}
