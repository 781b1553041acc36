/** Reads `#rrggbb`, or `#rgb`, to which the build shortens colours. */
export function hexColour(text: string): number {
  const digits = text.trim().slice(1)
  return Number.parseInt(digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits, 16)
}
