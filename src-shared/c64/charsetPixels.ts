const COLUMNS = 16
export const CHARSET_SIDE = COLUMNS * 8

/**
 * 128 x 128 pixels, 0 or 1: sixteen characters a row, in the order of their codes.
 * @param bytes 2048, eight a character
 */
export function charsetPixels(bytes: Uint8Array): Uint8Array {
  const pixels = new Uint8Array(CHARSET_SIDE * CHARSET_SIDE)
  bytes.forEach((byte, index) => {
    const [character, line] = [index >> 3, index & 7]
    const left = (character % COLUMNS) * 8
    const top = Math.floor(character / COLUMNS) * 8 + line
    for (let bit = 0; bit < 8; bit++) pixels[top * CHARSET_SIDE + left + bit] = (byte >> (7 - bit)) & 1
  })
  return pixels
}
