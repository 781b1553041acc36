/** 0xRRGGBB of `#rrggbb`, or of `#rgb`, to which the build shortens what it can. */
export function hexColour(text: string): number {
  const digits = text.trim().slice(1)
  return Number.parseInt(digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits, 16)
}
