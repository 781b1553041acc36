/** The second digit or Enter completes the byte; Escape or moving away drops it. */

export interface Typing {
  readonly address: number
  readonly digit: string
}

interface TypedByte {
  readonly address: number
  readonly value: number
}

export type TypingKey = { readonly typing: Typing | null; readonly typed: TypedByte | null }

/** Null for a key that is not about typing a byte. */
export function typeKey(typing: Typing | null, address: number, key: string): TypingKey | null {
  const current = typing?.address === address ? typing : null
  if (/^[0-9a-f]$/i.test(key)) {
    if (!current) return { typing: { address, digit: key.toUpperCase() }, typed: null }
    return { typing: null, typed: { address, value: Number.parseInt(current.digit + key, 16) } }
  }
  if (!current) return null
  if (key === 'Enter') return { typing: null, typed: { address, value: Number.parseInt(current.digit, 16) } }
  return key === 'Escape' || key === 'Backspace' ? { typing: null, typed: null } : null
}
