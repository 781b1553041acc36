/** The Ultimate's JSON: up to firmware 3.15 it escapes nothing, so that a quote or a control byte in a name breaks it. */

/** The value, mended where only the strings' escaping is wrong; undefined when it is no JSON even then. */
export function parseTolerantJson(bytes: Uint8Array): unknown {
  const text = decodeText(bytes)
  try {
    return JSON.parse(text)
  } catch {
    try {
      return JSON.parse(escapeStrings(text))
    } catch {
      return undefined
    }
  }
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return Buffer.from(bytes).toString('latin1') // PETSCII in a disk or file name
  }
}

/** What may follow the quote that ends a string. */
const afterString = /^\s*([,:\]}]|$)/

/** A valid escape, from its backslash on. */
const escape = /^\\(["\\/bfnrt]|u[0-9A-Fa-f]{4})/

/** Far enough to see what follows a quote or a backslash. */
const LOOK_AHEAD = 64

function escapeStrings(text: string): string {
  let mended = ''
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (!inString) {
      inString = character === '"'
      mended += character
    } else if (character === '"') {
      inString = !afterString.test(text.slice(at + 1, at + LOOK_AHEAD))
      mended += inString ? '\\"' : '"'
    } else if (character === '\\') {
      const [valid] = escape.exec(text.slice(at, at + LOOK_AHEAD)) ?? []
      // `C:\"` ends the string: an escape that would swallow its end is none.
      const isEscape =
        valid !== undefined && !(valid === '\\"' && afterString.test(text.slice(at + 2, at + LOOK_AHEAD)))
      mended += isEscape ? valid : '\\\\'
      if (isEscape) at += valid.length - 1
    } else {
      mended += character < ' ' ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}` : character
    }
  }
  return mended
}

/** Text of the device for a sentence of ours: one line, no control characters, not too long. */
export const plainText = (text: string): string =>
  text
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .trim()
    .slice(0, 300)
