export function enlarged(pixels: Uint8Array, width: number, times: number): { pixels: Uint8Array; width: number } {
  const wide = width * times
  const large = new Uint8Array(pixels.length * times * times)
  for (let at = 0; at < large.length; at++) {
    const row = Math.floor(at / wide / times)
    large[at] = pixels[row * width + Math.floor((at % wide) / times)] ?? 0
  }
  return { pixels: large, width: wide }
}
