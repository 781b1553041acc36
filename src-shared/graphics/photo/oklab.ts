/**
 * Björn Ottosson's OKLab: a colour as lightness, green-red and blue-yellow, in which distances are about as people see
 * them.
 */

/** From an sRGB byte to light, 0 to 1. */
export const lightOf: Float32Array = Float32Array.from({ length: 256 }, (_, byte) => {
  const value = byte / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
})

/** From light, 0 to 1, to sRGB, 0 to 1. */
export const encodeLight = (light: number): number =>
  light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055

/** From sRGB, 0 to 1, to light. */
export const decodeLight = (value: number): number =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4

export function toOklab(out: Float32Array, at: number, red: number, green: number, blue: number): void {
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  out[at] = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s
  out[at + 1] = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  out[at + 2] = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
}

export interface PaletteColours {
  readonly light: Float32Array
  readonly lab: Float32Array
}

/** @param palette sixteen, 0xRRGGBB */
export function paletteColours(palette: readonly number[]): PaletteColours {
  const [light, lab] = [new Float32Array(48), new Float32Array(48)]
  for (let colour = 0; colour < 16; colour++) {
    const rgb = palette[colour] ?? 0
    const parts = [lightOf[rgb >> 16] ?? 0, lightOf[(rgb >> 8) & 0xff] ?? 0, lightOf[rgb & 0xff] ?? 0] as const
    light.set(parts, colour * 3)
    toOklab(lab, colour * 3, ...parts)
  }
  return { light, lab }
}

/** Squared distance. */
export function distance(a: Float32Array, at: number, b: Float32Array, bt: number): number {
  const l = (a[at] ?? 0) - (b[bt] ?? 0)
  const x = (a[at + 1] ?? 0) - (b[bt + 1] ?? 0)
  const y = (a[at + 2] ?? 0) - (b[bt + 2] ?? 0)
  return l * l + x * x + y * y
}
