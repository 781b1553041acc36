import { strFromU8 } from 'fflate'

const PICTURE_TYPES = [
  { type: 'image/png', signature: [0x89, 0x50, 0x4e, 0x47] },
  { type: 'image/gif', signature: [0x47, 0x49, 0x46, 0x38] },
] as const

const SHOWN_LINES = 40
const SHOWN_CHARACTERS = 8_000
/** A longer first line is not written for people, as with a JSON file all in one line. */
const MAX_FIRST_LINE = 500

export type FilePreview =
  | { readonly kind: 'picture'; readonly type: (typeof PICTURE_TYPES)[number]['type'] }
  | { readonly kind: 'text'; readonly text: string; readonly isCut: boolean }
  | { readonly kind: 'data' }

export function previewOf(file: Uint8Array): FilePreview {
  const picture = PICTURE_TYPES.find(({ signature }) => signature.every((byte, at) => file[at] === byte))
  if (picture) return { kind: 'picture', type: picture.type }
  // A cut may leave half a character at the end.
  const text = strFromU8(file.subarray(0, 4 * SHOWN_CHARACTERS)).replace(/\ufffd$/, '')
  if (!isText(text)) return { kind: 'data' }
  const lines = text.split('\n')
  if ((lines[0] ?? '').length > MAX_FIRST_LINE) return { kind: 'data' }
  const shown = lines.slice(0, SHOWN_LINES).join('\n').slice(0, SHOWN_CHARACTERS)
  return { kind: 'text', text: shown, isCut: shown.length < text.length || file.length > 4 * SHOWN_CHARACTERS }
}

const isText = (text: string): boolean => text !== '' && !/[\u0000-\u0008\u000e-\u001f\ufffd]/.test(text)
