import { decodeLight, encodeLight } from './oklab'
import type { PhotoOptions } from './options'

const MIDDLE = 0.5

/** In place, and in sRGB, as image editors do. */
export function adjustLight(light: Float32Array, { brightness, contrast, saturation }: PhotoOptions): void {
  if (brightness === 0 && contrast === 0 && saturation === 0) return
  const shift = brightness / 200
  const slope = contrast < 0 ? 1 + contrast / 100 : 1 + (contrast / 100) * 3
  const colourfulness = saturation < 0 ? 1 + saturation / 100 : 1 + (saturation / 100) * 2
  for (let at = 0; at < light.length; at += 3) {
    const red = encodeLight(light[at] ?? 0)
    const green = encodeLight(light[at + 1] ?? 0)
    const blue = encodeLight(light[at + 2] ?? 0)
    const grey = 0.299 * red + 0.587 * green + 0.114 * blue
    const changed = (value: number): number => {
      const coloured = grey + (value - grey) * colourfulness
      return decodeLight(Math.min(1, Math.max(0, (coloured - MIDDLE) * slope + MIDDLE + shift)))
    }
    light[at] = changed(red)
    light[at + 1] = changed(green)
    light[at + 2] = changed(blue)
  }
}
