type Rgba = Uint8ClampedArray

/** Both RGBA, of the same length. Differing pixels are red, the rest is a pale picture of the first. */
export function comparePixels(one: Rgba, other: Rgba): { marked: Uint8ClampedArray<ArrayBuffer>; count: number } {
  const marked = new Uint8ClampedArray(one.length)
  let count = 0
  for (let at = 0; at < one.length; at += 4) {
    const isSame = [0, 1, 2, 3].every((part) => one[at + part] === other[at + part])
    if (!isSame) count++
    for (let part = 0; part < 3; part++) marked[at + part] = one[at + part] ?? 0
    if (!isSame) marked.set([255, 0, 64], at)
    marked[at + 3] = isSame ? Math.round((one[at + 3] ?? 0) / 4) : 255
  }
  return { marked, count }
}
