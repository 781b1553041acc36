/**
 * Reads the Ultimate's JSON. Up to firmware 3.15 it escapes nothing, so a quote or a control byte in a name breaks it.
 */

/** Repairs missing escapes in strings; undefined where it is still no JSON. */
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

const afterString = /^\s*([,:\]}]|$)/

const escape = /^\\(["\\/bfnrt]|u[0-9A-Fa-f]{4})/

const LOOK_AHEAD_CHARS = 64

function escapeStrings(text: string): string {
  let repaired = ''
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (!inString) {
      inString = character === '"'
      repaired += character
    } else if (character === '"') {
      inString = !afterString.test(text.slice(at + 1, at + LOOK_AHEAD_CHARS))
      repaired += inString ? '\\"' : '"'
    } else if (character === '\\') {
      const [valid] = escape.exec(text.slice(at, at + LOOK_AHEAD_CHARS)) ?? []
      // In `C:\"` the backslash is text: as an escape it would swallow the closing quote.
      const isEscape =
        valid !== undefined && !(valid === '\\"' && afterString.test(text.slice(at + 2, at + LOOK_AHEAD_CHARS)))
      repaired += isEscape ? valid : '\\\\'
      if (isEscape) at += valid.length - 1
    } else {
      repaired += character < ' ' ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}` : character
    }
  }
  return repaired
}

/** At most 300 characters, without control characters. */
export const plainText = (text: string): string =>
  text
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .trim()
    .slice(0, 300)
